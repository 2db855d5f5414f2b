package dev.gadget.code.turn;

import dev.gadget.model.OneLine;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jboss.logging.Logger;

/** What becomes of turns: counted for those who watch the service, and told in its log by the turn's id, never by its words. */
@Startup
@Singleton
class TurnLife {
    private static final Logger LOG = Logger.getLogger(TurnLife.class);

    private final Map<TurnStatus, Counter> ended = new EnumMap<>(TurnStatus.class);
    private final Counter entries;
    private final Counter inputTokens;
    private final Counter outputTokens;
    private final Counter thinkingTokens;

    /** All are there from the start: an alert about the first that fails needs the zero before it. */
    TurnLife(MeterRegistry meters) {
        Arrays.stream(TurnStatus.values())
                .filter(TurnStatus::ended)
                .forEach(status -> ended.put(status, meters.counter("gadget.turns.ended", "status", word(status))));
        entries = meters.counter("gadget.work.entries");
        inputTokens = meters.counter("gadget.tokens", "kind", "input");
        outputTokens = meters.counter("gadget.tokens", "kind", "output");
        thinkingTokens = meters.counter("gadget.tokens", "kind", "thinking");
    }

    /** It is stored, and runs or waits from now on. */
    void began(TurnRecord turn) {
        LOG.infof(
                "turn accepted turnId=%s sessionId=%s userId=%s model=%s",
                turn.id(), turn.sessionId(), turn.ownerId(), OneLine.of(turn.model()));
    }

    /** A prompt that waited does so no more, and is no turn that ended: its person took it back. */
    static void withdrawn(TurnRecord turn) {
        LOG.infof("prompt withdrawn turnId=%s sessionId=%s", turn.id(), turn.sessionId());
    }

    /** A prompt that waited is a part of another turn, and is no turn that ended. */
    static void taken(TurnRecord turn, TurnId into) {
        LOG.infof("prompt taken turnId=%s sessionId=%s into=%s", turn.id(), turn.sessionId(), into);
    }

    /** Its drone said this much that was not known. */
    void said(long many) {
        entries.increment(many);
    }

    void used(Usage before, Usage now) {
        inputTokens.increment(Math.max(0, now.inputTokens() - before.inputTokens()));
        outputTokens.increment(Math.max(0, now.outputTokens() - before.outputTokens()));
        thinkingTokens.increment(Math.max(0, now.thinkingTokens() - before.thinkingTokens()));
    }

    void turned(TurnRecord turn, TurnStatus before) {
        TurnStatus now = turn.status();
        Counter counter = ended.get(now);
        if (counter != null) {
            counter.increment();
            end(turn);
        } else if (now == TurnStatus.PROCESSING && before != TurnStatus.AWAITING_APPROVAL) {
            LOG.infof(
                    "turn runs turnId=%s sessionId=%s droneId=%s workOrderId=%s attempt=%d before=%s",
                    turn.id(), turn.sessionId(), turn.droneId(), turn.workOrderId(), turn.attempt(), word(before));
        } else {
            LOG.debugf("turn turned turnId=%s status=%s before=%s", turn.id(), word(now), word(before));
        }
    }

    private static void end(TurnRecord turn) {
        Instant until = turn.finishedAt();
        LOG.infof(
                "turn ended turnId=%s sessionId=%s droneId=%s status=%s code=%s ms=%d rounds=%d inputTokens=%d outputTokens=%d",
                turn.id(),
                turn.sessionId(),
                turn.droneId(),
                word(turn.status()),
                turn.error() == null ? "none" : turn.error().code().wireName(),
                until == null ? 0 : Duration.between(turn.createdAt(), until).toMillis(),
                turn.stats().rounds(),
                turn.usage().inputTokens(),
                turn.usage().outputTokens());
    }

    private static String word(TurnStatus status) {
        return status.name().toLowerCase(Locale.ROOT);
    }
}
