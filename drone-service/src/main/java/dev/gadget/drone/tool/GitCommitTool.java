package dev.gadget.drone.tool;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        List<String> paths = paths(call);
        if (paths.isEmpty()) {
            return ToolResult.failed("`paths` is empty. Name the files to commit, one a line, or . for all.");
        }
        Git.Answer added = git.run(about(paths, "add", "--all"));
        if (!added.ok()) {
            return ToolResult.failed(added.errors().strip());
        }
        Git.Answer committed = git.input(call.text("message"))
                .run(about(paths, "commit", "--quiet", "--no-verify", "--no-gpg-sign", "-F", "-", "--only"));
        if (!committed.ok()) {
            return ToolResult.failed((committed.errors() + committed.text()).strip());
        }
        return newest(git);
    }

    @Override
    public Optional<ToolResult> alreadyDone(ToolInvocation call) {
        Git git = Repository.of(call);
        Git.Answer message = git.run("log", "-1", "--format=%B");
        boolean done = message.ok()
                && message.text().strip().equals(call.text("message").strip())
                && git.run(about(paths(call), "status", "--porcelain")).text().isEmpty();
        return done ? Optional.of(newest(git)) : Optional.empty();
    }

    private static ToolResult newest(Git git) {
        return Repository.result(
                git.run("show", "--no-color", "--stat", "--format=%h %s", "--end-of-options", "HEAD"), "Committed.");
    }

    private static List<String> paths(ToolInvocation call) {
        return call.text("paths")
                .lines()
                .map(String::strip)
                .filter(path -> !path.isEmpty())
                .toList();
    }

    /** A command of git about these files, whatever is in their names. */
    private static String[] about(List<String> paths, String... command) {
        List<String> line = new ArrayList<>(List.of(command));
        line.add("--");
        paths.forEach(path -> line.add(":(literal)" + path));
        return line.toArray(String[]::new);
    }
}
