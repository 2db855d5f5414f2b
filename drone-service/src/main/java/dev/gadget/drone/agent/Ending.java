package dev.gadget.drone.agent;

import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.turn.TurnStatus;
import org.jspecify.annotations.Nullable;

/** How a turn ends. */
record Ending(TurnStatus status, @Nullable Failure failure) {
    static final Ending FINISHED = new Ending(TurnStatus.FINISHED, null);
    static final Ending CANCELLED = new Ending(TurnStatus.CANCELLED, null);

    static Ending failed(Failure failure) {
        return new Ending(TurnStatus.FAILED, failure);
    }

    static Ending failed(FailureCode code, String message) {
        return failed(new Failure(code, message));
    }

    /** A limit was reached; the sentence says which. */
    static Ending limit(String sentence) {
        return new Ending(
                TurnStatus.BUDGET_REACHED,
                new Failure(
                        FailureCode.LIMIT_REACHED,
                        sentence + " Prompt again to go on, or raise the limit of the session."));
    }

    /** The same for a limit of all turns of the session together. */
    static Ending sessionLimit(String sentence) {
        return new Ending(
                TurnStatus.BUDGET_REACHED,
                new Failure(
                        FailureCode.LIMIT_REACHED, sentence + " Raise it in the settings of the session to go on."));
    }
}
