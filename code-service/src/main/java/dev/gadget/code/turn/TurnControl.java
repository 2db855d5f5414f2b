package dev.gadget.code.turn;

import dev.gadget.code.RefusedException;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.TurnStats;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProviderSpec;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Starts, stops and answers turns for a person. */
@ApplicationScoped
public class TurnControl implements TurnCommands {
    private static final Duration SETTLES_WITHIN = Duration.ofSeconds(5);

    private final SessionArchive sessions;
    private final TurnArchive archive;
    private final LiveTurns live;
    private final WorkOrders orders;
    private final TurnDispatcher dispatcher;
    private final Event<TurnBegan> began;

    TurnControl(
            SessionArchive sessions,
            TurnArchive archive,
            LiveTurns live,
            WorkOrders orders,
            TurnDispatcher dispatcher,
            Event<TurnBegan> began) {
        this.sessions = sessions;
        this.archive = archive;
        this.live = live;
        this.orders = orders;
        this.dispatcher = dispatcher;
        this.began = began;
    }

    @Override
    public TurnId submit(UserId owner, SessionId sessionId, String prompt, Optional<String> key) {
        checkPrompt(prompt);
        ChatSession session = session(owner, sessionId);
        TurnId id = key.map(k -> named(sessionId, k)).orElseGet(TurnId::random);
        if (key.isPresent() && archive.find(id).isPresent()) {
            return id;
        }
        refuseWhileRunning(session, id);
        ProviderSpec provider = orders.provider(session);
        TurnDispatcher.Place place = dispatcher.reserve(session);
        try {
            start(session, id, prompt, provider, place);
        } catch (RuntimeException failure) {
            place.close();
            throw failure;
        }
        return id;
    }

    private void start(
            ChatSession session, TurnId id, String prompt, ProviderSpec provider, TurnDispatcher.Place place) {
        if (!sessions.claim(session.id(), id)) {
            throw running();
        }
        LiveTurn turn;
        ChatSession placed;
        TurnRecord record = fresh(session, id, prompt, provider, place);
        try {
            placed = placed(session, prompt, place);
            archive.insert(record);
            turn = live.begin(record);
        } catch (RuntimeException failure) {
            sessions.release(session.id(), id);
            throw failure;
        }
        dispatcher.dispatch(turn, orders.make(placed, record, provider, place.workspace()), place);
        began.fire(new TurnBegan(session.ownerId(), session.id(), id));
    }

    @Override
    public void cancel(UserId owner, TurnId id) {
        LiveTurn turn = owned(owner, id);
        if (!turn.status().ended()) {
            dispatcher.cancel(turn);
        } else if (turn.status() == TurnStatus.INTERRUPTED) {
            // Nobody wants it any more: it is not taken up again when its drone comes back.
            turn.settle();
        }
    }

    @Override
    public void decide(UserId owner, TurnId id, String callId, ApprovalDecision decision, @Nullable String reason) {
        LiveTurn turn = owned(owner, id);
        if (!turn.awaits(callId)) {
            throw new RefusedException(
                    FailureCode.CONFLICT, "The tool call " + callId + " does not wait for a decision (any more).");
        }
        dispatcher.decide(turn, callId, decision, reason);
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

    /** Whoever waited for the end of a turn may submit the next one at once, though the end is just being stored. */
    private void refuseWhileRunning(ChatSession session, TurnId next) {
        TurnId holder = session.runningTurnId();
        if (holder == null || holder.equals(next)) {
            return;
        }
        Optional<LiveTurn> turn = live.load(holder);
        if (turn.isPresent() && !turn.get().status().ended()) {
            throw running();
        }
        try {
            if (turn.isPresent() && !turn.get().awaitStored(SETTLES_WITHIN)) {
                throw new RefusedException(
                        FailureCode.STORE_UNAVAILABLE, "The last turn has ended, but the store has not taken it yet.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw running();
        }
        // Left over when the service died between storing the end and giving back the lock.
        sessions.release(session.id(), holder);
    }

    private static RefusedException running() {
        return new RefusedException(
                FailureCode.TURN_RUNNING, "A turn is running in this session. Wait for its end, or cancel it.");
    }

    /** A session belongs to a workspace, and has a name, from its first turn on. */
    private ChatSession placed(ChatSession session, String prompt, TurnDispatcher.Place place) {
        if (session.workspaceId() != null && !session.name().equals(ChatSession.UNNAMED)) {
            return session;
        }
        ChatSession current = session(session.ownerId(), session.id());
        ChatSession placed = current.begunIn(place.workspace(), prompt);
        try {
            sessions.replace(placed);
        } catch (StoreException changed) {
            if (changed.code() != FailureCode.CHANGED_MEANWHILE) {
                throw changed;
            }
            throw new RefusedException(
                    FailureCode.CHANGED_MEANWHILE,
                    "The session was changed at the same moment. Send the prompt again.");
        }
        return placed;
    }

    private static TurnRecord fresh(
            ChatSession session, TurnId id, String prompt, ProviderSpec provider, TurnDispatcher.Place place) {
        return new TurnRecord(
                id,
                session.id(),
                session.ownerId(),
                prompt,
                TurnStatus.QUEUED,
                provider.name(),
                session.model(),
                session.reasoningEffort(),
                WorkOrderId.random(),
                place.drone(),
                place.workspace(),
                1,
                1,
                0,
                TurnRecord.NOTHING_OPEN,
                Usage.NONE,
                TurnStats.NONE,
                null,
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                null,
                0);
    }

    private LiveTurn owned(UserId owner, TurnId id) {
        return live.load(id)
                .filter(turn -> turn.owner().equals(owner) && !turn.dropped())
                .orElseThrow(() -> new RefusedException(FailureCode.NOT_FOUND, "There is no turn " + id + "."));
    }
}
