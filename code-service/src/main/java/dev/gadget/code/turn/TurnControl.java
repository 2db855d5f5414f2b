package dev.gadget.code.turn;

import dev.gadget.code.RefusedException;
import dev.gadget.code.audit.AuditLog;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.session.SessionUpdated;
import dev.gadget.code.session.Sessions;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.BusyPolicy;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AuditApi.AuditKind;
import dev.gadget.model.api.SessionApi.DecideToolCall;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts, stops and answers turns for a person. */
@ApplicationScoped
public class TurnControl implements TurnCommands {
    private static final Duration STORED_WITHIN = Duration.ofSeconds(5);
    private static final int MOST_KEYS_AT_ONCE = 64;

    private final SessionArchive sessions;
    private final Sessions settings;
    private final TurnArchive archive;
    private final LiveTurns live;
    private final TurnStart starts;
    private final TurnQueue queue;
    private final TurnDispatcher dispatcher;
    private final AuditLog audit;
    private final Event<SessionUpdated> updated;
    private final Lock[] submissions =
            Stream.generate(ReentrantLock::new).limit(MOST_KEYS_AT_ONCE).toArray(Lock[]::new);

    TurnControl(
            SessionArchive sessions,
            Sessions settings,
            TurnArchive archive,
            LiveTurns live,
            TurnStart starts,
            TurnQueue queue,
            TurnDispatcher dispatcher,
            AuditLog audit,
            Event<SessionUpdated> updated) {
        this.sessions = sessions;
        this.settings = settings;
        this.archive = archive;
        this.live = live;
        this.starts = starts;
        this.queue = queue;
        this.dispatcher = dispatcher;
        this.audit = audit;
        this.updated = updated;
    }

    @Override
    public TurnId submit(UserId owner, SessionId sessionId, String prompt, Optional<String> key) {
        checkPrompt(prompt);
        ChatSession session = session(owner, sessionId);
        if (key.isEmpty()) {
            return submit(session, TurnId.random(), prompt);
        }
        TurnId id = named(sessionId, key.get());
        // Of two at the same moment the second finds the turn of the first.
        Lock alone = submissions[Math.floorMod(id.hashCode(), submissions.length)];
        alone.lock();
        try {
            if (queue.isTaken(id)) {
                throw new RefusedException(FailureCode.TURN_ENDED, "This prompt went into a turn that ran already.");
            }
            Optional<TurnRecord> there = archive.find(id);
            there.ifPresent(turn -> requireSame(turn, prompt));
            return there.isPresent() ? id : submit(session, id, prompt);
        } finally {
            alone.unlock();
        }
    }

    private TurnId submit(ChatSession session, TurnId id, String prompt) {
        try {
            if (queue.waits(session.id())) {
                throw TurnStart.running();
            }
            starts.begin(session, id, prompt);
        } catch (RefusedException refused) {
            boolean busy = refused.code() == FailureCode.TURN_RUNNING || refused.code() == FailureCode.DRONE_BUSY;
            if (!busy || session.whenBusy() != BusyPolicy.QUEUE) {
                throw refused;
            }
            queue.add(session, id, prompt);
        }
        return id;
    }

    @Override
    public void change(UserId owner, TurnId id, String prompt) {
        checkPrompt(prompt);
        LiveTurn turn = live.loadOwned(owner, id);
        if (!turn.reword(prompt)) {
            throw begun(turn);
        }
        tellAgain(turn, prompt.length() <= Protocol.MAX_STEER_CHARS ? prompt : null);
        awaitStored(turn);
        updated.fire(new SessionUpdated(owner, turn.session()));
    }

    private static void awaitStored(LiveTurn turn) {
        if (!stored(turn)) {
            throw new RefusedException(
                    FailureCode.STORE_UNAVAILABLE, "The prompt is changed, but the store has not taken it yet.");
        }
    }

    private static boolean stored(LiveTurn turn) {
        try {
            return turn.awaitStored(STORED_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void move(UserId owner, TurnId id, @Nullable TurnId before) {
        LiveTurn turn = live.loadOwned(owner, id);
        if (!queue.move(turn, before)) {
            throw begun(turn);
        }
        awaitStored(turn);
    }

    @Override
    public void remove(UserId owner, TurnId id) {
        LiveTurn turn = live.loadOwned(owner, id);
        if (!queue.remove(turn)) {
            throw begun(turn);
        }
        tellAgain(turn, null);
    }

    @Override
    public void steer(UserId owner, TurnId id) {
        LiveTurn turn = live.loadOwned(owner, id);
        if (!turn.waits()) {
            throw begun(turn);
        }
        String words = turn.prompt();
        if (words.length() > Protocol.MAX_STEER_CHARS) {
            throw new RefusedException(
                    FailureCode.PROMPT_TOO_LONG,
                    "A prompt of more than " + Protocol.MAX_STEER_CHARS
                            + " characters cannot go into a turn that runs. It goes on waiting.");
        }
        LiveTurn running = running(turn)
                .orElseThrow(() -> new RefusedException(
                        FailureCode.CONFLICT,
                        "No turn runs in this session that could take the prompt; it begins by itself."));
        allow(running, id, words);
        if (!dispatcher.steer(running, id, words)) {
            throw new RefusedException(
                    FailureCode.DRONE_LOST,
                    "The drone of the turn is away, so that it cannot be told. The prompt goes on waiting.");
        }
        turn.steerInto(running.id());
        String changed = turn.prompt();
        if (!changed.equals(words) && turn.waits()) {
            allow(running, id, changed);
            dispatcher.steer(running, id, changed);
        }
    }

    /** What is on its way into the turn that runs goes there with other words, or not at all; too late for that it has been taken. */
    private void tellAgain(LiveTurn waiting, @Nullable String words) {
        running(waiting).filter(running -> waiting.steersInto(running.id())).ifPresent(running -> {
            if (words != null) {
                allow(running, waiting.id(), words);
            }
            dispatcher.steer(running, waiting.id(), words);
        });
    }

    /** Of words that were not allowed before nothing is taken. */
    private static void allow(LiveTurn running, TurnId prompt, String words) {
        try {
            if (!running.steer(prompt, words, STORED_WITHIN)) {
                throw new RefusedException(
                        FailureCode.STORE_UNAVAILABLE,
                        "The words are not on their way: the store did not take them in time, or too many others are on their way."
                                + " The prompt goes on waiting.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefusedException(FailureCode.STORE_UNAVAILABLE, "The service stops. The prompt goes on waiting.");
        }
    }

    /** The turn that runs in the session of one that waits. */
    private Optional<LiveTurn> running(LiveTurn waiting) {
        return Optional.ofNullable(session(waiting.owner(), waiting.session()).runningTurnId())
                .flatMap(live::load)
                .filter(turn -> !turn.status().ended() && !turn.waits());
    }

    private static RefusedException begun(LiveTurn turn) {
        return turn.status().ended()
                ? new RefusedException(
                        FailureCode.TURN_ENDED, "The turn has ended; only one that waits can be changed.")
                : new RefusedException(
                        FailureCode.TURN_RUNNING,
                        "The turn has begun; only one that waits can be changed. It can be cancelled.");
    }

    @Override
    public void cancel(UserId owner, TurnId id) {
        LiveTurn turn = live.loadOwned(owner, id);
        if (turn.status().ended()) {
            turn.cancel();
        } else {
            dispatcher.cancel(turn);
        }
    }

    @Override
    public void stopCall(UserId owner, TurnId id, String callId) {
        LiveTurn turn = live.loadOwned(owner, id);
        ToolCallState state = turn.callState(callId);
        if (state == null) {
            throw new RefusedException(FailureCode.NOT_FOUND, "There is no call " + callId + " in this turn.");
        }
        switch (state) {
            case RUNNING -> {
                // What was interrupted may still run where it was, and goes on: to say that it is stopped would be
                // wrong.
                if (!turn.status().ended() || turn.status() == TurnStatus.INTERRUPTED) {
                    dispatcher.stopCall(turn, callId);
                }
            }
            case QUEUED, AWAITING_APPROVAL ->
                throw new RefusedException(
                        FailureCode.CONFLICT,
                        "The call has not begun. One that waits for you is denied by its answer; else cancel the turn.");
            case DONE, FAILED, DENIED, UNKNOWN -> {
                // Over already, perhaps by somebody who pressed at the same time: what was wanted is so.
            }
        }
    }

    @Override
    public void decide(UserId owner, TurnId id, String callId, DecideToolCall decision) {
        LiveTurn turn = live.loadOwned(owner, id);
        ToolApproval asked = turn.approval(callId);
        if (asked == null) {
            throw notAsked(callId);
        }
        if (decision.shown() != null
                && asked.shown() != null
                && !decision.shown().equals(asked.shown())) {
            throw new RefusedException(
                    FailureCode.CHANGED_MEANWHILE,
                    "What the tool call would do has changed since it was shown. Look at it again, and decide on that.",
                    "shown");
        }
        if (decision.parameters() != null && decision.decision() != ApprovalDecision.APPROVE) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "parameters go with 'approve' only: a changed call is approved once.",
                    "parameters");
        }
        List<String> patterns = decision.patterns();
        if (patterns != null) {
            checkPatterns(decision, asked, patterns);
        }
        var kept = new ToolDecision(
                decision.decision(),
                decision.reason(),
                // Whoever names none decides on what is asked now, and on nothing that the drone may ask later.
                asked.shown(),
                decision.parameters(),
                patterns,
                owner,
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                turn.attempt());
        if (keep(turn, callId, kept)) {
            if (patterns != null) {
                allow(turn, callId, patterns);
            }
            audit.note(owner, AuditKind.APPROVAL_DECIDED, id, told(turn, callId, asked, decision));
        }
        // Of two at the same moment one still has its rules taken, and tells the drone then.
        boolean told = turn.mayTell(callId) && dispatcher.decide(turn, kept.command(turn.workOrder(), callId));
        if (!stored(turn) && !told) {
            throw new RefusedException(
                    FailureCode.STORE_UNAVAILABLE,
                    "The drone is away, and the store has not taken the decision yet. Send it again to be sure.");
        }
    }

    /** Whether it is new; refused when another one stands already. */
    private static boolean keep(LiveTurn turn, String callId, ToolDecision decision) {
        return switch (turn.decide(callId, decision, decision.patterns() != null)) {
            case TAKEN -> true;
            case KNOWN -> false;
            case OTHER ->
                throw new RefusedException(
                        FailureCode.CONFLICT,
                        "The tool call " + callId
                                + " is decided on already, and the drone may know. Cancel the turn if it must not run.");
            case NOT_ASKED -> throw notAsked(callId);
        };
    }

    private static RefusedException notAsked(String callId) {
        return new RefusedException(
                FailureCode.CONFLICT, "The tool call " + callId + " does not wait for a decision (any more).");
    }

    private void allow(LiveTurn turn, String callId, List<String> patterns) {
        int rules;
        try {
            rules = settings.allow(turn.owner(), turn.session(), patterns);
        } catch (RuntimeException refused) {
            turn.undecide(callId);
            throw refused;
        }
        turn.rulesTaken(callId);
        audit.note(turn.owner(), AuditKind.POLICY_CHANGED, turn.session(), "by an approval, rules " + rules);
    }

    /** Only what the drone proposed, to a person who saw it. */
    private static void checkPatterns(DecideToolCall decision, ToolApproval asked, List<String> patterns) {
        if (decision.decision() != ApprovalDecision.APPROVE_FOR_SESSION || decision.shown() == null) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "patterns go with 'approve_for_session' and the hash 'shown' only: they are allowed as they were shown.",
                    "patterns");
        }
        if (!patterns.equals(asked.patterns())) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "The patterns are not those that were proposed for this call: "
                            + Objects.requireNonNullElse(asked.patterns(), List.of())
                            + ". Send these, or leave them out to allow this very call.",
                    "patterns");
        }
    }

    /** Not the command itself, which may hold anything: the hash of what was shown says which it was. */
    private static String told(LiveTurn turn, String callId, ToolApproval asked, DecideToolCall decision) {
        return decision.decision().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + " " + turn.toolName(callId)
                + (decision.parameters() == null ? "" : ", changed")
                + (decision.patterns() == null ? "" : ", with those like it")
                + ", call " + callId
                + (turn.drone() == null ? "" : ", drone " + turn.drone())
                + (asked.shown() == null ? "" : ", shown " + asked.shown());
    }

    /** Whoever sends something new under an old key would take the answer to the old for one to the new. */
    private static void requireSame(TurnRecord there, String prompt) {
        if (!there.wasSubmittedWith(prompt)) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "Another prompt was submitted to this session with this Idempotency-Key: that of the turn "
                            + there.id() + ". Repeat that prompt, or send this one with a key of its own.",
                    "Idempotency-Key");
        }
    }

    /** The turn of a repeated submission is the same one, whichever process and life of the service gets it. */
    private static TurnId named(SessionId session, String key) {
        byte[] name = (session.value() + "\n" + key).getBytes(StandardCharsets.UTF_8);
        return new TurnId(UUID.nameUUIDFromBytes(name).toString());
    }

    private static void checkPrompt(String prompt) {
        if (prompt.isBlank()) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD, "The prompt is empty. Say what is to be done.", "prompt");
        }
        if (prompt.length() > Protocol.MAX_PROMPT_CHARS) {
            throw new RefusedException(
                    FailureCode.PROMPT_TOO_LONG,
                    "The prompt has " + prompt.length() + " characters, but at most " + Protocol.MAX_PROMPT_CHARS
                            + " are taken. Put long text into a file of the workspace and name it.",
                    "prompt");
        }
    }

    private ChatSession session(UserId owner, SessionId id) {
        return sessions.find(owner, id)
                .orElseThrow(() -> new RefusedException(FailureCode.NOT_FOUND, "There is no session " + id + "."));
    }
}
