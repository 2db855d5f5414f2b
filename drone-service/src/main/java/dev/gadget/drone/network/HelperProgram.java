package dev.gadget.drone.network;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;

/**
 * How this program starts its {@link Forwarder} in the sandbox: a native executable itself, with a command that it does not show; on
 * the JVM a small one that loads nothing else.
 *
 * @param line what the socket and the command come after
 * @param files what has to be seen inside
 */
public record HelperProgram(List<String> line, List<Path> files) {
    /** The command of the native program. */
    public static final String COMMAND = "forward-network";

    /** Empty when the program's own files cannot be told. */
    public static Optional<HelperProgram> find() {
        try {
            if (System.getProperty("org.graalvm.nativeimage.imagecode") != null) {
                Path self = Path.of("/proc/self/exe").toRealPath();
                return Optional.of(new HelperProgram(List.of(self.toString(), COMMAND, "--"), List.of(self)));
            }
            CodeSource source = Forwarder.class.getProtectionDomain().getCodeSource();
            if (source == null) {
                return Optional.empty();
            }
            Path home = Path.of(System.getProperty("java.home")).toRealPath();
            Path java = home.resolve("bin/java");
            Path classes = Path.of(source.getLocation().toURI()).toRealPath();
            return Files.isExecutable(java)
                    ? Optional.of(new HelperProgram(onTheJvm(java, classes), List.of(home, classes)))
                    : Optional.empty();
        } catch (IOException | URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static List<String> onTheJvm(Path java, Path classes) {
        return List.of(
                java.toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx48m",
                "-cp",
                classes.toString(),
                Forwarder.class.getName());
    }
}
