package dev.gadget.drone.project;

import dev.gadget.drone.git.Git;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Git that talks to other machines, with the keys and credential helpers of this machine's owner, and without asking anybody. It runs
 * in a directory of the drone's own, so that no repository has a say in what it runs.
 */
final class RemoteGit {
    private static final Pattern CREDENTIALS = Pattern.compile("://[^/@\\s]+@");
    private static final Pattern PROGRESS =
            Pattern.compile("(?i)(cloning into .*|warning: redirecting .*|.*\\d+% \\(.*|.*: \\d+, done\\.)");

    private RemoteGit() {}

    static Git in(Path own, boolean files) {
        Git git = Git.in(own)
                // What the owner and the machine configure counts here: proxies, certificates, helpers.
                .with("GIT_CONFIG_NOSYSTEM", "0")
                .with("GIT_ALLOW_PROTOCOL", files ? "https:ssh:file" : "https:ssh")
                // Set and empty: neither a terminal nor a window is asked.
                .with("GIT_ASKPASS", "")
                .with("SSH_ASKPASS", "")
                .with("SSH_ASKPASS_REQUIRE", "never")
                .with("GCM_INTERACTIVE", "never");
        Git.Answer ownSsh = git.run("config", "--get", "core.sshCommand");
        String ssh = ownSsh.ok() && !ownSsh.text().isBlank() ? ownSsh.text().strip() : "ssh";
        // A master connection that stays would hold the pipe to git open.
        return git.with("GIT_SSH_COMMAND", ssh + " -oBatchMode=yes -oControlMaster=no");
    }

    /** What git said of a failure, without its progress and without what lets somebody in. */
    static String reason(String errors) {
        StringBuilder reason = new StringBuilder();
        for (String line : errors.split("[\\r\\n]+")) {
            if (!line.isBlank() && !PROGRESS.matcher(line.strip()).matches()) {
                reason.append(reason.isEmpty() ? "" : "\n").append(line.strip());
            }
        }
        return reason.isEmpty() ? "nothing" : plain(reason.toString());
    }

    static String plain(String text) {
        return CREDENTIALS.matcher(text).replaceAll("://…@");
    }
}
