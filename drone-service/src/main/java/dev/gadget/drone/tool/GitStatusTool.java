package dev.gadget.drone.tool;

import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;

/** Tells the branch and the changed files of a repository. */
@ApplicationScoped
public class GitStatusTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
            "git_status",
            "The branch of the repository and its changed files, as `git status --short --branch`.",
            Repository.with(Schema.object()).build());

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.READS;
    }

    @Override
    public Map<String, Object> example() {
        return Map.of("repository", ".");
    }

    @Override
    public ToolResult run(ToolInvocation call) {
        return Repository.result(
                Repository.of(call).run("status", "--short", "--branch", "--ignore-submodules=all"),
                "[nothing is changed]");
    }
}
