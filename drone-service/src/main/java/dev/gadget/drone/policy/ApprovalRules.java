package dev.gadget.drone.policy;

import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.turn.ToolEffect;

/** Whether a tool call goes ahead, waits for a person, or is refused. */
public final class ApprovalRules {
    /** What is to be done with a call. */
    public sealed interface Verdict {
        /** It goes ahead. */
        record Run() implements Verdict {}

        /**
         * A person is asked.
         *
         * @param always asked each time, even when the person allowed such calls for the session
         */
        record Ask(String reason, boolean always) implements Verdict {}

        /** It is not run. */
        record Refuse(String reason) implements Verdict {}
    }

    private static final Verdict RUN = new Verdict.Run();

    private ApprovalRules() {}

    /**
     * Decides on one call.
     *
     * @param delicate that it writes where an editor, a shell or git runs what stands there; such a call is never let through
     *     without a person
     */
    public static Verdict decide(ApprovalPolicy policy, ToolEffect effect, boolean delicate) {
        if (effect == ToolEffect.READS) {
            return RUN;
        }
        if (policy == ApprovalPolicy.READ_ONLY) {
            return new Verdict.Refuse("This session is read-only: nothing is written or run."
                    + " Say what you would do instead of doing it.");
        }
        if (delicate) {
            return new Verdict.Ask(
                    "It writes a file that an editor, a shell or git may run later; this is always asked.", true);
        }
        return switch (policy) {
            case ASK -> new Verdict.Ask("The session asks before each call that " + effect(effect) + ".", false);
            case AUTO_EDIT ->
                effect == ToolEffect.WRITES
                        ? RUN
                        : new Verdict.Ask("The session asks before each call that " + effect(effect) + ".", false);
            case AUTO, READ_ONLY -> RUN;
        };
    }

    private static String effect(ToolEffect effect) {
        return switch (effect) {
            case READS -> "reads files";
            case WRITES -> "writes files";
            case RUNS -> "runs a command";
            case NETWORK -> "reaches out to the network";
        };
    }
}
