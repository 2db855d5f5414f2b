package dev.gadget.drone.tool;

import dev.gadget.drone.policy.RunsLaterGuard;
import dev.gadget.drone.policy.Sandbox;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Commands that go on while the agent does other things; none outlives the drone. */
@ApplicationScoped
public class BackgroundProcesses {
    private static final int MAX_RUNNING = 8;
    private static final int KEPT_EACH = 16 * 1024;
    private static final Logger LOG = Logger.getLogger(BackgroundProcesses.class);
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofHours(8);

    private final Map<String, Background> processes = new LinkedHashMap<>();
    private int count;

    /** One of them. */
    static final class Background {
        private final String command;
        private final CancelSignal stop = new CancelSignal();
        private HeadAndTail unread = new HeadAndTail(KEPT_EACH);
        private CommandRun.@Nullable Outcome outcome;
        private String leftBehind = "";

        Background(String command) {
            this.command = command;
        }

        private synchronized void printed(String text) {
            unread.add(text);
        }

        private synchronized void ended(CommandRun.Outcome how, String aside) {
            outcome = how;
            leftBehind = how.refusals() + aside;
            notifyAll();
        }

        private synchronized void awaitEnd(long deadline) throws InterruptedException {
            for (long rest = deadline - System.nanoTime();
                    outcome == null && rest > 0;
                    rest = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, rest);
            }
        }

        synchronized boolean running() {
            return outcome == null;
        }

        /** What it printed since it was last asked, and how it stands; waits so long for an end, unless it is stopped. */
        String news(Duration wait, CancelSignal cancel) throws InterruptedException {
            try (CancelSignal.Registration _ = cancel.onCancel(this::wake)) {
                return news(System.nanoTime() + wait.toNanos(), cancel);
            }
        }

        private synchronized void wake() {
            notifyAll();
        }

        private synchronized String news(long end, CancelSignal cancel) throws InterruptedException {
            for (long rest = end - System.nanoTime();
                    outcome == null && rest > 0 && !cancel.cancelled();
                    rest = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, rest);
            }
            String text = unread.text();
            unread = new HeadAndTail(KEPT_EACH);
            CommandRun.Outcome how = outcome;
            String state = how == null
                    ? "It runs."
                    : how.end() == CommandRun.End.EXITED
                            ? "It ended with exit code " + how.status() + "."
                            : "It was stopped.";
            String told = leftBehind;
            leftBehind = "";
            return state + "\n" + (text.isEmpty() ? "[nothing new]" : text) + told;
        }
    }

    /** Starts one, and gives its name. */
    synchronized String start(String command, Workspace workspace, Sandbox sandbox) throws IOException {
        processes.values().removeIf(process -> !process.running() && processes.size() > 4 * MAX_RUNNING);
        List<String> running = running();
        if (running.size() >= MAX_RUNNING) {
            throw new ToolFailedException("There run " + MAX_RUNNING + " processes already. Stop one first: "
                    + String.join(", ", running) + ".");
        }
        String id = "p" + ++count;
        Background process = new Background(command);
        Optional<RunsLaterGuard> guard =
                sandbox.works() ? Optional.of(RunsLaterGuard.before(workspace)) : Optional.empty();
        CommandRun run;
        try {
            run = CommandRun.start(command, workspace, sandbox, process::printed, Long.MAX_VALUE);
        } catch (IOException | RuntimeException e) {
            guard.ifPresent(RunsLaterGuard::close);
            throw e;
        }
        Thread.ofVirtual().name("background-" + id).start(() -> await(run, process, guard));
        processes.put(id, process);
        return id;
    }

    private static void await(CommandRun run, Background process, Optional<RunsLaterGuard> guard) {
        try {
            CommandRun.Outcome outcome = run.await(LONGEST, process.stop);
            process.ended(outcome, guard.isPresent() ? told(guard.get()) : "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            guard.ifPresent(RunsLaterGuard::close);
        }
    }

    private static String told(RunsLaterGuard guard) {
        try {
            return guard.told();
        } catch (IOException e) {
            LOG.warnf(e, "what a process left behind cannot be set aside");
            return "\n[what it left behind that would run later could not be set aside: " + e.getMessage() + "]";
        }
    }

    /** The names of those that run, with their commands. */
    synchronized List<String> running() {
        return processes.entrySet().stream()
                .filter(entry -> entry.getValue().running())
                .map(entry -> entry.getKey() + " (" + entry.getValue().command + ")")
                .toList();
    }

    synchronized Background find(String id) {
        return Optional.ofNullable(processes.get(id.strip()))
                .orElseThrow(() -> new ToolFailedException("There is no process `" + id + "`. "
                        + (running().isEmpty() ? "None runs." : "There run: " + String.join(", ", running()) + ".")));
    }

    /** Ends it with all that it started. */
    String stop(String id, CancelSignal cancel) throws InterruptedException {
        Background process = find(id);
        process.stop.cancel();
        return process.news(Duration.ofSeconds(10), cancel);
    }

    @PreDestroy
    synchronized void stopAll() {
        processes.values().forEach(process -> process.stop.cancel());
        long end = System.nanoTime() + STOPS_WITHIN.toNanos();
        try {
            // What they leave behind is looked at before the drone goes.
            for (Background process : processes.values()) {
                process.awaitEnd(end);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
