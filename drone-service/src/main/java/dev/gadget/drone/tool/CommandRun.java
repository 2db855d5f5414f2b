package dev.gadget.drone.tool;

import dev.gadget.drone.network.AllowedHosts;
import dev.gadget.drone.network.CommandNetwork;
import dev.gadget.drone.network.HelperProgram;
import dev.gadget.drone.policy.InsideCommands;
import dev.gadget.drone.policy.LocalPolicy;
import dev.gadget.drone.policy.Sandbox;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.process.PlainText;
import dev.gadget.drone.process.ProcessMarks;
import dev.gadget.drone.process.ProcessTree;
import dev.gadget.drone.process.SandboxThread;
import dev.gadget.drone.provider.CancelSignal;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One shell command, from its start until nothing of it is left. */
final class CommandRun {
    private static final int KEPT_EACH = 16 * 1024;
    private static final int MAX_LIVE = 256 * 1024;
    private static final String SETSID = "/usr/bin/setsid";
    private static final Duration DRAIN = Duration.ofSeconds(1);

    /** How it ended. */
    enum End {
        EXITED,
        TIMED_OUT,
        CANCELLED
    }

    /** Who is told what it prints, and how much of it. */
    private record Listener(Consumer<String> output, long most) {}

    /**
     * What came of it.
     *
     * @param status the exit status, which means something only of a command that exited
     * @param leftOvers whether it left processes behind, which were ended
     * @param refusedHosts what of the network it was refused, in words
     */
    record Outcome(End end, int status, String output, boolean leftOvers, List<String> refusedHosts) {
        /** What the model is told of the network that was refused. */
        String refusals() {
            return refusedHosts.isEmpty() ? "" : "\n[the network was refused: " + String.join("; ", refusedHosts) + "]";
        }
    }

    private final Process process;
    private final ProcessTree tree;
    private final @Nullable CommandNetwork network;
    private final HeadAndTail kept = new HeadAndTail(KEPT_EACH);
    private final CountDownLatch drained = new CountDownLatch(1);
    private final Instant startedAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    /** Guarded by what is kept, so that each piece is either kept before a change of hands or told after it. */
    private Listener listener;

    private long live;

    private CommandRun(
            ProcessBuilder command,
            boolean session,
            String mark,
            @Nullable CommandNetwork network,
            Consumer<String> output,
            long maxLive)
            throws IOException {
        this.network = network;
        this.listener = new Listener(output, maxLive);
        try {
            // That thread reads, too: reading a pipe would hold one of the few that carry the virtual ones.
            process = SandboxThread.start(command, running -> {
                read(running);
                drained.countDown();
            });
        } catch (IOException e) {
            closeNetwork();
            throw e;
        }
        tree = new ProcessTree(process.toHandle(), session, mark);
    }

    /** Whose output is told live, up to a bound. */
    static CommandRun start(String command, Workspace workspace, Sandbox sandbox, Consumer<String> output)
            throws IOException {
        return start(command, workspace, sandbox, output, MAX_LIVE);
    }

    /** Whose output is told live up to so many characters. */
    static CommandRun start(String command, Workspace workspace, Sandbox sandbox, Consumer<String> output, long maxLive)
            throws IOException {
        boolean session = Files.isExecutable(Path.of(SETSID));
        List<String> line = new ArrayList<>(session ? List.of(SETSID) : List.of());
        CommandNetwork network = network(command, workspace, sandbox);
        line.addAll(sandbox.wrap(workspace, List.of("/bin/sh", "-c", command), network));
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(workspace.base().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(CommandEnvironment.of(System.getenv()));
        String mark = ProcessMarks.put(builder.environment(), "GADGET_CALL");
        return new CommandRun(builder, session, mark, network, output, maxLive);
    }

    /**
     * The hosts that the owner lets commands reach; null when no sandbox closes the rest. Also where they are none: who is refused at
     * once, by name, does not try again for minutes, and the owner hears what to allow.
     */
    private static @Nullable CommandNetwork network(String command, Workspace workspace, Sandbox sandbox)
            throws IOException {
        if (!sandbox.closesNetwork()) {
            return null;
        }
        LocalPolicy local = LocalPolicy.of(workspace.root());
        boolean nothingToTell =
                InsideCommands.allIn(command) || HelperProgram.find().isEmpty();
        return local.networkHosts().isEmpty() && nothingToTell
                ? null
                : CommandNetwork.to(new AllowedHosts(local.networkHosts()), local.fetchHosts());
    }

    private List<String> refusedHosts() {
        return network == null ? List.of() : network.refused();
    }

    private void closeNetwork() {
        if (network != null) {
            network.close();
        }
    }

    /**
     * Waits so long for its end, or until it is stopped. Neither is brought about by the time: whoever does not leave it to others asks
     * {@link #await} next.
     */
    boolean ends(Duration limit, CancelSignal cancel) throws InterruptedException {
        try (CancelSignal.Registration ignored = cancel.onCancel(tree::kill)) {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            tree.kill();
            closeNetwork();
            throw e;
        }
    }

    Instant startedAt() {
        return startedAt;
    }

    /** Tells what it prints from now on to somebody else, all of it, and gives what came before. */
    String handOver(Consumer<String> output) {
        synchronized (kept) {
            listener = new Listener(output, Long.MAX_VALUE);
            return kept.text();
        }
    }

    /** Waits for its end, or brings it about. */
    Outcome await(Duration limit, CancelSignal cancel) throws InterruptedException {
        try (CancelSignal.Registration ignored = cancel.onCancel(tree::kill)) {
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (ended) {
                // What it printed last may still be on the way; what it left running may hold the pipe open for ever.
                drained.await(DRAIN.toMillis(), TimeUnit.MILLISECONDS);
            }
            boolean leftOvers = tree.kill();
            drained.await(DRAIN.toMillis(), TimeUnit.MILLISECONDS);
            End end = cancel.cancelled() ? End.CANCELLED : ended ? End.EXITED : End.TIMED_OUT;
            return new Outcome(end, ended ? process.exitValue() : -1, output(), ended && leftOvers, refusedHosts());
        } finally {
            tree.kill();
            closeNetwork();
        }
    }

    private String output() {
        synchronized (kept) {
            return kept.text();
        }
    }

    private void read(Process running) {
        PlainText plain = new PlainText();
        char[] chars = new char[8192];
        try (Reader text = new InputStreamReader(
                running.getInputStream(),
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPLACE)
                        .onUnmappableCharacter(CodingErrorAction.REPLACE))) {
            for (int count = text.read(chars); count >= 0; count = text.read(chars)) {
                String piece = plain.plain(new String(chars, 0, count));
                Listener now;
                synchronized (kept) {
                    kept.add(piece);
                    now = listener;
                }
                tell(piece, now);
            }
        } catch (IOException e) {
            // The pipe was closed by the kill; what was read is kept.
            return;
        }
    }

    private void tell(String piece, Listener now) {
        if (live >= now.most() || piece.isEmpty()) {
            return;
        }
        long room = now.most() - live;
        live += piece.length();
        try {
            now.output()
                    .accept(
                            piece.length() <= room
                                    ? piece
                                    : piece.substring(0, (int) room) + "\n[more output follows, which is not shown]");
        } catch (RuntimeException e) {
            // Nobody can be told any more; the command is not to hang on a full pipe for that.
            live = now.most();
        }
    }
}
