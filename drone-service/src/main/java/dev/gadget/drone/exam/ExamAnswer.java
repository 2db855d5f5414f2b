package dev.gadget.drone.exam;

import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the model answered in an exam, and how it came.
 *
 * @param calls a call that was written as text has no id
 * @param pieces in how many deltas it came
 * @param first when the first of them came, {@code last} the last; of an answer without any, when it was over
 * @param inputTokens what the prompt was counted as; absent when the endpoint does not count
 */
record ExamAnswer(
        String text,
        String thinking,
        List<RequestedCall> calls,
        int pieces,
        Duration first,
        Duration last,
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        Optional<Failure> failure) {
    ExamAnswer {
        calls = List.copyOf(calls);
    }

    /** Nothing was asked. */
    static ExamAnswer notAsked(Failure why) {
        return new ExamAnswer("", "", List.of(), 0, Duration.ZERO, Duration.ZERO, null, null, Optional.of(why));
    }

    boolean failedWith(FailureCode code) {
        return failure.isPresent() && failure.get().code() == code;
    }

    /** Whether it came whole, or broke after something of it had come. */
    boolean saidSomething() {
        return failure.isEmpty() || !text.isEmpty() || !thinking.isEmpty();
    }
}
