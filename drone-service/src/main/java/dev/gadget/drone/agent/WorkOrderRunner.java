package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import dev.gadget.model.work.WorkOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Works on one turn from its prompt, or from where a crash cut it, to its end. */
public interface WorkOrderRunner {
    /**
     * Works on the calling thread until the turn has ended and {@link WorkReport#complete} was called, exactly once.
     *
     * @param earlier what the journal holds of this turn already, in order; empty for a fresh one. Finished rounds and tool
     *     results are taken from it, and no tool whose intent is in it is run blindly again
     */
    void run(WorkOrder order, List<WorkEntry> earlier, WorkReport report, Approvals approvals, CancelSignal cancel);

    /**
     * What the session may be called whose turn this was; empty when nothing was asked, or nothing came of it that counts.
     *
     * @param used what the turn used; where its limits leave nothing, nothing is asked
     */
    default Optional<Title> title(WorkOrder order, Usage used, CancelSignal cancel) {
        return Optional.empty();
    }

    /**
     * What a model said when it was asked for a title.
     *
     * @param words empty when that was nothing of use
     * @param usage what it used for them; null where its endpoint did not count
     */
    record Title(String words, @Nullable Usage usage) {}

    /** What the person of the turn says while it runs. */
    interface Approvals {
        /** Blocks until a person decided, or the signal was cancelled; null when nobody did within this time. */
        @Nullable
        Decision await(String callId, CancelSignal cancel, Duration atMost) throws InterruptedException;

        /** Has this run when the person stops this one call, which runs; until the result is closed. */
        default CancelSignal.Registration onStop(String callId, Runnable stop) {
            return () -> {};
        }

        /** The next prompt for the turn that runs; each is given once. */
        default Optional<Said> nextPrompt() {
            return Optional.empty();
        }
    }

    /** A prompt that waited, and is for the turn that runs. */
    record Said(TurnId promptId, String text) {}

    /**
     * What the person said.
     *
     * @param shown the hash of what the person saw, where the page told it
     * @param parameters what the call is to run with instead
     * @param patterns those that were proposed, when all that they cover is allowed for the session
     */
    record Decision(
            ApprovalDecision decision,
            @Nullable String reason,
            @Nullable String shown,
            @Nullable Map<String, Object> parameters,
            @Nullable List<String> patterns) {
        /** One of this very call. */
        public Decision(
                ApprovalDecision decision,
                @Nullable String reason,
                @Nullable String shown,
                @Nullable Map<String, Object> parameters) {
            this(decision, reason, shown, parameters, null);
        }

        /** A plain one. */
        public Decision(ApprovalDecision decision, @Nullable String reason) {
            this(decision, reason, null, null);
        }
    }
}
