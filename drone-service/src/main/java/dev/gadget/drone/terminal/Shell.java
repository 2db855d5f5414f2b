package dev.gadget.drone.terminal;

import dev.gadget.drone.process.ProcessMarks;
import dev.gadget.drone.process.ProcessTree;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The program that leads a terminal, and all that it starts. */
final class Shell {
    /**
     * Opens the device for what comes next. It is not opened by the drone itself: a drone that leads a session, as one does that systemd
     * started, would get it for its own terminal.
     */
    private static final String ON_DEVICE = "device=$1; shift; exec \"$0\" -c \"$@\" <\"$device\" >\"$device\" 2>&1";

    private static final Duration EXITS_WITHIN = Duration.ofSeconds(5);

    private final Process process;
    private final ProcessTree tree;

    private Shell(Process process, ProcessTree tree) {
        this.process = process;
        this.tree = tree;
    }

    /** Starts it as the leader of a session whose terminal is this device. */
    static Shell start(
            Path setsid, String device, List<String> program, Path directory, Map<String, String> environment)
            throws IOException {
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", ON_DEVICE, setsid.toString(), device));
        line.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment);
        // What the drone alone is to know.
        builder.environment().keySet().removeIf(name -> name.startsWith("GADGET_"));
        builder.environment().putAll(Map.of("TERM", "xterm-256color", "COLORTERM", "truecolor"));
        String mark = ProcessMarks.put(builder.environment(), "GADGET_TERMINAL_ID");
        Process process = builder.start();
        return new Shell(process, new ProcessTree(process.toHandle(), true, mark));
    }

    /** The owner's own one, else the one that every system has. */
    static List<String> ofOwner() {
        String own = System.getenv("SHELL");
        return List.of(own != null && own.startsWith("/") && Files.isExecutable(Path.of(own)) ? own : "/bin/sh");
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** What it exited with, once it was ended; null when that takes too long. Its terminal may be closed a moment before it is gone. */
    @Nullable
    Integer exitCode() throws InterruptedException {
        return process.waitFor(EXITS_WITHIN.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : null;
    }

    /** Ends it with all that it started, also what went into the background. */
    void kill() {
        tree.kill();
    }
}
