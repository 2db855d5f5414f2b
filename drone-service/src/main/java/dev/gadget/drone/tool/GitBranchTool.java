package dev.gadget.drone.tool;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Makes a branch of a repository, or goes to one. */
@ApplicationScoped
public class GitBranchTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
            "git_branch",
            "Goes to a branch, and makes it first when create is true. Changes that are not committed come along, or stop it.",
            Repository.with(Schema.object()
                            .text("name", "The branch.")
                            .optionalFlag("create", "Make it from where the repository is; default false."))
                    .build());

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.RUNS;
    }

    @Override
    public Map<String, Object> example() {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("name", "mend-the-cart");
        example.put("create", true);
        return example;
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("branch", "name", "new", "create");
    }

    @Override
    public ToolResult run(ToolInvocation call) {
        Git git = Repository.toChange(call, "`git switch`");
        String name = call.text("name").strip();
        if (!git.run("check-ref-format", "--branch", name).ok()) {
            return ToolResult.failed("`" + name + "` is not a name that a branch can have.");
        }
        Git.Answer answer = call.flag("create")
                ? git.run("switch", "--quiet", "--no-guess", "--create", name)
                : git.run("switch", "--quiet", "--no-guess", name);
        if (!answer.ok()) {
            String branches = git.run("branch", "--format=%(refname:short)")
                    .text()
                    .strip()
                    .replace("\n", ", ");
            return ToolResult.failed(answer.errors().strip() + "\nThe branches are: " + branches);
        }
        return on(name);
    }

    @Override
    public Optional<ToolResult> alreadyDone(ToolInvocation call) {
        String name = call.text("name").strip();
        String now = Repository.of(call).run("branch", "--show-current").text().strip();
        return now.equals(name) ? Optional.of(on(name)) : Optional.empty();
    }

    private static ToolResult on(String name) {
        return ToolResult.done("On branch " + name + ".");
    }
}
