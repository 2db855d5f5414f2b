package dev.gadget.drone.tool;

import dev.gadget.drone.policy.RunsLaterGuard;
import dev.gadget.drone.policy.Sandbox;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.model.SessionId;
import dev.gadget.model.process.BackgroundProcess;
import dev.gadget.model.process.ProcessStatus;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Commands that go on while the agent does other things; none outlives the drone. Each belongs to the session whose agent started it:
 * no other one reaches it, or learns what it runs.
 */
@ApplicationScoped
public class BackgroundProcesses {
    private static final int MAX_RUNNING = 8;
    private static final int MAX_KEPT = 4 * MAX_RUNNING;
    private static final int KEPT_EACH = 16 * 1024;
    private static final int MAX_COMMAND_TOLD = 2_000;
    private static final int MAX_LINE_TOLD = 200;
    /** What a person is shown of the output of one. */
    private static final int MAX_SHOWN = 32 * 1024;

    private static final Logger LOG = Logger.getLogger(BackgroundProcesses.class);
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofHours(8);

    /** Without vowels, and what looks like another one: no words, and nothing to mistake. */
    private static final String SIGNS = "bcdfghjkmnpqrstvwxz23456789";

    private final Map<String, Background> processes = new LinkedHashMap<>();
    private final String life;
    private int count;

    /** What this drone names does not come again when it is started again: who has an old list does not stop another process. */
    @Inject
    public BackgroundProcesses() {
        this("-"
                + new SecureRandom()
                        .ints(4, 0, SIGNS.length())
                        .mapToObj(sign -> SIGNS.substring(sign, sign + 1))
                        .collect(Collectors.joining()));
    }

    /** @param life the end of each name */
    public BackgroundProcesses(String life) {
        this.life = life;
    }

    /**
     * The end of what a process printed.
     *
     * @param complete whether it is all of it
     */
    public record Output(String text, boolean complete) {}

    /** One of them. */
    static final class Background {
        private final SessionId session;
        private final String command;
        private final Instant startedAt;
        private final CancelSignal stop = new CancelSignal();
        /** For the agent, which is told everything once; what a person reads takes nothing from it. */
        private HeadAndTail unread = new HeadAndTail(KEPT_EACH);

        private final StringBuilder last = new StringBuilder();
        private boolean cut;
        private boolean byPerson;
        private CommandRun.@Nullable Outcome outcome;
        private @Nullable Instant endedAt;
        private String leftBehind = "";

        Background(SessionId session, String command, Instant startedAt) {
            this.session = session;
            this.command = command;
            this.startedAt = startedAt;
        }

        /** For a person: the agent was told it already. */
        private synchronized void printedBefore(String text) {
            last.insert(0, text);
        }

        private static Instant now() {
            return Instant.now().truncatedTo(ChronoUnit.MILLIS);
        }

        private synchronized void printed(String text) {
            unread.add(text);
            last.append(text);
            if (last.length() > 2 * MAX_SHOWN) {
                last.delete(0, last.length() - MAX_SHOWN);
                cut = true;
            }
        }

        private synchronized void ended(CommandRun.Outcome how, String aside) {
            outcome = how;
            endedAt = now();
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

        private synchronized void stoppedByPerson() {
            byPerson |= outcome == null;
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
                            : byPerson ? "The person stopped it." : "It was stopped.";
            String told = leftBehind;
            leftBehind = "";
            return state + "\n" + (text.isEmpty() ? "[nothing new]" : text) + told;
        }

        private synchronized BackgroundProcess view(String id) {
            CommandRun.Outcome how = outcome;
            Integer exitCode = how != null && how.end() == CommandRun.End.EXITED ? Integer.valueOf(how.status()) : null;
            return new BackgroundProcess(
                    id,
                    HeadAndTail.of(command, MAX_COMMAND_TOLD / 2),
                    startedAt,
                    endedAt,
                    how == null
                            ? ProcessStatus.RUNNING
                            : exitCode == null ? ProcessStatus.STOPPED : ProcessStatus.EXITED,
                    exitCode,
                    lastLine());
        }

        private String lastLine() {
            String text = end(last, MAX_SHOWN).stripTrailing();
            return end(text.substring(text.lastIndexOf('\n') + 1), MAX_LINE_TOLD)
                    .strip();
        }

        private synchronized Output output() {
            return new Output(end(last, MAX_SHOWN), !cut && last.length() <= MAX_SHOWN);
        }

        private static String end(CharSequence text, int most) {
            int from = Math.max(0, text.length() - most);
            // Half a character cannot be sent.
            boolean half = from > 0 && Character.isLowSurrogate(text.charAt(from));
            return text.subSequence(half ? from + 1 : from, text.length()).toString();
        }
    }

    /** Starts one for the session of this call, and gives its name. */
    synchronized String start(ToolInvocation call, String command, Sandbox sandbox) throws IOException {
        // Who ends all of a session stops its turn before: what comes after that would go on for nobody.
        if (call.cancel().cancelled()) {
            throw new ToolFailedException("Not started: the turn was stopped before.");
        }
        SessionId session = call.session();
        Workspace workspace = call.workspace();
        makeRoom();
        List<String> own = running(session);
        int all = (int) processes.values().stream().filter(Background::running).count();
        if (all >= MAX_RUNNING) {
            throw new ToolFailedException(full(own, all - own.size()));
        }
        Background process = new Background(session, command, Background.now());
        Optional<RunsLaterGuard> guard =
                sandbox.works() ? Optional.of(RunsLaterGuard.before(workspace)) : Optional.empty();
        CommandRun run;
        try {
            run = CommandRun.start(command, workspace, sandbox, process::printed, Long.MAX_VALUE);
        } catch (IOException | RuntimeException e) {
            guard.ifPresent(RunsLaterGuard::close);
            throw e;
        }
        return add(process, run, guard);
    }

    /**
     * Takes over a command that runs already, with the guard that was there before it, and gives its name and what it printed until
     * then; empty when as many run as may, or when the call was stopped.
     */
    synchronized Optional<Adopted> adopt(
            ToolInvocation call, String command, CommandRun run, Optional<RunsLaterGuard> guard) {
        makeRoom();
        if (call.cancel().cancelled()
                || processes.values().stream().filter(Background::running).count() >= MAX_RUNNING) {
            return Optional.empty();
        }
        Background process = new Background(call.session(), command, run.startedAt());
        String before = run.handOver(process::printed);
        process.printedBefore(before);
        return Optional.of(new Adopted(add(process, run, guard), before));
    }

    /** What was taken over, and what it had printed. */
    record Adopted(String id, String output) {}

    private String add(Background process, CommandRun run, Optional<RunsLaterGuard> guard) {
        String id = "p" + ++count + life;
        Thread.ofVirtual().name("background-" + id).start(() -> await(run, process, guard));
        processes.put(id, process);
        return id;
    }

    /** Of those that ended the oldest are forgotten. */
    private void makeRoom() {
        List<String> ended = processes.entrySet().stream()
                .filter(entry -> !entry.getValue().running())
                .map(Map.Entry::getKey)
                .toList();
        ended.subList(0, Math.clamp((long) processes.size() - MAX_KEPT + 1, 0, ended.size()))
                .forEach(processes::remove);
    }

    private static String full(List<String> own, int others) {
        String full = "There run " + MAX_RUNNING + " processes already, which is as many as a drone runs. ";
        String foreign = others == 0
                ? ""
                : others + (own.isEmpty() ? "" : " more") + " belong to other sessions of this workspace: only the"
                        + " person can stop those, in their sessions.";
        return full
                + (own.isEmpty() ? "" : "Stop one first: " + String.join(", ", own) + "." + (others == 0 ? "" : " "))
                + foreign;
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

    /** The names of those of this session that run, with their commands. */
    synchronized List<String> running(SessionId session) {
        return of(session)
                .filter(entry -> entry.getValue().running())
                .map(entry -> entry.getKey() + " (" + entry.getValue().command + ")")
                .toList();
    }

    private Stream<Map.Entry<String, Background>> of(SessionId session) {
        return processes.entrySet().stream()
                .filter(entry -> entry.getValue().session.equals(session));
    }

    synchronized Background find(SessionId session, String id) {
        return own(session, id.strip())
                .orElseThrow(() -> new ToolFailedException("There is no process `" + id + "`. "
                        + (running(session).isEmpty()
                                ? "None runs."
                                : "There run: " + String.join(", ", running(session)) + ".")));
    }

    private synchronized Optional<Background> own(SessionId session, String id) {
        return Optional.ofNullable(processes.get(id)).filter(process -> process.session.equals(session));
    }

    /** Ends it with all that it started. */
    String stop(SessionId session, String id, CancelSignal cancel) throws InterruptedException {
        Background process = find(session, id);
        process.stop.cancel();
        return process.news(Duration.ofSeconds(10), cancel);
    }

    /** Those of a session, also the latest that ended, in the order of their start. */
    public synchronized List<BackgroundProcess> list(SessionId session) {
        return of(session).map(entry -> entry.getValue().view(entry.getKey())).toList();
    }

    /** What a process of this session printed last; the agent is told it all the same. Empty when there is no such process. */
    public Optional<Output> output(SessionId session, String id) {
        return own(session, id).map(Background::output);
    }

    /** Ends it for a person, and tells how it stands then. Of one that is over nothing changes; empty when there is no such process. */
    public Optional<BackgroundProcess> stopForPerson(SessionId session, String id) throws InterruptedException {
        Optional<Background> process = own(session, id);
        if (process.isPresent()) {
            process.get().stoppedByPerson();
            process.get().stop.cancel();
            process.get().awaitEnd(System.nanoTime() + STOPS_WITHIN.toNanos());
        }
        return process.map(one -> one.view(id));
    }

    /** Ends all that run for a session that is gone, or put away. */
    public void stopAll(SessionId session) {
        List<Background> own;
        synchronized (this) {
            own = of(session).map(Map.Entry::getValue).toList();
        }
        own.forEach(Background::stoppedByPerson);
        own.forEach(process -> process.stop.cancel());
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
