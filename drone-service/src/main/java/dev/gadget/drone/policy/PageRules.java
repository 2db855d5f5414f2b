package dev.gadget.drone.policy;

import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule.Action;
import dev.gadget.model.turn.ToolEffect;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What the owner of this machine says of changes that come from the page. They are a person's own, so that nobody is asked, but what
 * the policy file denies is not done either: whoever took the code service over would be such a person, too.
 */
public final class PageRules {
    private static final String OWNER =
            "The owner of this machine says so in .gadget/policy.json there, which cannot be changed from here.";

    private final LocalPolicy local;
    private final Optional<String> nothing;
    private final Workspace workspace;

    private PageRules(LocalPolicy local, Optional<String> nothing, Workspace workspace) {
        this.local = local;
        this.nothing = nothing;
        this.workspace = workspace;
    }

    /** Of this workspace, as they are now; when they cannot be read everything is refused. */
    public static PageRules of(Workspace workspace) {
        LocalPolicy local;
        try {
            local = LocalPolicy.of(workspace.root());
        } catch (IllegalArgumentException e) {
            return new PageRules(
                    LocalPolicy.NONE, Optional.of("Nothing is written here: " + e.getMessage()), workspace);
        }
        return new PageRules(
                local,
                local.approvals() == ApprovalPolicy.READ_ONLY
                        ? Optional.of("Nothing is written here: this workspace is read-only. " + OWNER)
                        : Optional.empty(),
                workspace);
    }

    /** Why these places are not changed, with all that is below them. */
    public Optional<String> refusal(List<Path> places) {
        return refusal(() -> places.stream()
                .flatMap(place -> Stream.concat(Stream.of(place), FilesBelow.of(workspace, place).stream())));
    }

    /** Why a move is not made. */
    public Optional<String> refusal(Path from, Path to) {
        return refusal(() -> Stream.concat(Stream.of(from, to), FilesBelow.moved(workspace, from, to).stream()));
    }

    /** Nothing is looked through unless a rule asks for it. */
    private Optional<String> refusal(Supplier<Stream<Path>> changed) {
        if (nothing.isPresent()) {
            return nothing;
        }
        if (local.rules().stream().noneMatch(rule -> rule.action() == Action.DENY)) {
            return Optional.empty();
        }
        List<Path> all = changed.get().map(workspace::inWorkspace).toList();
        return denies(all, Optional.empty())
                ? Optional.of("A rule denies changes to "
                        + all.stream()
                                .filter(file -> denies(List.of(file), Optional.empty()))
                                .findFirst()
                                .map(file -> "`" + file + "`")
                                .orElse("these files")
                        + ". " + OWNER)
                : Optional.empty();
    }

    /** Why what amounts to this shell line is not done. */
    public Optional<String> refusal(String command) {
        if (nothing.isPresent()) {
            return nothing;
        }
        return denies(List.of(), Optional.of(command))
                ? Optional.of("A rule denies `" + command + "`. " + OWNER)
                : Optional.empty();
    }

    private boolean denies(List<Path> files, Optional<String> command) {
        return RuleMatch.of(local.rules(), new ApprovalRules.Call("page", ToolEffect.WRITES, files, command))
                .filter(Action.DENY::equals)
                .isPresent();
    }
}
