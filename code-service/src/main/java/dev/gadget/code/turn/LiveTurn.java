package dev.gadget.code.turn;

import dev.gadget.code.store.StoreException;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A turn in memory: the one document of it in this process, whoever writes and however many read. Safe for many threads. */
public final class LiveTurn implements TurnFeed {
    /** Readers that keep up stand at few places; what is more is somebody's making up. */
    private static final int MOST_SHARED = 64;
    /** So do they lack little; a whole block is not kept for each place in it. */
    private static final int MOST_SHARED_CHARS = 16 * 1024;

    private static final Logger LOG = Logger.getLogger(LiveTurn.class);
    private static final long NANOS_OF_A_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition settled = lock.newCondition();
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private final Map<Cursor, TurnUpdate> shared = new HashMap<>();
    private @Nullable TurnUpdate sharedWhole;
    private final Clock clock;
    private final TurnSaver saver;
    private final TurnLife life;
    private final TurnDocument document;

    private String epoch = newEpoch();
    private TurnRecord record;
    private List<SteeredPrompt> storedSteered;
    private boolean saveWanted;
    private boolean saving;
    private boolean dropped;
    private Instant wantedAt;
    private volatile @Nullable TurnId steersInto;
    private volatile boolean offered;
    private TurnStatus told = TurnStatus.PROCESSING;
    private TurnStatus lived;
    private Usage counted;
    /** By the machine's clock that only goes forward; 0 while the store has all that it is to have. */
    private long unsavedSince;

    LiveTurn(
            TurnRecord stored,
            List<StoredBlock> blocks,
            TurnSaver saver,
            TurnLife life,
            TurnLimits limits,
            Clock clock) {
        this.record = stored;
        this.document = new TurnDocument(stored, blocks, limits);
        this.storedSteered = stored.steered();
        this.saver = saver;
        this.life = life;
        this.clock = clock;
        this.lived = stored.status();
        this.counted = stored.usage();
        this.wantedAt = clock.instant();
    }

    /** What became of a report of a drone. */
    public sealed interface Reported {
        /** All of it is in the document. */
        record Taken() implements Reported {}

        /** Entries before it are missing; nothing after the gap was taken. */
        record Gap(long fromSeq) implements Reported {}

        /** The turn is interrupted: nothing is taken before its drone is greeted again, and says it then. */
        record Away() implements Reported {}

        /** It came under a lease that is over, or for a turn that takes nothing any more. */
        record Outdated() implements Reported {}
    }

    /**
     * Work for the store: taken out under the lock, written without it.
     *
     * @param taken prompts that are a part of this turn from now on, and wait no more
     */
    record Save(List<StoredBlock> blocks, TurnRecord record, List<WorkEntry.Prompted> taken) {}

    @Override
    public TurnId id() {
        return record.id();
    }

    @Override
    public SessionId session() {
        return record.sessionId();
    }

    public UserId owner() {
        return record.ownerId();
    }

    public WorkOrderId workOrder() {
        return record.workOrderId();
    }

    public int attempt() {
        return locked(() -> record.attempt());
    }

    public long fence() {
        return locked(() -> record.fence());
    }

    public @Nullable DroneId drone() {
        return locked(() -> record.droneId());
    }

    public @Nullable WorkspaceId workspace() {
        return locked(() -> record.workspaceId());
    }

    public TurnStatus status() {
        return locked(document::status);
    }

    public long appliedSeq() {
        return locked(document::appliedSeq);
    }

    /** Everything up to this number survives a crash of this process. */
    public long durableSeq() {
        return locked(() -> record.durableSeq());
    }

    public Turn toTurn() {
        return locked(document::toTurn);
    }

    /** What the person is asked about this call; null when it does not wait. */
    @Nullable
    ToolApproval approval(String callId) {
        return locked(() -> document.approval(callId));
    }

    /** Keeps what a person decided on a call, also while its drone is away. Stored soon. */
    TurnDocument.Decided decide(String callId, ToolDecision decision) {
        return decide(callId, decision, false);
    }

    /** The same; with {@code rulesFirst} neither told nor stored before {@link #rulesTaken}. */
    TurnDocument.Decided decide(String callId, ToolDecision decision, boolean rulesFirst) {
        var outcome = locked(() -> {
            var decided = dropped ? TurnDocument.Decided.NOT_ASKED : document.decide(callId, decision, rulesFirst);
            if (decided == TurnDocument.Decided.TAKEN) {
                wantSave();
                changed();
            }
            return decided;
        });
        afterChange();
        return outcome;
    }

    /** The rules that go with the decision on this call stand: the drone may be told. */
    void rulesTaken(String callId) {
        change(() -> document.rulesTaken(callId));
    }

    /** Whether the drone may be told what was decided on this call. */
    boolean mayTell(String callId) {
        return locked(() -> document.decisions().containsKey(callId));
    }

    /** Takes back a decision that was kept just now. */
    void undecide(String callId) {
        change(() -> document.undecide(callId));
    }

    /** What was decided on calls that still wait, for a drone that may not have heard of it. */
    public List<DroneCommand.DecideApproval> decisions() {
        return locked(() -> commands(document.decisions()));
    }

    /** What was decided on calls that the drone asked about again. */
    public List<DroneCommand.DecideApproval> takeAnswered() {
        return locked(() -> commands(document.takeAnswered()));
    }

    private List<DroneCommand.DecideApproval> commands(Map<String, ToolDecision> decisions) {
        return decisions.entrySet().stream()
                .map(one -> one.getValue().command(record.workOrderId(), one.getKey()))
                .toList();
    }

    /** The tool that this call is of; empty when there is no such call. */
    String toolName(String callId) {
        return locked(() -> document.toolName(callId));
    }

    /** How far this call is; null when there is no such call. */
    @Nullable
    ToolCallState callState(String callId) {
        return locked(() -> document.callState(callId));
    }

    /** What it changed in files; null when that is nothing. */
    @Nullable
    TurnFiles files() {
        return locked(document::files);
    }

    /** Its file changes were undone, or done again. */
    void undone(boolean now) {
        change(() -> {
            TurnFiles files = document.files();
            if (files != null) {
                document.files(files.undone(now));
            }
        });
    }

    /** Whether the turn was deleted or taken over elsewhere, so that nothing of it may be written. */
    public boolean dropped() {
        return locked(() -> dropped);
    }

    @Override
    public boolean gone() {
        return dropped();
    }

    /** A drone was offered it, or has answered. */
    public void offered(boolean open) {
        offered = open;
        if (!open) {
            watchers.forEach(Runnable::run);
        }
    }

    @Override
    public boolean offered() {
        return offered && status() == TurnStatus.QUEUED;
    }

    /** Takes what a drone says under this attempt and fence. */
    public Reported report(int attempt, long fence, List<WorkEntry> entries) {
        Reported outcome = locked(() -> {
            boolean outdated = dropped || fence != record.fence() || attempt != record.attempt();
            if (outdated) {
                return new Reported.Outdated();
            }
            return document.status() == TurnStatus.INTERRUPTED ? new Reported.Away() : apply(entries);
        });
        if (outcome instanceof Reported.Taken || outcome instanceof Reported.Gap) {
            afterChange();
        }
        return outcome;
    }

    private Reported apply(List<WorkEntry> entries) {
        long before = document.appliedSeq();
        Reported outcome = applyAll(entries);
        life.said(document.appliedSeq() - before);
        changed();
        return outcome;
    }

    private Reported applyAll(List<WorkEntry> entries) {
        for (WorkEntry entry : entries) {
            switch (document.apply(entry, clock)) {
                case KNOWN, GREW -> {}
                case BOUNDARY -> wantSave();
                case FULL -> {
                    LOG.warnf("turn is ended because too much came of it turnId=%s droneId=%s", id(), record.droneId());
                    outdateLease();
                    wantSave();
                }
                case GAP -> {
                    return new Reported.Gap(document.appliedSeq() + 1);
                }
            }
        }
        return new Reported.Taken();
    }

    /** Gives the turn to a drone under a new lease; nothing under an older one is taken from now on. Stored soon. */
    public void lease(DroneId drone, WorkspaceId workspace, int attempt, long fence) {
        change(() -> {
            record = record.leased(drone, workspace, attempt, fence);
            document.attempt(attempt);
            if (document.status() == TurnStatus.INTERRUPTED) {
                document.reopen();
            }
        });
    }

    /** Takes an interrupted turn up again under the lease that it had. */
    public void reopen() {
        change(() -> {
            if (document.status() == TurnStatus.INTERRUPTED) {
                document.reopen();
            }
        });
    }

    /** Ends it from this side; a drone that still works on it finds its lease outdated. */
    public void end(TurnStatus status, @Nullable Failure why) {
        change(() -> {
            if (!document.status().ended()) {
                outdateLease();
                document.end(status, why, clock.instant());
            }
        });
    }

    /** What is stored of it, apart from its blocks, as it stands. */
    TurnRecord record() {
        return locked(() -> document.toRecord(record));
    }

    /** Whether it waits for its session or for a drone. */
    boolean waits() {
        return locked(() -> !dropped && record.waits() && document.status() == TurnStatus.QUEUED);
    }

    /** From now on the drone may take it into this turn that runs. */
    void steerInto(TurnId running) {
        steersInto = running;
    }

    /**
     * Lets the drone take these words of a prompt that waits into this turn; false when too many are on their way already. Stored before
     * the drone is told of them: after a crash nothing else says that a person said them.
     */
    boolean steer(TurnId prompt, String words, Duration atMost) throws InterruptedException {
        SteeredPrompt steered = SteeredPrompt.of(prompt, words);
        boolean taken = locked(() -> {
            boolean room = !dropped && document.steer(steered);
            if (room) {
                wantSave();
            }
            return room;
        });
        afterChange();
        return taken && awaitSteered(steered, atMost);
    }

    private boolean awaitSteered(SteeredPrompt steered, Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while (!storedSteered.contains(steered) && !dropped && left > 0) {
                left = settled.awaitNanos(left);
            }
            return storedSteered.contains(steered);
        } finally {
            lock.unlock();
        }
    }

    boolean steersInto(TurnId running) {
        return running.equals(steersInto);
    }

    String prompt() {
        return locked(() -> record.prompt());
    }

    Instant createdAt() {
        return locked(() -> record.createdAt());
    }

    /** Gives a turn that waits another place in its session; false when it waits no more. */
    boolean moveTo(Instant place) {
        return place.equals(createdAt()) ? waits() : changeWaiting(() -> record.movedTo(place)) != null;
    }

    /** Whether whoever lists the session was told another status than this one, which counts as told now. */
    boolean isNews(TurnStatus status) {
        return locked(() -> {
            // That it begins is told by the one who begins it.
            TurnStatus listed = status == TurnStatus.QUEUED ? TurnStatus.PROCESSING : status;
            boolean news = told != listed;
            told = listed;
            return news;
        });
    }

    /** Gives a turn that waits other words; false when it waits no more. */
    boolean reword(String prompt) {
        return changeWaiting(() -> record.reworded(prompt)) != null;
    }

    /** Keeps a turn that waits for this drone; null when it waits no more. */
    @Nullable
    TurnRecord place(String provider, String model, ReasoningEffort effort, DroneId drone, WorkspaceId workspace) {
        return changeWaiting(() -> record.placed(provider, model, effort, drone, workspace));
    }

    /** Takes it back from a drone that did not begin it: it waits in the place that it had. */
    void waitAgain() {
        changeQueued(() -> !dropped, () -> record.leased(null, null, record.attempt(), record.fence() + 1));
        offered(false);
    }

    private @Nullable TurnRecord changeWaiting(Supplier<TurnRecord> change) {
        return changeQueued(this::waits, change);
    }

    private @Nullable TurnRecord changeQueued(BooleanSupplier may, Supplier<TurnRecord> change) {
        TurnRecord changed = locked(() -> {
            if (document.status() != TurnStatus.QUEUED || !may.getAsBoolean()) {
                return null;
            }
            record = change.get();
            document.origin(record);
            wantSave();
            forgetShared();
            // No step tells of it, so that readers get a snapshot.
            document.log.clear();
            epoch = newEpoch();
            return record;
        });
        afterChange();
        return changed;
    }

    /** Takes back a turn that waits; false when it waits no more. */
    boolean withdraw() {
        return withdraw(TurnLife::withdrawn);
    }

    /** Ends a turn that waits, as a part of that one from now on; false when it waits no more. */
    boolean withdraw(TurnId into) {
        return withdraw(turn -> TurnLife.taken(turn, into));
    }

    private boolean withdraw(Consumer<TurnRecord> told) {
        boolean withdrawn = locked(() -> {
            boolean waits = waits();
            if (waits) {
                document.end(TurnStatus.CANCELLED, null, clock.instant());
                lived = TurnStatus.CANCELLED;
                changed();
                told.accept(record);
            }
            return waits;
        });
        afterChange();
        return withdrawn;
    }

    /** Says that its drone is away; the lease stays, so that the same drone can go on. */
    public void interrupt(Failure why) {
        change(() -> document.interrupt(why, clock.instant()));
    }

    /** Makes an interruption final; one that its drone has taken up again meanwhile keeps its lease. */
    public void settle() {
        change(() -> {
            if (document.mayGoOn()) {
                leave();
                document.settle(clock.instant());
            }
        });
    }

    /** The same for another reason, which is told. */
    public void settle(Failure why) {
        change(() -> settleFor(why));
    }

    private void settleFor(Failure why) {
        if (document.mayGoOn()) {
            leave();
            document.settle(why, clock.instant());
        }
    }

    /** Ends it as interrupted for good, whether its drone works on it or is away; one that no drone has begun is left as it is. */
    public void giveUp(Failure why) {
        change(() -> {
            if (document.status() != TurnStatus.QUEUED) {
                document.interrupt(why, clock.instant());
            }
            settleFor(why);
        });
    }

    /** Without a drone, so that whoever reads it from the store knows that nobody takes it up. */
    private void leave() {
        record = record.leased(null, record.workspaceId(), record.attempt(), record.fence() + 1);
    }

    /** Whether it is interrupted, and goes on when this drone takes it up. */
    public boolean awaits(DroneId drone) {
        return locked(() -> !dropped && document.mayGoOn() && drone.equals(record.droneId()));
    }

    /**
     * Ends it because a person does not want it any more. Its drone may come or go at the same moment: one that is away does not take it up
     * again, and one that is back finds its lease outdated.
     */
    public void cancel() {
        change(() -> {
            if (!document.over()) {
                outdateLease();
                document.cancel(clock.instant());
            }
        });
    }

    /** Forgets it: nothing is written any more. Returns when a write that was on its way is over. */
    public void drop() throws InterruptedException {
        lock.lock();
        try {
            dropped = true;
            long left = TimeUnit.SECONDS.toNanos(10);
            while (saving && left > 0) {
                left = settled.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
        watchers.forEach(Runnable::run);
    }

    /** The store says that it belongs to somebody else, or is gone: nothing is written any more. */
    void abandon() {
        locked(() -> {
            dropped = true;
            return true;
        });
        watchers.forEach(Runnable::run);
    }

    /** Waits until all that is in it is stored and its end, if it came, has been acted on; false when that takes longer. */
    public boolean awaitStored(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while ((saveWanted || saving) && !dropped && left > 0) {
                left = settled.awaitNanos(left);
            }
            return !saveWanted && !saving;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean asks() {
        return locked(document::asks);
    }

    @Override
    public TurnUpdate since(@Nullable Cursor cursor) {
        return locked(() -> {
            if (document.retries()) {
                // What is left of the wait is another for each who comes.
                return TurnReading.since(document, epoch, cursor, clock.instant());
            }
            TurnUpdate known = cursor == null ? null : shared.get(cursor);
            return known == null ? read(cursor) : known;
        });
    }

    /** All cursors that are not known here read the same, and share it. */
    private TurnUpdate read(@Nullable Cursor cursor) {
        if (cursor != null && !TurnReading.known(document, epoch, cursor)) {
            TurnUpdate whole =
                    sharedWhole == null ? TurnReading.since(document, epoch, null, clock.instant()) : sharedWhole;
            sharedWhole = whole;
            return whole;
        }
        TurnUpdate update = TurnReading.since(document, epoch, cursor, clock.instant());
        if (cursor != null && shared.size() < MOST_SHARED && update.textLength() <= MOST_SHARED_CHARS) {
            shared.put(cursor, update);
        }
        return update;
    }

    private void forgetShared() {
        shared.clear();
        sharedWhole = null;
    }

    @Override
    public Watch onChange(Runnable wake) {
        watchers.add(wake);
        return () -> watchers.remove(wake);
    }

    /** What the store lacks, for the one thread that stores this turn; null when there is nothing (left) to do. */
    @Nullable
    Save takeSave() {
        return locked(() -> {
            if (!saveWanted || dropped) {
                saving = false;
                unsavedSince = 0;
                settled.signalAll();
                return null;
            }
            saveWanted = false;
            saving = true;
            return new Save(document.takeUnsaved(), document.toRecord(record), document.takePrompts());
        });
    }

    /** Whether nothing is to be written; it then needs a saver again as soon as something is. */
    boolean restsNow() {
        return locked(() -> {
            if (saveWanted && !dropped) {
                return false;
            }
            saving = false;
            unsavedSince = 0;
            settled.signalAll();
            return true;
        });
    }

    /** The store has it. */
    void stored(Save save) {
        locked(() -> {
            storedSteered = save.record().steered();
            settled.signalAll();
            // A lease given meanwhile is newer than what was stored.
            record = document.toRecord(record)
                    .stored(save.record().durableSeq(), save.record().version() + 1);
            if (saveWanted) {
                unsavedSince = now();
            }
            // Else it rests soon, unless what has to follow fails: then it has waited since the same moment.
            return record;
        });
    }

    /**
     * The store takes some of its blocks never: notes stand for them, and the turn, if it still ran, has failed. False when nothing that
     * could be left out is left.
     */
    boolean refused(Save save, Collection<Integer> blocks, StoreException why) {
        boolean helps = locked(() -> {
            if (!document.status().ended()) {
                outdateLease();
                document.end(TurnStatus.FAILED, refusal(why), clock.instant());
            }
            boolean left = document.refused(
                    blocks, "[This part is not kept: the store does not take it. " + why.getMessage() + ".]");
            document.putBack(save.blocks());
            document.putBackPrompts(save.taken());
            wantSave();
            changed();
            // No step takes back what was said, so that readers get a snapshot.
            document.log.clear();
            epoch = newEpoch();
            return left;
        });
        afterChange();
        return helps;
    }

    private static Failure refusal(StoreException why) {
        return new Failure(
                why.code(),
                "The store does not take a part of this turn, so that it ended: " + why.getMessage()
                        + ". What else came is kept; prompt again to go on.");
    }

    /** The store did not take it; it is to be tried again. */
    void notStored(Save save) {
        locked(() -> {
            document.putBack(save.blocks());
            document.putBackPrompts(save.taken());
            wantSave();
            return save;
        });
    }

    /** Whether a thread has to be started that stores; the caller starts it then. */
    boolean claimSaver() {
        return locked(() -> {
            if (!saveWanted || saving || dropped) {
                return false;
            }
            saving = true;
            return true;
        });
    }

    /** Somebody does something with it soon. */
    void keep() {
        locked(() -> wantedAt = clock.instant());
    }

    /**
     * Whether it can leave the memory: it has ended and was wanted here long enough ago, perhaps by a drone that is just taking it up
     * again or by a reader that does not watch it yet, nothing of it waits for the store, and nobody waits for it to go on.
     */
    boolean restsSince(Instant moment) {
        return locked(() -> {
            Instant finishedAt = document.finishedAt();
            boolean rests = finishedAt != null && finishedAt.isBefore(moment) && wantedAt.isBefore(moment);
            boolean awaited = !document.over() && !watchers.isEmpty();
            return dropped || (rests && !awaited && !saveWanted && !saving);
        });
    }

    private void change(Runnable action) {
        locked(() -> {
            if (!dropped) {
                action.run();
                wantSave();
                changed();
            }
            return saveWanted;
        });
        afterChange();
    }

    private void wantSave() {
        saveWanted = true;
        if (unsavedSince == 0) {
            unsavedSince = now();
        }
    }

    /** Never 0. */
    private static long now() {
        return System.nanoTime() | 1;
    }

    /** What its drone said that is not stored. */
    public long unsavedEntries() {
        return locked(() -> document.appliedSeq() - record.durableSeq());
    }

    /** How long something of it has been waiting for the store. */
    public double unsavedSeconds() {
        return locked(() ->
                unsavedSince == 0 || dropped ? 0 : (System.nanoTime() - unsavedSince) / (double) NANOS_OF_A_SECOND);
    }

    private void live() {
        Usage used = document.usage();
        if (!used.equals(counted)) {
            life.used(counted, used);
            counted = used;
        }
        TurnStatus now = document.status();
        if (now != lived) {
            TurnStatus before = lived;
            lived = now;
            life.turned(document.toRecord(record), before);
        }
    }

    private void changed() {
        live();
        forgetShared();
        if (document.log.full()) {
            document.log.clear();
            epoch = newEpoch();
        }
    }

    private void afterChange() {
        watchers.forEach(Runnable::run);
        if (claimSaver()) {
            saver.save(this);
        }
    }

    /** What the drone still says under the lease that it has is not taken any more. */
    private void outdateLease() {
        record = record.leased(record.droneId(), record.workspaceId(), record.attempt(), record.fence() + 1);
    }

    private static String newEpoch() {
        return UUID.randomUUID().toString().substring(0, 8);
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
