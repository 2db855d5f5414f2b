package dev.gadget.drone.tool;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The environment of a command: what programs need, by name, and nothing that the drone holds besides. */
public final class CommandEnvironment {
    private static final Set<String> PASSED = Set.of(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "LANG",
            "LANGUAGE",
            "TZ",
            "TMPDIR",
            "JAVA_HOME",
            "GRAALVM_HOME",
            "M2_HOME",
            "MAVEN_HOME",
            "GRADLE_HOME",
            "GRADLE_USER_HOME",
            "GOPATH",
            "GOROOT",
            "GOPROXY",
            "CARGO_HOME",
            "RUSTUP_HOME",
            "NVM_DIR",
            "PNPM_HOME",
            "VIRTUAL_ENV",
            "PYENV_ROOT",
            "SDKMAN_DIR",
            "ANDROID_HOME",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "NODE_EXTRA_CA_CERTS");
    private static final Set<String> PROXIES = Set.of("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY");

    private CommandEnvironment() {}

    /** What a command gets of the drone's environment, and what keeps it from waiting for a person. */
    public static Map<String, String> of(Map<String, String> own) {
        Map<String, String> passed = new TreeMap<>();
        own.forEach((name, value) -> {
            if (PASSED.contains(name) || name.startsWith("LC_")) {
                passed.put(name, value);
            }
            // An address with a user in it holds a password.
            if (PROXIES.contains(name.toUpperCase(Locale.ROOT)) && !value.contains("@")) {
                passed.put(name, value);
            }
        });
        passed.put("TERM", "dumb");
        passed.put("PAGER", "cat");
        passed.put("GIT_PAGER", "cat");
        passed.put("GIT_TERMINAL_PROMPT", "0");
        passed.put("GIT_EDITOR", "true");
        passed.put("EDITOR", "true");
        passed.put("GIT_ASKPASS", "true");
        passed.put("SSH_ASKPASS", "true");
        passed.put("DEBIAN_FRONTEND", "noninteractive");
        return passed;
    }
}
