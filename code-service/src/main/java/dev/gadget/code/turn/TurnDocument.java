package dev.gadget.code.turn;

import dev.gadget.code.turn.ChangeLog.Kind;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.BlockMode;
import dev.gadget.model.turn.RoundUsage;
import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStats;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of one turn: a document that only grows. It takes the numbered entries of a drone in order, each once, and knows
 * which of its blocks the store lacks. It does nothing else: no time, no threads, no I/O; its owner sees to those.
 */
public final class TurnDocument {
    /** A longer text goes on in a new block, so that no stored document comes near the store's limit. */
    static final int MAX_BLOCK_CHARS = 2_000_000;

    /** They are written with the record each time. */
    private static final int MOST_ROUND_USAGES = 1_000;

    /** More than any turn comes to: sums and counters stay true beside a drone that says anything. */
    private static final long MOST_TOKENS = 10_000_000_000L;

    /** They are written with the record each time, too. */
    private static final int MOST_STEERED = 100;

    private static final String CUT_NOTE =
            "\n… the rest of this output is not kept: it is longer than " + MAX_BLOCK_CHARS + " characters.";

    /** What became of an entry. */
    public enum Applied {
        /** It was there before: nothing changed. */
        KNOWN,
        /** The document grew. */
        GREW,
        /** The document grew, and what grew should be stored soon: a block closed, a tool call advanced, the turn ended. */
        BOUNDARY,
        /** The document grew to more than is kept of a turn, and is ended for it. */
        FULL,
        /** Entries before it are missing: nothing changed. */
        GAP
    }

    final List<Part> parts = new ArrayList<>();
    final ChangeLog log = new ChangeLog();

    private TurnRecord origin;
    private final TurnLimits limits;
    private final Map<String, Part.Tool> calls = new HashMap<>();
    private final Voice own = new Voice(null);
    private final Map<String, Voice> subagents = new HashMap<>();
    /** Those that said something since they were superseded last, by the rounds of the calls that they work for. */
    private final NavigableMap<Integer, Set<Voice>> hanging = new TreeMap<>();

    private final List<WorkEntry.Prompted> prompts = new ArrayList<>();
    private final List<SteeredPrompt> steered;

    private TurnStatus status;
    private Usage usage;
    private final List<RoundUsage> roundUsages;
    private @Nullable TurnFiles files;
    private @Nullable Failure error;
    private @Nullable Instant finishedAt;
    private boolean settled;
    private long appliedSeq;
    private int toolFailures;
    private int modeTransitions;
    private long thinkingDeltas;
    private long textChars;
    private long chars;
    private int awaiting;
    private int attempt;
    private final List<Part.Tool> answered = new ArrayList<>();
    private @Nullable Retry retry;
    private TurnChange.@Nullable CallGrows growing;

    /** Who speaks, the turn itself or the subagent of one of its calls: of each only the last block can be a text that still grows. */
    private static final class Voice {
        final @Nullable String parent;
        /** What is not superseded of each round. */
        final NavigableMap<Integer, List<Part>> rounds = new TreeMap<>();
        /** Since it began, or since the call that it works for ended. */
        final List<Part.Tool> made = new ArrayList<>();

        int round;
        private @Nullable Part last;

        Voice(@Nullable String parent) {
            this.parent = parent;
            round = parent == null ? 0 : 1;
        }

        Part.@Nullable Text openText() {
            return last instanceof Part.Text text && text.open() ? text : null;
        }

        void add(Part part) {
            last = part;
            rounds.computeIfAbsent(part.round, _ -> new ArrayList<>()).add(part);
            if (part instanceof Part.Tool call) {
                made.add(call);
            }
        }

        /** What there is of this round and later ones, each once. */
        List<Part> takeFrom(int from) {
            NavigableMap<Integer, List<Part>> cut = rounds.tailMap(from, true);
            List<Part> taken = cut.values().stream().flatMap(List::stream).toList();
            cut.clear();
            return taken;
        }
    }

    /** The provider failed and is asked again when it is due. */
    private record Retry(Failure failure, int attempt, Instant due) {}

    /**
     * The document of a stored turn. Blocks are stored before the record that counts them, so after a crash they may be newer than
     * it: what the record does not cover is left out here, and comes again from the drone.
     */
    public TurnDocument(TurnRecord stored, List<StoredBlock> blocks) {
        this(stored, blocks, TurnLimits.STANDARD);
    }

    TurnDocument(TurnRecord stored, List<StoredBlock> blocks, TurnLimits limits) {
        origin = stored;
        this.limits = limits;
        status = stored.status();
        usage = stored.usage();
        roundUsages = new ArrayList<>(stored.roundUsages());
        steered = new ArrayList<>(stored.steered());
        error = stored.error();
        files = stored.files();
        finishedAt = stored.finishedAt();
        settled = !stored.mayGoOn();
        attempt = stored.attempt();
        appliedSeq = stored.durableSeq();
        TurnStats stats = stored.stats();
        toolFailures = stats.toolFailures();
        modeTransitions = stats.modeTransitions();
        thinkingDeltas = stats.thinkingTokenCount();
        textChars = stats.textChars();
        blocks.stream()
                .filter(block -> block.firstSeq() <= appliedSeq)
                .map(Part::from)
                .forEach(this::restore);
        own.round = stats.rounds();
        if (own.last instanceof Part.Text text && stored.openChars() >= 0) {
            text.content.setLength(stored.openChars());
            text.closedAt = null;
        }
    }

    private void restore(Part part) {
        parts.add(part);
        chars += part.chars();
        Voice voice = voice(part.parent);
        voice.add(part);
        voice.round = part.round;
        hang(voice);
        if (!status.ended()) {
            openAgain(part);
        }
        if (part instanceof Part.Tool tool) {
            calls.put(tool.callId, tool);
            tool.askedIn = attempt;
            awaiting += tool.state == ToolCallState.AWAITING_APPROVAL ? 1 : 0;
        }
    }

    /** What the store had of a subagent's text beyond the record comes again when the turn goes on, and is known by its numbers. */
    private void openAgain(Part part) {
        if (part.parent != null && part instanceof Part.Text text && text.lastSeq > appliedSeq) {
            text.closedAt = null;
        }
    }

    public TurnStatus status() {
        return status;
    }

    /** Whether it has ended for good: one that is interrupted goes on when its drone comes back, unless that is settled. */
    boolean over() {
        return status.ended() && !mayGoOn();
    }

    /** Whether its drone is away, and takes it up again when it comes back. */
    boolean mayGoOn() {
        return status == TurnStatus.INTERRUPTED && !settled;
    }

    /** Whether it asks what nobody answered. */
    boolean asks() {
        return status == TurnStatus.AWAITING_APPROVAL
                && calls.values().stream()
                        .anyMatch(call -> call.state == ToolCallState.AWAITING_APPROVAL && call.decision == null);
    }

    /** The last entry that is in it. */
    public long appliedSeq() {
        return appliedSeq;
    }

    /** Takes one entry of the drone, which comes now by this clock. After the end nothing is taken any more. */
    public Applied apply(WorkEntry entry, Clock clock) {
        if (entry.seq() <= appliedSeq) {
            return Applied.KNOWN;
        }
        if (entry.firstSeq() != appliedSeq + 1) {
            return Applied.GAP;
        }
        appliedSeq = entry.seq();
        if (status.ended()) {
            return Applied.GREW;
        }
        if (status == TurnStatus.QUEUED) {
            changeStatus(TurnStatus.PROCESSING);
        }
        if (!(entry instanceof WorkEntry.UsageReported || entry instanceof WorkEntry.FilesChanged)) {
            dropWaits(entry);
        }
        String parent = parent(entry);
        if (parent != null && !calls.containsKey(parent)) {
            // Nobody can work for a call that the turn does not have.
            return Applied.GREW;
        }
        Applied applied = take(entry, clock);
        if (status.ended() || chars <= limits.chars() && parts.size() <= limits.blocks()) {
            return applied;
        }
        end(TurnStatus.FAILED, tooMuch(), clock.instant());
        return Applied.FULL;
    }

    private Failure tooMuch() {
        return new Failure(
                FailureCode.LIMIT_REACHED,
                "The turn was ended because it holds more than is kept of one turn: " + chars + " characters in "
                        + parts.size() + " blocks, while " + limits.chars() + " and " + limits.blocks()
                        + " are allowed. What came is kept; prompt again to go on, or have an administrator raise"
                        + " gadget.turn.max-chars or gadget.turn.max-blocks.");
    }

    private static @Nullable String parent(WorkEntry entry) {
        return switch (entry) {
            case WorkEntry.Thinking text -> text.parent();
            case WorkEntry.Response text -> text.parent();
            case WorkEntry.RoundStarted started -> started.parent();
            case WorkEntry.RoundSuperseded cut -> cut.parent();
            case WorkEntry.ToolCalled called -> called.parent();
            case WorkEntry.Prompted _,
                    WorkEntry.CallGrows _,
                    WorkEntry.ToolAwaitsApproval _,
                    WorkEntry.ToolStarted _,
                    WorkEntry.ToolOutput _,
                    WorkEntry.ToolEnded _,
                    WorkEntry.UsageReported _,
                    WorkEntry.Retrying _,
                    WorkEntry.FilesChanged _,
                    WorkEntry.WorkOrderComplete _ -> null;
        };
    }

    private Applied take(WorkEntry entry, Clock clock) {
        return switch (entry) {
            case WorkEntry.Thinking text ->
                append(voice(text.parent()), BlockMode.THINKING, text, text.content(), clock);
            case WorkEntry.Response text ->
                append(voice(text.parent()), BlockMode.RESPONDING, text, text.content(), clock);
            case WorkEntry.RoundStarted started -> {
                Voice voice = voice(started.parent());
                boolean closed = closeText(voice, clock.instant());
                // A subagent that starts over counts anew.
                voice.round = voice == own ? Math.max(voice.round, started.round()) : started.round();
                yield closed ? Applied.BOUNDARY : Applied.GREW;
            }
            case WorkEntry.RoundSuperseded cut -> supersede(voice(cut.parent()), cut.round(), clock.instant());
            case WorkEntry.Prompted prompted -> say(prompted, clock.instant());
            case WorkEntry.ToolCalled called -> call(called, clock.instant());
            case WorkEntry.ToolAwaitsApproval awaits -> await(awaits, clock.instant());
            case WorkEntry.ToolStarted started -> started(started, clock.instant());
            case WorkEntry.ToolOutput output -> output(output);
            case WorkEntry.ToolEnded ended -> ended(ended, clock.instant());
            case WorkEntry.UsageReported reported -> {
                used(reported.usage());
                log.add(Kind.USAGE, -1);
                yield Applied.GREW;
            }
            case WorkEntry.Retrying retrying -> {
                retry = new Retry(
                        retrying.failure(), retrying.attempt(), clock.instant().plusMillis(retrying.delayMillis()));
                log.add(Kind.RETRYING, -1);
                yield Applied.GREW;
            }
            case WorkEntry.CallGrows grows -> {
                boolean closed = closeText(own, clock.instant());
                growing = new TurnChange.CallGrows(grows.name(), grows.chars());
                log.add(Kind.CALL_GROWS, -1);
                yield closed ? Applied.BOUNDARY : Applied.GREW;
            }
            case WorkEntry.FilesChanged changed -> {
                files(changed.files());
                yield Applied.BOUNDARY;
            }
            case WorkEntry.WorkOrderComplete complete -> {
                used(complete.usage());
                end(complete.status(), complete.failure(), clock.instant());
                yield Applied.BOUNDARY;
            }
        };
    }

    /** What follows is no longer waited for; not every entry has a step of its own that tells a reader so. */
    private void dropWaits(WorkEntry entry) {
        boolean replaced = entry instanceof WorkEntry.Retrying || entry instanceof WorkEntry.CallGrows;
        if (!replaced && (retry != null || growing != null)) {
            log.add(Kind.STATUS, -1);
        }
        retry = null;
        growing = null;
    }

    /** The retry that is waited for, with what is left of the wait; null when there is none. */
    TurnChange.@Nullable Retrying retrying(Instant now) {
        return retry == null
                ? null
                : new TurnChange.Retrying(
                        retry.failure(),
                        retry.attempt(),
                        Math.max(0, Duration.between(now, retry.due()).toMillis()));
    }

    boolean retries() {
        return retry != null;
    }

    /** The call that the model writes; null when it writes none. */
    TurnChange.@Nullable CallGrows growing() {
        return growing;
    }

    /** What it changed in files; also after the end, when this is undone or done again. */
    void files(@Nullable TurnFiles changed) {
        files = changed;
        log.add(Kind.FILES, -1);
    }

    @Nullable
    TurnFiles files() {
        return files;
    }

    /** What the person is asked about this call; null when it does not wait. */
    @Nullable
    ToolApproval approval(String callId) {
        Part.Tool tool = calls.get(callId);
        return tool == null || tool.state != ToolCallState.AWAITING_APPROVAL
                ? null
                : Objects.requireNonNullElse(tool.asked(), new ToolApproval("", null, null));
    }

    /** Its drone works on it in this attempt from now on. */
    void attempt(int next) {
        attempt = next;
    }

    /** What became of a decision. */
    enum Decided {
        TAKEN,
        /** The same was decided before: nothing changed. */
        KNOWN,
        /** Another one was decided before, and stays. */
        OTHER,
        /** The call does not wait, or asks something else by now. */
        NOT_ASKED
    }

    /** Keeps what a person decided on a call until the drone tells what came of it. */
    Decided decide(String callId, ToolDecision decision, boolean rulesFirst) {
        Part.Tool tool = calls.get(callId);
        ToolApproval asked = approval(callId);
        if (tool == null || asked == null || !Objects.equals(asked.shown(), decision.shown())) {
            return Decided.NOT_ASKED;
        }
        if (tool.decision != null) {
            return decision.says(tool.decision) ? Decided.KNOWN : Decided.OTHER;
        }
        tool.awaitsRules = rulesFirst;
        decided(tool, decision.in(tool.askedIn));
        return Decided.TAKEN;
    }

    /** The rules that go with the decision on this call stand. */
    void rulesTaken(String callId) {
        Part.Tool tool = calls.get(callId);
        if (tool != null) {
            tool.awaitsRules = false;
            tool.unsaved = true;
        }
    }

    /** Takes back a decision that was kept just now. */
    void undecide(String callId) {
        Part.Tool tool = calls.get(callId);
        if (tool != null && tool.decision != null) {
            decided(tool, null);
        }
    }

    private void decided(Part.Tool tool, @Nullable ToolDecision decision) {
        tool.decision = decision;
        tool.unsaved = true;
        log.add(Kind.TOOL_AWAITS, tool.index);
    }

    /** The calls that wait and are decided on, with all that goes with that. */
    Map<String, ToolDecision> decisions() {
        Map<String, ToolDecision> decisions = new HashMap<>();
        calls.forEach((callId, tool) -> {
            ToolDecision decided = tool.decided();
            if (tool.state == ToolCallState.AWAITING_APPROVAL && decided != null) {
                decisions.put(callId, decided);
            }
        });
        return decisions;
    }

    /** Those of them that the drone asked about again since this was called last. */
    Map<String, ToolDecision> takeAnswered() {
        if (answered.isEmpty()) {
            return Map.of();
        }
        Map<String, ToolDecision> again = decisions();
        again.keySet().retainAll(answered.stream().map(tool -> tool.callId).toList());
        answered.clear();
        return again;
    }

    /** The tool that this call is of; empty when there is no such call. */
    String toolName(String callId) {
        Part.Tool tool = calls.get(callId);
        return tool == null ? "" : tool.name;
    }

    /** How far this call is; null when there is no such call. */
    @Nullable
    ToolCallState callState(String callId) {
        Part.Tool tool = calls.get(callId);
        return tool == null ? null : tool.state;
    }

    /** Ends it: what is open is closed, what ran is of unknown outcome. Of an ended one nothing changes. */
    public void end(TurnStatus ended, @Nullable Failure why, Instant now) {
        if (status.ended()) {
            return;
        }
        for (Part part : parts) {
            switch (part) {
                // It keeps its numbers: when this end is not stored, what comes again is known by them.
                case Part.Text text -> closeText(text, now);
                case Part.Tool tool ->
                    leave(
                            tool,
                            "Not run: the turn ended before.",
                            "The turn ended while this ran: its outcome is not known.",
                            now);
            }
        }
        settled = true;
        stop(ended, why, now, Kind.END);
    }

    /** Of a call that did not end nothing more comes. */
    private void leave(Part.Tool tool, String notRun, String unknown, Instant now) {
        if (tool.state.ended()) {
            return;
        }
        awaiting -= tool.state == ToolCallState.AWAITING_APPROVAL ? 1 : 0;
        tool.decision = null;
        tool.state = tool.startedAt == null ? ToolCallState.DENIED : ToolCallState.UNKNOWN;
        tool.response = tool.startedAt == null ? notRun : unknown;
        tool.finishedAt = now;
        close(tool, now);
        log.add(Kind.TOOL_STATE, tool.index);
    }

    /** Says that the drone is away. Blocks stay open, because the turn may go on where it was. */
    public void interrupt(Failure why, Instant now) {
        if (!status.ended()) {
            settled = false;
            stop(TurnStatus.INTERRUPTED, why, now, Kind.STATUS);
        }
    }

    /** Takes an interrupted turn up again. */
    public void reopen() {
        if (status != TurnStatus.INTERRUPTED) {
            throw new IllegalStateException("only an interrupted turn goes on, but this one is " + status);
        }
        error = null;
        finishedAt = null;
        parts.forEach(this::openAgain);
        changeStatus(awaiting > 0 ? TurnStatus.AWAITING_APPROVAL : TurnStatus.PROCESSING);
    }

    /** An interrupted turn that nobody takes up again: closes what {@link #interrupt} left open, keeps status and reason. */
    public void settle(Instant now) {
        settleAs(TurnStatus.INTERRUPTED, error, finishedAt == null ? now : finishedAt);
    }

    /** The same, for another reason than that its drone is away. */
    void settle(Failure why, Instant now) {
        settleAs(TurnStatus.INTERRUPTED, why, finishedAt == null ? now : finishedAt);
    }

    /** A turn that a person does not want any more, whether its drone works on it or is away. */
    public void cancel(Instant now) {
        if (status == TurnStatus.INTERRUPTED) {
            settleAs(TurnStatus.CANCELLED, null, now);
        } else {
            end(TurnStatus.CANCELLED, null, now);
        }
    }

    private void settleAs(TurnStatus ended, @Nullable Failure why, Instant when) {
        if (status == TurnStatus.INTERRUPTED) {
            status = TurnStatus.PROCESSING;
            end(ended, why, when);
        }
    }

    /** Takes over what a turn that waits can still change: its words, its model. */
    void origin(TurnRecord changed) {
        origin = changed;
    }

    /** The turn as it stands. */
    public Turn toTurn() {
        return turn(parts.stream().map(Part::toBlock).toList(), status, error, finishedAt);
    }

    /** The turn without its blocks, which follow, and without its end, which comes after them; that its drone is away is no end. */
    Turn beginning() {
        return over() ? turn(List.of(), TurnStatus.PROCESSING, null, null) : turn(List.of(), status, error, finishedAt);
    }

    private Turn turn(List<Block> blocks, TurnStatus shown, @Nullable Failure why, @Nullable Instant end) {
        return new Turn(
                origin.id(),
                origin.sessionId(),
                origin.prompt(),
                shown,
                origin.provider(),
                origin.model(),
                origin.reasoningEffort(),
                blocks,
                usage,
                stats(),
                files,
                why,
                origin.createdAt(),
                end);
    }

    /** The record to store, on top of what was stored last; everything applied so far is durable with it. */
    public TurnRecord toRecord(TurnRecord last) {
        return new TurnRecord(
                last.id(),
                last.sessionId(),
                last.ownerId(),
                last.prompt(),
                status,
                last.provider(),
                last.model(),
                last.reasoningEffort(),
                last.workOrderId(),
                last.droneId(),
                last.workspaceId(),
                last.attempt(),
                last.fence(),
                appliedSeq,
                openChars(),
                usage,
                roundUsages,
                stats(),
                files,
                error,
                last.createdAt(),
                finishedAt,
                steered,
                last.submitted(),
                last.version());
    }

    private int openChars() {
        Part.Text text = own.openText();
        return text == null ? TurnRecord.NOTHING_OPEN : text.content.length();
    }

    /** The blocks that the store lacks; they count as stored from now on. */
    public List<StoredBlock> takeUnsaved() {
        List<StoredBlock> unsaved = new ArrayList<>();
        for (Part part : parts) {
            if (part.unsaved) {
                unsaved.add(part.toStored());
                part.unsaved = false;
            }
        }
        return unsaved;
    }

    /** The store did not take them after all. */
    public void putBack(List<StoredBlock> blocks) {
        blocks.forEach(block -> parts.get(block.block().index()).unsaved = true);
    }

    /** The store takes no such block, ever: what it said is replaced by a note. False when that was done before, and does not help. */
    boolean refused(Collection<Integer> blocks, String note) {
        boolean helps = false;
        for (int index : blocks) {
            helps |= parts.get(index).replaceBy(note);
        }
        return helps;
    }

    void putBackPrompts(List<WorkEntry.Prompted> taken) {
        prompts.addAll(0, taken);
    }

    /** Counts over the blocks so far. */
    public TurnStats stats() {
        return new TurnStats(
                own.round,
                calls.size(),
                toolFailures,
                modeTransitions,
                Math.max(thinkingDeltas, usage.thinkingTokens()),
                textChars);
    }

    Usage usage() {
        return usage;
    }

    @Nullable
    Failure error() {
        return error;
    }

    @Nullable
    Instant finishedAt() {
        return finishedAt;
    }

    /** What the turn has used by now; what is new in it belongs to the round that it is in. */
    private void used(Usage said) {
        Usage now = said.within(MOST_TOKENS);
        var more = new RoundUsage(
                own.round,
                Math.max(0, now.inputTokens() - usage.inputTokens()),
                Math.max(0, now.outputTokens() - usage.outputTokens()),
                Math.max(0, now.thinkingTokens() - usage.thinkingTokens()));
        usage = now;
        if (more.inputTokens() + more.outputTokens() + more.thinkingTokens() == 0) {
            return;
        }
        int last = roundUsages.size() - 1;
        if (last >= 0 && roundUsages.get(last).round() == own.round) {
            roundUsages.set(last, roundUsages.get(last).plus(more));
        } else if (roundUsages.size() < MOST_ROUND_USAGES) {
            roundUsages.add(more);
        }
    }

    private Voice voice(@Nullable String parent) {
        return parent == null ? own : subagents.computeIfAbsent(parent, Voice::new);
    }

    private Applied append(Voice voice, BlockMode mode, WorkEntry entry, String text, Clock clock) {
        if (mode == BlockMode.THINKING) {
            thinkingDeltas += entry.seq() - entry.firstSeq() + 1;
        }
        if (text.isEmpty()) {
            return Applied.GREW;
        }
        textChars += text.length();
        boolean closed = false;
        Part.Text open = voice.openText();
        if (open != null && voice != own && entry.seq() <= open.lastSeq) {
            // After a crash a stored block of a subagent may hold text already that comes again.
            return Applied.GREW;
        }
        if (open == null || open.mode() != mode || open.content.length() + text.length() > MAX_BLOCK_CHARS) {
            Instant now = clock.instant();
            closed = closeText(voice, now);
            open = new Part.Text(parts.size(), voice.round, now, entry.firstSeq(), voice.parent, mode);
            add(voice, open);
        } else if (open.index < parts.size() - 1) {
            // Others speak as well: a cursor tells only how much of the last block a reader has.
            log.add(Kind.TEXT, open.index, open.content.length());
        }
        open.content.append(text);
        chars += text.length();
        open.lastSeq = entry.seq();
        open.unsaved = true;
        return closed ? Applied.BOUNDARY : Applied.GREW;
    }

    private void add(Voice voice, Part part) {
        if (voice == own && voice.last != null && voice.last.mode() != part.mode()) {
            modeTransitions++;
        }
        voice.add(part);
        parts.add(part);
        hang(voice);
    }

    /** A subagent's work counts no longer than that of the call that it works for. */
    private void hang(Voice voice) {
        Part.Tool call = voice.parent == null ? null : calls.get(voice.parent);
        if (call != null) {
            hanging.computeIfAbsent(call.round, _ -> new LinkedHashSet<>()).add(voice);
        }
    }

    /** Lets the drone take these words of a prompt that waits, once; false when too many are on their way already. */
    boolean steer(SteeredPrompt words) {
        if (steered.contains(words)) {
            return true;
        }
        return steered.size() < MOST_STEERED && steered.add(words);
    }

    private Applied say(WorkEntry.Prompted prompted, Instant now) {
        if (!steered.remove(SteeredPrompt.of(prompted.promptId(), prompted.content()))) {
            // Nobody said so: a drone does not put words into a person's mouth.
            return Applied.GREW;
        }
        closeText(own, now);
        var said = new Part.Text(parts.size(), own.round, now, prompted.seq(), null, BlockMode.PROMPT);
        said.content.append(prompted.content());
        chars += prompted.content().length();
        add(own, said);
        closeText(own, now);
        prompts.add(prompted);
        return Applied.BOUNDARY;
    }

    /** The prompts that were taken into the turn, and are not known to be stored there yet. */
    List<WorkEntry.Prompted> takePrompts() {
        List<WorkEntry.Prompted> taken = List.copyOf(prompts);
        prompts.clear();
        return taken;
    }

    private Applied call(WorkEntry.ToolCalled called, Instant now) {
        Voice voice = voice(called.parent());
        closeText(voice, now);
        var tool = new Part.Tool(
                parts.size(),
                voice.round,
                now,
                called.seq(),
                voice.parent,
                called.callId(),
                called.name(),
                called.parameters());
        add(voice, tool);
        chars += Part.chars(called.parameters());
        calls.put(called.callId(), tool);
        log.add(Kind.TOOL_STATE, tool.index);
        return Applied.BOUNDARY;
    }

    private Applied await(WorkEntry.ToolAwaitsApproval awaits, Instant now) {
        Part.Tool tool = calls.get(awaits.callId());
        if (tool == null || tool.state.ended()) {
            return Applied.GREW;
        }
        awaiting += tool.state == ToolCallState.AWAITING_APPROVAL ? 0 : 1;
        tool.state = ToolCallState.AWAITING_APPROVAL;
        tool.askedAt = Objects.requireNonNullElse(tool.askedAt, now);
        chars += awaits.reason().length() + Part.chars(awaits.preview());
        tool.approval = new ToolApproval(awaits.reason(), awaits.preview(), awaits.shown(), awaits.patterns());
        askedAgain(tool);
        grew(tool, awaits.seq());
        log.add(Kind.TOOL_STATE, tool.index);
        log.add(Kind.TOOL_AWAITS, tool.index);
        changeStatus(TurnStatus.AWAITING_APPROVAL);
        return Applied.BOUNDARY;
    }

    /** A drone that was started again asks anew what was decided; one that asks twice did not take the answer, which is used up then. */
    private void askedAgain(Part.Tool tool) {
        ToolDecision kept = tool.decision;
        if (kept != null) {
            boolean same = kept.shown() != null
                    && kept.shown().equals(Objects.requireNonNull(tool.approval).shown());
            tool.decision = same && kept.attempt() < attempt ? kept.in(attempt) : null;
            answered.add(tool);
        }
        tool.askedIn = attempt;
    }

    private Applied started(WorkEntry.ToolStarted started, Instant now) {
        Part.Tool tool = calls.get(started.callId());
        if (tool == null) {
            return Applied.GREW;
        }
        noLongerAwaits(tool);
        tool.state = ToolCallState.RUNNING;
        Map<String, Object> changed = started.parameters();
        if (changed != null) {
            tool.parameters = changed;
            chars += Part.chars(changed);
        }
        tool.startedAt = now;
        grew(tool, started.seq());
        log.add(Kind.TOOL_STATE, tool.index);
        return Applied.BOUNDARY;
    }

    private Applied output(WorkEntry.ToolOutput printed) {
        Part.Tool tool = calls.get(printed.callId());
        int room = tool == null ? 0 : MAX_BLOCK_CHARS - tool.output.length();
        // After a crash a stored call may hold output already that comes again.
        if (tool == null
                || printed.seq() <= tool.lastSeq
                || room <= 0
                || printed.text().isEmpty()) {
            return Applied.GREW;
        }
        int offset = tool.output.length();
        if (printed.text().length() < room) {
            tool.output.append(printed.text());
        } else {
            tool.output.append(printed.text(), 0, room).append(CUT_NOTE);
        }
        chars += tool.output.length() - offset;
        grew(tool, printed.seq());
        log.add(Kind.TOOL_OUTPUT, tool.index, offset);
        return Applied.GREW;
    }

    private Applied ended(WorkEntry.ToolEnded ended, Instant now) {
        Part.Tool tool = calls.get(ended.callId());
        if (tool == null) {
            return Applied.GREW;
        }
        noLongerAwaits(tool);
        toolFailures += ended.state() == ToolCallState.FAILED ? 1 : 0;
        tool.state = ended.state();
        tool.response = ended.response();
        tool.diff = ended.diff();
        chars += ended.response().length() + Part.chars(ended.diff());
        tool.finishedAt = now;
        grew(tool, ended.seq());
        close(tool, now);
        log.add(Kind.TOOL_STATE, tool.index);
        endSubagent(tool.callId, now);
        return Applied.BOUNDARY;
    }

    /** What is open of a subagent ends with the call that it works for. */
    private void endSubagent(String callId, Instant now) {
        Voice voice = subagents.get(callId);
        if (voice == null) {
            return;
        }
        closeText(voice, now);
        for (Part.Tool tool : voice.made) {
            leave(
                    tool,
                    "Not run: the subagent ended before.",
                    "The subagent ended while this ran: its outcome is not known.",
                    now);
        }
        voice.made.clear();
        goOnUnlessAwaiting();
    }

    private void noLongerAwaits(Part.Tool tool) {
        if (tool.state == ToolCallState.AWAITING_APPROVAL) {
            tool.approval = null;
            tool.decision = null;
            awaiting--;
        }
        goOnUnlessAwaiting();
    }

    /** Also when the call itself was stored as answered before a crash, and the record still says that it waits. */
    private void goOnUnlessAwaiting() {
        if (awaiting == 0 && status == TurnStatus.AWAITING_APPROVAL) {
            changeStatus(TurnStatus.PROCESSING);
        }
    }

    /** A drone whose journal lost its end knows nothing of later rounds: what is here of them was cut as well. */
    private Applied supersede(Voice voice, int round, Instant now) {
        closeText(voice, now);
        List<Part> cut = new ArrayList<>(voice.takeFrom(round));
        if (voice == own) {
            NavigableMap<Integer, Set<Voice>> ofCalls = hanging.tailMap(round, true);
            ofCalls.values().stream()
                    .flatMap(Set::stream)
                    .forEach(hangs -> cut.addAll(hangs.takeFrom(Integer.MIN_VALUE)));
            ofCalls.clear();
        }
        cut.sort(Comparator.comparing(part -> part.index));
        cut.forEach(part -> supersede(part, now));
        voice.round = Math.min(voice.round, round);
        goOnUnlessAwaiting();
        return Applied.BOUNDARY;
    }

    /** A subagent whose work does not count any more starts over, with all of it; of the turn's own calls those that ran are not made again. */
    private void supersede(Part part, Instant now) {
        switch (part) {
            case Part.Text text -> {
                finishText(text, now);
                mark(text);
            }
            case Part.Tool tool -> {
                if (tool.startedAt == null || tool.parent != null) {
                    leave(
                            tool,
                            "Not run: the response that asked for it was cut, and the model is asked again.",
                            "The subagent was stopped while this ran: its outcome is not known.",
                            now);
                }
                if (tool.parent != null) {
                    mark(tool);
                }
            }
        }
    }

    private void mark(Part part) {
        if (!part.superseded) {
            part.superseded = true;
            part.unsaved = true;
            log.add(Kind.BLOCK_SUPERSEDED, part.index);
        }
    }

    private boolean closeText(Voice voice, Instant now) {
        Part.Text text = voice.openText();
        if (text == null) {
            return false;
        }
        finishText(text, now);
        return true;
    }

    /** The drone said what ends it: nothing of it comes again, also where the store had more of it than a drone whose journal lost its end. */
    private void finishText(Part.Text text, Instant now) {
        text.lastSeq = Math.min(text.lastSeq, appliedSeq);
        closeText(text, now);
    }

    private void closeText(Part.Text text, Instant now) {
        if (text.open()) {
            close(text, now);
            // It may be as long again, and stays as long as the turn is read.
            text.content.trimToSize();
            log.add(Kind.BLOCK_CLOSED, text.index);
        }
    }

    private static void close(Part part, Instant now) {
        part.closedAt = now;
        part.unsaved = true;
    }

    private static void grew(Part part, long seq) {
        part.lastSeq = Math.max(part.lastSeq, seq);
        part.unsaved = true;
    }

    private void changeStatus(TurnStatus next) {
        if (status != next) {
            status = next;
            log.add(Kind.STATUS, -1);
        }
    }

    private void stop(TurnStatus ended, @Nullable Failure why, Instant now, Kind told) {
        status = ended;
        error = why;
        finishedAt = now;
        retry = null;
        growing = null;
        log.add(told, -1);
    }
}
