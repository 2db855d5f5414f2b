package dev.gadget.code.feed;

import dev.gadget.code.RefusedException;
import dev.gadget.code.account.Caller;
import dev.gadget.code.account.TokenWatch;
import dev.gadget.code.turn.TurnDispatcher;
import dev.gadget.code.turn.TurnUpdate;
import dev.gadget.code.turn.Turns;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnStatus;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lets requests wait until there is something to answer about a turn. */
@Singleton
class TurnWaits {
    /** Of those who wait without an end. */
    static final Duration AS_LONG_AS_IT_TAKES = Duration.ofDays(365);

    private static final Duration LOOKS_AGAIN = Duration.ofSeconds(2);
    /** A drone whose line was cut is back by then; of one that is gone nobody knows when. */
    private static final Duration AWAITS_DRONE = Duration.ofSeconds(Protocol.LEASE_SECONDS);

    private static final Pattern WAIT =
            Pattern.compile("(?:^|[,;\\s])wait=(\\d{1,4})(?:$|[,;\\s])", Pattern.CASE_INSENSITIVE);

    /** An offer is answered, or withdrawn, before: that is looked at once a second. */
    private static final Duration ANSWERS_WITHIN =
            TurnDispatcher.ON_ITS_WAY.plus(TurnDispatcher.ANSWERS_WITHIN).plusSeconds(5);

    /** How a turn ends that no drone began. */
    private static final Set<FailureCode> NOT_BEGUN = EnumSet.of(FailureCode.DRONE_REJECTED, FailureCode.DRONE_BUSY);

    private final Turns turns;
    private final TokenWatch tokens;

    TurnWaits(Turns turns, TokenWatch tokens) {
        this.turns = turns;
        this.tokens = tokens;
    }

    /** How many seconds a {@code Prefer} header says that its sender would wait (RFC 7240). */
    static OptionalInt preferred(@Nullable String prefer) {
        Matcher matcher = WAIT.matcher(prefer == null ? "" : prefer);
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }

    /** Waits until the drone that was offered the turn takes it; refused as the drone refuses it. One that waits in a queue is not waited for. */
    void taken(TurnId id, Caller caller) throws InterruptedException {
        try (var reader = new FeedReader(turns.feed(caller.userId(), id), null, caller, tokens)) {
            reader.awaitAnswer(ANSWERS_WITHIN);
        }
        begun(turns.get(caller.userId(), id));
    }

    /** The turn, unless no drone began it: that is refused with what stands in it. */
    static Turn begun(Turn turn) {
        Failure error = turn.error();
        if (turn.status() == TurnStatus.FAILED && error != null && NOT_BEGUN.contains(error.code())) {
            throw new RefusedException(error.code(), error.message());
        }
        return turn;
    }

    /**
     * Waits until the turn ends, or asks what nobody answered, which whoever waits here may be the one to do, or its drone is away for
     * long; as long as somebody listens who may. The turn goes on when nobody does.
     */
    Turn settled(TurnId id, Caller caller, HttpServerRequest request, Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        try (var reader = new FeedReader(turns.feed(caller.userId(), id), null, caller, tokens)) {
            long here = System.nanoTime();
            for (TurnUpdate update = reader.next(Duration.ZERO);
                    !reader.over(update)
                            && !reader.asked()
                            && System.nanoTime() - here < AWAITS_DRONE.toNanos()
                            && System.nanoTime() < until
                            && !request.response().closed(); ) {
                if (update.status() != TurnStatus.INTERRUPTED) {
                    here = System.nanoTime();
                }
                update = reader.next(soon(until));
            }
        }
        return turns.get(caller.userId(), id);
    }

    private static Duration soon(long until) {
        return Duration.ofNanos(Math.clamp(until - System.nanoTime(), 0, LOOKS_AGAIN.toNanos()));
    }
}
