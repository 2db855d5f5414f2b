package dev.gadget.drone.terminal;

import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether this drone gives terminals. Only its owner decides that, on its machine: what is typed there runs with the owner's rights and
 * outside of the sandbox.
 *
 * @param setsid the program that gives the shell its terminal; null where there are none
 * @param refusal why there are none; null where there are
 */
public record TerminalAccess(
        @Nullable Path setsid, @Nullable Failure refusal) {
    /** Looked for here and not along the PATH, which may lead into a workspace. */
    private static final List<Path> PLACES =
            List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"), Path.of("/usr/local/bin/setsid"));

    private static final String COMMAND = "gadget-drone run --terminal";

    /** None, because nobody allowed them. */
    public static TerminalAccess off() {
        return refused(
                FailureCode.FORBIDDEN,
                "Terminals are off on this drone. Its owner turns them on, on its machine, with '" + COMMAND + "'.");
    }

    /** What is possible here, when the owner allows it. */
    public static TerminalAccess find(boolean allowed) {
        return allowed ? find(System.getProperty("os.name", "unknown"), PLACES) : off();
    }

    static TerminalAccess find(String system, List<Path> places) {
        if (!system.toLowerCase(Locale.ROOT).equals("linux")) {
            return refused(
                    FailureCode.DRONE_REJECTED,
                    "A drone gives terminals on Linux only; this one runs on " + system + ".");
        }
        Optional<Path> setsid = places.stream().filter(Files::isExecutable).findFirst();
        if (setsid.isEmpty()) {
            return refused(
                    FailureCode.DRONE_REJECTED,
                    "A terminal needs the program 'setsid' (package util-linux), which is not installed where the drone runs.");
        }
        String trouble = tryOut();
        return trouble == null
                ? new TerminalAccess(setsid.get(), null)
                : refused(FailureCode.DRONE_REJECTED, "No terminal can be opened where the drone runs: " + trouble);
    }

    /** Opens one and closes it again; why that does not work, or null. */
    private static @Nullable String tryOut() {
        try {
            PseudoTerminal.open(new Libc(), 80, 24).close();
            return null;
        } catch (IOException | RuntimeException e) {
            return String.valueOf(e.getMessage());
        } catch (Error e) {
            // What a native program says that was built without foreign calls; the drone works without terminals as
            // well.
            return "this build of the drone cannot call the C library (" + e.getMessage()
                    + "). Use one that was built with a whole GraalVM or Mandrel 25, or run it by a JDK.";
        }
    }

    private static TerminalAccess refused(FailureCode code, String why) {
        return new TerminalAccess(null, new Failure(code, why));
    }

    /** In one line, whether they are on. */
    public String report() {
        if (refusal == null) {
            return "Terminals are on: who is signed in as the drone's owner has a shell here, with your rights and outside of the sandbox.";
        }
        return refusal.code() == FailureCode.FORBIDDEN
                ? "Terminals are off (--terminal allows them)."
                : "There are no terminals: " + refusal.message();
    }
}
