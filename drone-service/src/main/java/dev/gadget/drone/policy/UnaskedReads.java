package dev.gadget.drone.policy;

import dev.gadget.drone.policy.ApprovalRules.Call;
import dev.gadget.drone.policy.ApprovalRules.Verdict;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.turn.ToolEffect;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Which files of a workspace come to a model with a prompt or its instructions, where no call is that a person could be asked about. */
public final class UnaskedReads {
    private static final String AS = "read_file";

    private final Workspace workspace;
    private final List<ApprovalRule> session;
    private final List<ApprovalRule> machine;

    /** @param session the rules of the session, {@code machine} those of this machine's owner, which it does not loosen */
    public UnaskedReads(Workspace workspace, List<ApprovalRule> session, List<ApprovalRule> machine) {
        this.workspace = workspace;
        this.session = List.copyOf(session);
        this.machine = List.copyOf(machine);
    }

    public Workspace workspace() {
        return workspace;
    }

    /** Why what is in this file does not come unasked, as the end of a sentence about it; empty when it may. */
    public Optional<String> against(Path place) {
        return switch (verdict(place)) {
            case Verdict.Run _ -> Optional.empty();
            case Verdict.Ask _ ->
                Optional.of("commonly holds secrets and is not told with a prompt; read_file asks the person");
            case Verdict.Refuse _ -> Optional.of("is not told: a rule denies reading it");
        };
    }

    private Verdict verdict(Path place) {
        Verdict owners = ApprovalRules.stricter(
                verdict(machine, place, workspace.root()::relativize),
                // A file of a working tree is the one of the project, too, that it stands for.
                verdict(machine, place, workspace::inWorkspace));
        return ApprovalRules.stricter(verdict(session, place, workspace::inProject), owners);
    }

    private static Verdict verdict(List<ApprovalRule> rules, Path place, UnaryOperator<Path> seen) {
        return ApprovalRules.decide(
                ApprovalPolicy.AUTO,
                rules,
                "",
                new Call(AS, ToolEffect.READS, List.of(), List.of(seen.apply(place)), Optional.empty()));
    }
}
