package dev.gadget.drone.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process and all that it started, found in every way there is: as its children, by its session, and by a mark in the
 * environment, which also those have that left the session and whose parents are gone.
 */
public final class ProcessTree {
    private static final String PROC = "/proc";
    private static final int ROUNDS = 20;
    private static final int MAX_ENVIRONMENT = 1 << 20;

    private final Set<ProcessHandle> tops;
    private final @Nullable Long session;
    private final String mark;
    private final Set<ProcessHandle> known = new HashSet<>();

    /**
     * The tree below a process.
     *
     * @param ownSession whether it leads a session of its own
     * @param mark an assignment in its environment that no other process has
     */
    public ProcessTree(ProcessHandle top, boolean ownSession, String mark) {
        this(Set.of(top), ownSession ? Long.valueOf(top.pid()) : null, mark);
    }

    private ProcessTree(Set<ProcessHandle> tops, @Nullable Long session, String mark) {
        this.tops = tops;
        this.session = session;
        this.mark = mark;
    }

    /**
     * Kills all that carries this assignment in its environment, whoever started it, with what that started; what was killed. This
     * process and those that it runs in are left alone: it may have been started from among them.
     */
    public static Set<ProcessHandle> killMarked(String mark) {
        var finder = new ProcessTree(Set.of(), null, mark);
        var tree = new ProcessTree(finder.alive(), null, mark);
        tree.kill();
        return Set.copyOf(tree.known);
    }

    /** Kills all of it; what starts meanwhile is killed in the next round. True when something was alive. */
    public synchronized boolean kill() {
        boolean any = false;
        for (int round = 0; round < ROUNDS; round++) {
            Set<ProcessHandle> alive = alive();
            if (alive.isEmpty()) {
                return any;
            }
            any = true;
            alive.forEach(ProcessHandle::destroyForcibly);
            waitFor(alive);
        }
        return any;
    }

    private Set<ProcessHandle> alive() {
        for (ProcessHandle top : tops) {
            try (Stream<ProcessHandle> below = top.descendants()) {
                below.forEach(known::add);
            }
        }
        known.addAll(tops);
        addFromProc();
        Set<ProcessHandle> alive = new HashSet<>(known);
        alive.removeIf(process -> !process.isAlive() || isZombie(process.pid()));
        return alive;
    }

    private void addFromProc() {
        if (!Files.isDirectory(Path.of(PROC, "self"))) {
            return;
        }
        Set<Long> own = own();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of(PROC), "[0-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                if (!own.contains(pid) && belongs(process)) {
                    ProcessHandle.of(pid).ifPresent(known::add);
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Without the list there are still the children.
            return;
        }
    }

    /** This process and those that it runs in. */
    private static Set<Long> own() {
        Set<Long> own = new HashSet<>();
        for (ProcessHandle one = ProcessHandle.current();
                one != null;
                one = one.parent().orElse(null)) {
            own.add(one.pid());
        }
        return own;
    }

    private boolean belongs(Path process) {
        return session != null && stat(process, 3).equals(session.toString()) || marked(process);
    }

    private boolean marked(Path process) {
        try (var environment = Files.newInputStream(process.resolve("environ"))) {
            String text = new String(environment.readNBytes(MAX_ENVIRONMENT), StandardCharsets.ISO_8859_1);
            return text.startsWith(mark + "\0") || text.contains("\0" + mark + "\0");
        } catch (IOException e) {
            // Another user's, or gone.
            return false;
        }
    }

    private static boolean isZombie(long pid) {
        return stat(Path.of(PROC, String.valueOf(pid)), 0).equals("Z");
    }

    /** A field of the process status, counted from the one after the name. */
    private static String stat(Path process, int field) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", field + 2);
            return fields[field];
        } catch (IOException | RuntimeException e) {
            return "";
        }
    }

    private static void waitFor(Set<ProcessHandle> dying) {
        long end = System.nanoTime() + 100_000_000L;
        while (System.nanoTime() < end
                && dying.stream().anyMatch(process -> process.isAlive() && !isZombie(process.pid()))) {
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                // The killing goes on; whoever interrupts wants it to end sooner.
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
