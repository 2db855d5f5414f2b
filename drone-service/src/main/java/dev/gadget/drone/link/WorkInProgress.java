package dev.gadget.drone.link;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.workspace.HeldOrder;
import dev.gadget.drone.workspace.PrivateFile;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.HeldWork;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The one order that the drone holds: its files, the thread that works on it, and how far it has been sent. */
final class WorkInProgress {
    private static final Logger LOG = Logger.getLogger(WorkInProgress.class);

    private final WorkspaceStore workspace;
    private final Journal journal;
    private final Path journalFile;
    private final News news;
    private final JournaledReport report;
    private final Decisions decisions = new Decisions();
    private final boolean complete;
    private final CancelSignal cancel = new CancelSignal();

    private HeldOrder order;
    private @Nullable Thread worker;
    private @Nullable WorkEntry lastWord;
    /** Whether this process took it on, and not one before. */
    private boolean alive;

    private boolean gaveUp;
    private boolean released;
    private boolean held;
    private long sentSeq;

    private WorkInProgress(
            WorkspaceStore workspace,
            HeldOrder order,
            Journal journal,
            Path journalFile,
            ScheduledExecutorService timer,
            News news)
            throws IOException {
        this.workspace = workspace;
        this.order = order;
        this.journal = journal;
        this.journalFile = journalFile;
        this.news = news;
        this.report = new JournaledReport(journal, timer, news);
        this.complete = journal.ends();
    }

    /** Keeps an order that was just offered: when this returns it survives a crash. */
    static WorkInProgress accept(
            WorkspaceStore workspace, HeldOrder order, ObjectMapper mapper, ScheduledExecutorService timer, News news)
            throws IOException {
        Path file = file(workspace, order.workOrderId());
        workspace.folder().remove(file);
        workspace.folder().remove(WorkedTime.besides(file));
        Journal journal = Journal.open(file, mapper);
        try {
            PrivateFile.settle(file);
            workspace.hold(order);
            var work = new WorkInProgress(workspace, order, journal, file, timer, news);
            work.alive = true;
            return work;
        } catch (IOException e) {
            journal.close();
            throw e;
        }
    }

    /** Finds what was held when the drone stopped. */
    static WorkInProgress found(
            WorkspaceStore workspace, HeldOrder order, ObjectMapper mapper, ScheduledExecutorService timer, News news)
            throws IOException {
        Path file = file(workspace, order.workOrderId());
        if (!Files.exists(file)) {
            return lost(workspace, order, "The journal of this turn is gone.", mapper, timer, news);
        }
        try {
            return new WorkInProgress(workspace, order, Journal.open(file, mapper), file, timer, news);
        } catch (Journal.DamagedException e) {
            Path aside = workspace.folder().setAside(file);
            LOG.warnf("%s; it is kept as %s", e.getMessage(), aside.getFileName());
            return lost(workspace, order, "The journal of this turn is damaged.", mapper, timer, news);
        }
    }

    /** Noted in the order first: a crash after this must not find an empty journal, and begin from the start. */
    private static WorkInProgress lost(
            WorkspaceStore workspace,
            HeldOrder order,
            String why,
            ObjectMapper mapper,
            ScheduledExecutorService timer,
            News news)
            throws IOException {
        HeldOrder lost = order.lost(why);
        workspace.hold(lost);
        Path file = file(workspace, order.workOrderId());
        return new WorkInProgress(workspace, lost, Journal.open(file, mapper), file, timer, news);
    }

    private static Path file(WorkspaceStore workspace, WorkOrderId order) {
        return workspace.folder().journals().resolve(order.value() + ".journal");
    }

    WorkOrderId id() {
        return order.workOrderId();
    }

    synchronized HeldOrder order() {
        return order;
    }

    synchronized HeldWork held() {
        return new HeldWork(
                order.workOrderId(),
                order.turnId(),
                order.attempt(),
                order.fence(),
                journal.lastSeq(),
                alive,
                isOver());
    }

    /** Whether its end is said: it only waits to be released. */
    synchronized boolean isOver() {
        return complete || report.complete() || gaveUp || order.error() != null;
    }

    /** What the turn used, when it is this process that worked on it and it finished. */
    @Nullable
    Usage finishedWith() {
        return report.finishedWith();
    }

    /** Begins, or goes on with what the journal holds; a second call does nothing. */
    synchronized void start(WorkOrderRunner runner) {
        // Also of one that is complete: from here on its connection may come and go like that of one that runs.
        alive = true;
        if (worker != null || released || complete || gaveUp || lastWord != null) {
            return;
        }
        try {
            List<WorkEntry> earlier = journal.entries();
            decisions.taken(earlier);
            worker = Thread.ofVirtual().name("turn-" + order.turnId()).start(() -> run(runner, earlier));
        } catch (IOException e) {
            LOG.errorf(e, "the journal of turn %s cannot be read", order.turnId());
            giveUp(FailureCode.JOURNAL_FAILED, "The drone cannot read its journal (" + e.getMessage() + ").");
        }
    }

    private void run(WorkOrderRunner runner, List<WorkEntry> earlier) {
        JournaledReport current = report;
        try {
            runner.run(order().order(), earlier, current, decisions, cancel);
            if (!current.over()) {
                throw new IllegalStateException("the agent returned without an end of the turn");
            }
        } catch (JournaledReport.JournalFailedException e) {
            LOG.errorf(e, "turn %s cannot go on", order().turnId());
            giveUp(
                    FailureCode.JOURNAL_FAILED,
                    "The drone cannot write its journal (" + e.getMessage()
                            + "). Free some space on its disk; what came is kept.");
        } catch (RuntimeException e) {
            if (!current.over()) {
                LOG.errorf(e, "turn %s failed inside the drone", order().turnId());
                fail(current);
            }
        }
    }

    private void fail(JournaledReport current) {
        var failure =
                new Failure(FailureCode.INTERNAL, "The drone failed inside. Its log .gadget/logs/drone.log says why.");
        try {
            current.complete(TurnStatus.FAILED, failure, Usage.NONE);
        } catch (RuntimeException e) {
            giveUp(failure.code(), failure.message());
        }
    }

    /** Ends it without the agent; an end that cannot be journaled is still told. */
    private void giveUp(FailureCode code, String message) {
        report.abandon();
        synchronized (this) {
            var last = new WorkEntry.WorkOrderComplete(
                    journal.lastSeq() + 1, TurnStatus.FAILED, new Failure(code, message), Usage.NONE);
            try {
                journal.append(last);
                journal.force();
                gaveUp = true;
            } catch (IOException e) {
                LOG.warnf("the end of turn %s is told and not journaled: %s", order.turnId(), e.getMessage());
                lastWord = last;
            }
        }
        news.wake();
    }

    /** Goes on under another lease; on disk before anything is said under it. */
    synchronized void under(int attempt, long fence) throws IOException {
        if (order.attempt() != attempt || order.fence() != fence) {
            HeldOrder next = order.under(attempt, fence);
            workspace.hold(next);
            order = next;
        }
    }

    /**
     * Ends it under a lease that cannot be kept in the files: that is told all the same, so that nobody waits for work that goes on
     * nowhere. What is complete is only told.
     */
    synchronized void giveUpUnder(int attempt, long fence, long fromSeq, String why) {
        order = order.under(attempt, fence);
        if (!complete) {
            journal.skipTo(fromSeq - 1);
            giveUp(
                    FailureCode.JOURNAL_FAILED,
                    "The drone cannot write its recovery files (" + why
                            + "). Free some space on its disk, and prompt again to go on; what came is kept.");
        }
        sendFrom(fromSeq);
    }

    /**
     * Goes on after a restart, with what the service lacks. When it has more than the journal, whose end was torn, then that was part of
     * a response which is asked for again: before a tool runs all is on the disk.
     */
    synchronized void takeUp(long fromSeq) throws IOException {
        String lost = order.error();
        if (lost != null && !complete) {
            journal.skipTo(fromSeq - 1);
            giveUp(
                    FailureCode.JOURNAL_FAILED,
                    lost + " What ran last is not known, so that nothing is run again; prompt again to go on.");
        } else if (journal.lastSeq() < fromSeq - 1 && !held().complete()) {
            LOG.warnf(
                    "the journal of turn %s ends at %d, but the service has %d",
                    order.turnId(), journal.lastSeq(), fromSeq - 1);
            int cut = firstRoundNotWhole(journal.entries());
            journal.skipTo(fromSeq - 1);
            report.roundSuperseded(cut);
        }
        sendFrom(fromSeq);
    }

    private static int firstRoundNotWhole(List<WorkEntry> entries) {
        int last = 0;
        boolean whole = true;
        for (WorkEntry entry : entries) {
            if (entry instanceof WorkEntry.RoundStarted started && started.parent() == null) {
                last = started.round();
                whole = false;
            } else if (entry instanceof WorkEntry.UsageReported) {
                // Once for the round itself, before its tools, and as often as a second agent tells it.
                whole = true;
            }
        }
        return whole ? last + 1 : last;
    }

    synchronized void sendFrom(long fromSeq) {
        sentSeq = Math.max(0, fromSeq - 1);
        held = false;
        news.wake();
    }

    /** The connection is gone: nothing is sent until the service says from where on. */
    synchronized void holdBack() {
        held = true;
        decisions.forgetPrompts();
    }

    /** What is to be sent next, as JSON, and the number after which it ends; null when all is sent. */
    synchronized Journal.@Nullable Batch next(int bytes) throws IOException {
        if (released || held) {
            return null;
        }
        if (journal.lastSeq() > sentSeq) {
            Journal.Batch batch = journal.batch(sentSeq + 1, bytes);
            sentSeq = batch.lastSeq();
            return batch;
        }
        WorkEntry last = lastWord;
        if (last != null && last.seq() > sentSeq) {
            sentSeq = last.seq();
            return new Journal.Batch(List.of(journal.json(last)), last.seq());
        }
        return null;
    }

    void cancel() {
        cancel.cancel();
    }

    void stopCall(String callId) {
        decisions.stopCall(callId);
    }

    void decide(String callId, WorkOrderRunner.Decision decision) {
        decisions.decide(callId, decision);
    }

    /** Passes on what the person said into the turn; not what was meant for a lease that is over. */
    void steer(DroneCommand.SteerTurn said) {
        if (said.fence() == order().fence()) {
            decisions.steer(said.promptId(), said.prompt());
        }
    }

    /** The order is done with: stops what may still run, and removes its files. */
    void release() throws IOException, InterruptedException {
        Thread running;
        synchronized (this) {
            released = true;
            running = worker;
        }
        report.detach();
        cancel.cancel();
        if (running != null && running != Thread.currentThread()) {
            running.join(TimeUnit.SECONDS.toMillis(5));
        }
        workspace.letGo();
        journal.close();
        workspace.folder().remove(journalFile);
        workspace.folder().remove(WorkedTime.besides(journalFile));
    }

    /** The drone stops: what runs is stopped too, and taken up from the files later. */
    void leave(long millis) throws InterruptedException, IOException {
        Thread running;
        synchronized (this) {
            running = worker;
        }
        report.detach();
        cancel.cancel();
        if (running != null) {
            running.join(millis);
        }
        journal.force();
        journal.close();
    }
}
