package dev.gadget.drone.policy;

import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.turn.ToolEffect;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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
     * What rules go by.
     *
     * @param files what it would change, relative to the workspace
     * @param reads what it would tell the model the content of, relative to the workspace
     * @param command the shell line that it would run
     */
    public record Call(String tool, ToolEffect effect, List<Path> files, List<Path> reads, Optional<String> command) {
        public Call {
            files = List.copyOf(files);
            reads = List.copyOf(reads);
        }

        /** One that reads no file that it does not change. */
        public Call(String tool, ToolEffect effect, List<Path> files, Optional<String> command) {
            this(tool, effect, files, List.of(), command);
        }

        /** What it names that commonly holds secrets. */
        Optional<String> secret() {
            return SecretFiles.among(reads).or(() -> command.flatMap(SecretFiles::in));
        }

        /** Whether it writes where an editor, a shell or git runs what stands there. */
        boolean delicate() {
            return files.stream().anyMatch(ProtectedNames::runsLater);
        }
    }

    /** Decides on one call by a policy and its rules; {@code whose} names who made them. */
    public static Verdict decide(ApprovalPolicy policy, List<ApprovalRule> rules, String whose, Call call) {
        Optional<ApprovalRule.Action> rule = RuleMatch.of(rules, call);
        if (rule.filter(ApprovalRule.Action.DENY::equals).isPresent()) {
            return new Verdict.Refuse(
                    "A rule of " + whose + " denies this call. Do not try it again; go on another way.");
        }
        if (call.effect() != ToolEffect.READS && policy == ApprovalPolicy.READ_ONLY) {
            return new Verdict.Refuse("This session is read-only: nothing is written or run."
                    + " Say what you would do instead of doing it.");
        }
        Optional<String> secret = call.secret();
        if (secret.isPresent()) {
            return new Verdict.Ask(
                    "It may tell the model what is in `" + secret.get()
                            + "`, a file that commonly holds secrets; this is always asked.",
                    true);
        }
        if (call.effect() == ToolEffect.READS) {
            return rule.filter(ApprovalRule.Action.ASK::equals).isPresent() ? asks(whose) : RUN;
        }
        if (call.delicate()) {
            return new Verdict.Ask(
                    "It writes a file that an editor, a shell or git may run later; this is always asked.", true);
        }
        Optional<String> destroys = call.command().flatMap(DestructiveCommands::in);
        if (destroys.isPresent()) {
            return new Verdict.Ask("This is always asked, because " + destroys.get() + ".", true);
        }
        if (rule.isPresent()) {
            return rule.get() == ApprovalRule.Action.ALLOW ? RUN : asks(whose);
        }
        return switch (policy) {
            case ASK -> asks(call.effect());
            case AUTO_EDIT -> call.effect() == ToolEffect.WRITES ? RUN : asks(call.effect());
            case AUTO, READ_ONLY -> RUN;
        };
    }

    /** The stricter of two: what one of them demands the other does not loosen. */
    public static Verdict stricter(Verdict one, Verdict other) {
        return severity(other) > severity(one) ? other : one;
    }

    private static int severity(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Run _ -> 0;
            case Verdict.Ask ask -> ask.always() ? 2 : 1;
            case Verdict.Refuse _ -> 3;
        };
    }

    private static Verdict asks(String whose) {
        return new Verdict.Ask("A rule of " + whose + " asks before this call.", false);
    }

    private static Verdict asks(ToolEffect effect) {
        return new Verdict.Ask("The session asks before each call that " + effect(effect) + ".", false);
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
