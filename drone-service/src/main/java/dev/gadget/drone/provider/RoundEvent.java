package dev.gadget.drone.provider;

import dev.gadget.model.Failure;
import dev.gadget.model.turn.Usage;
import java.time.Duration;
import java.util.Optional;

/**
 * What happens in one model response, in order: deltas, calls that grow, then tool calls, then usage, then exactly one
 * {@link Finished} or {@link Failed}, after which nothing follows.
 */
public sealed interface RoundEvent {
    /** More text that the model reasons with. */
    record ThinkingDelta(String text) implements RoundEvent {}

    /** More text that the model says. */
    record TextDelta(String text) implements RoundEvent {}

    /** So much of a call's arguments came by now. */
    record CallGrows(String name, int chars) implements RoundEvent {}

    /** A whole tool call; half a call is never told. */
    record CallRequested(ChatMessage.RequestedCall call) implements RoundEvent {}

    /** Tokens of this response. */
    record UsageCounted(Usage usage) implements RoundEvent {}

    /** The response is complete, as the endpoint itself said. */
    record Finished(FinishReason reason) implements RoundEvent {}

    /**
     * The response is broken or never came.
     *
     * @param retryAfter how long the endpoint asked to wait, when it did
     */
    record Failed(Failure failure, Optional<Duration> retryAfter) implements RoundEvent {}

    /** Why a complete response ended. */
    enum FinishReason {
        /** It said all it wanted. */
        STOP,
        /** It wants tools to be run. */
        TOOL_CALLS,
        /** It reached the output limit or the end of its context. */
        LENGTH,
        /** The endpoint filtered the rest. */
        CONTENT_FILTER
    }
}
