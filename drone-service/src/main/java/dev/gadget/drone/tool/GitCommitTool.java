package dev.gadget.drone.tool;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Commits changes of a repository; its hooks are not run. */
@ApplicationScoped
public class GitCommitTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
            "git_commit",
            "Commits the changes of these paths, new files included. Only when the person asked for a commit. Hooks are not run.",
            Repository.with(Schema.object()
                            .text("message", "The commit message: a short subject line, then a blank line and why.")
                            .text("paths", "The files and directories to commit, one a line; . for all changes."))
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
        example.put("message", "Multiply in the cart");
        example.put("paths", "src/Cart.java");
        return example;
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("files", "paths", "path", "paths");
    }

    @Override
    public ToolResult run(ToolInvocation call) {
        Git git = Repository.toChange(call, "`git add` and `git commit`");
        if (call.text("message").isBlank()) {
            return ToolResult.failed("`message` is empty. Say what the commit does.");
        }
        List<String> paths = call.text("paths")
                .lines()
                .map(String::strip)
                .filter(path -> !path.isEmpty())
                .toList();
        if (paths.isEmpty()) {
            return ToolResult.failed("`paths` is empty. Name the files to commit, one a line, or . for all.");
        }
        List<String> add = new ArrayList<>(List.of("add", "--all", "--"));
        paths.forEach(path -> add.add(":(literal)" + path));
        Git.Answer added = git.run(add.toArray(String[]::new));
        if (!added.ok()) {
            return ToolResult.failed(added.errors().strip());
        }
        List<String> commit = new ArrayList<>(
                List.of("commit", "--quiet", "--no-verify", "--no-gpg-sign", "-F", "-", "--only", "--"));
        paths.forEach(path -> commit.add(":(literal)" + path));
        Git.Answer committed = git.input(call.text("message")).run(commit.toArray(String[]::new));
        if (!committed.ok()) {
            return ToolResult.failed((committed.errors() + committed.text()).strip());
        }
        return Repository.result(
                git.run("show", "--no-color", "--stat", "--format=%h %s", "--end-of-options", "HEAD"), "Committed.");
    }
}
