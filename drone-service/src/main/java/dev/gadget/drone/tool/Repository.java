package dev.gadget.drone.tool;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.policy.WorkspaceGit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BiFunction;

/** The git repository that a tool was asked about. */
final class Repository {
    private static final int MAX_OUTPUT = 60_000;

    private Repository() {}

    /** At the directory of the call's parameter {@code repository}, or the working directory's own. */
    static Git of(ToolInvocation call) {
        return at(call, WorkspaceGit::toRead);
    }

    /** Its directory. */
    static Path root(ToolInvocation call) {
        return call.workspace()
                .toRead(call.find("repository").filter(path -> !path.isBlank()).orElse("."));
    }

    private static Git at(ToolInvocation call, BiFunction<Workspace, Path, Git> way) {
        Workspace workspace = call.workspace();
        Path root = root(call);
        if (!Files.exists(root.resolve(".git"))) {
            throw new ToolFailedException(
                    "`" + workspace.show(root)
                            + "` is not a git repository. Give the directory of one as `repository`, or make one with `git init`.");
        }
        try {
            return way.apply(workspace, root).within(Duration.ofSeconds(30)).atMost(MAX_OUTPUT);
        } catch (GitFailedException e) {
            throw new ToolFailedException(String.valueOf(e.getMessage()));
        }
    }

    /** The same, to change it: refused where the repository converts files by commands of its own, which are not run. */
    static Git toChange(ToolInvocation call, String instead) {
        Git git = at(call, WorkspaceGit::toWrite);
        if (git.leavesFiltersOut()) {
            throw new ToolFailedException(
                    "This repository converts files by commands of its own (content filters such as LFS), which are not"
                            + " run here. Use run_command with " + instead + ", which runs in the sandbox.");
        }
        return git;
    }

    static Schema with(Schema schema) {
        return schema.optionalText("repository", "The directory of the repository; default is the working directory.");
    }

    static ToolResult result(Git.Answer answer, String nothing) {
        if (!answer.ok()) {
            return ToolResult.failed(answer.errors().strip());
        }
        String text = answer.text().stripTrailing();
        return ToolResult.done(
                text.isEmpty() ? nothing : answer.cut() ? text + "\n[there is more; ask for a part of it]" : text);
    }
}
