package dev.gadget.drone.file;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.policy.WorkspaceGit;
import dev.gadget.model.FailureCode;
import dev.gadget.model.file.FileAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Commits files as they are now, whatever else is staged; nothing that the repository would run is run. */
final class GitCommit {
    /** Shorter than the service waits, so that it learns what took so long. */
    private static final Duration WITHIN = Duration.ofSeconds(12);

    private static final List<String> HOOKS = List.of("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit");

    private final Workspace workspace;

    GitCommit(Workspace workspace) {
        this.workspace = workspace;
    }

    Reply commit(List<String> paths, String message) throws IOException {
        List<String> shown = paths.stream()
                .map(path -> workspace.show(workspace.toChange(path)))
                .toList();
        if (shown.isEmpty() || message.isBlank()) {
            return Reply.refused(
                    FailureCode.INVALID_FIELD, "A commit needs a message, and at least one file. Say what it does.");
        }
        List<Repository> all = Repository.of(workspace);
        Set<Optional<Repository>> concerned = new HashSet<>();
        shown.forEach(path -> concerned.add(Repository.innermost(all, path)));
        if (concerned.size() != 1) {
            return Reply.refused(
                    FailureCode.INVALID_FIELD,
                    "These files are in different repositories. Commit those of one, and then those of the other.");
        }
        Optional<Repository> repository = concerned.iterator().next();
        if (repository.isEmpty()) {
            return Reply.refused(
                    FailureCode.CONFLICT, "There is no repository to commit to. `git init` in a terminal makes one.");
        }
        try {
            return commit(
                    repository.get().root(),
                    shown.stream().map(repository.get()::own).toList(),
                    message);
        } catch (GitFailedException e) {
            return notDone(String.valueOf(e.getMessage()));
        }
    }

    private Reply commit(Path root, List<String> paths, String message) throws IOException {
        Git git = WorkspaceGit.toWrite(workspace, root)
                .with("GIT_LITERAL_PATHSPECS", "1")
                .within(WITHIN);
        Optional<String> needed = needed(git, root);
        if (needed.isPresent()) {
            return Reply.refused(
                    FailureCode.CONFLICT,
                    needed.get()
                            + " That is not run here, so nothing was committed. Commit in a terminal, or ask the agent to.");
        }
        // Git commits a file as it is now only when it knows of it.
        List<String> unknown = git.ask(with(List.of("ls-files", "-z", "--others", "--"), paths))
                .items();
        if (!unknown.isEmpty()) {
            git.ask(with(List.of("add", "--intent-to-add", "--"), unknown));
        }
        Git.Answer committed = git.input(message)
                .run(with(
                        List.of(
                                "commit",
                                "--quiet",
                                "--no-verify",
                                "--no-gpg-sign",
                                "--cleanup=strip",
                                "-F",
                                "-",
                                "--only",
                                "--"),
                        paths));
        if (!committed.ok()) {
            if (!unknown.isEmpty()) {
                git.run(with(List.of("rm", "--quiet", "--cached", "--"), unknown));
            }
            return notDone((committed.errors() + committed.text()).strip());
        }
        return Reply.of(new FileAnswer.ChangesCommitted(
                git.ask("rev-parse", "--short", "HEAD").text().strip()));
    }

    private static String[] with(List<String> command, List<String> paths) {
        return Stream.concat(command.stream(), paths.stream()).toArray(String[]::new);
    }

    private static Reply notDone(String said) {
        return Reply.refused(
                FailureCode.GIT_FAILED,
                said.isBlank() ? "Git made no commit, and did not say why." : "Git made no commit: " + said);
    }

    /** What this repository would run to make a commit. */
    private static Optional<String> needed(Git git, Path root) throws IOException {
        if (git.leavesFiltersOut()) {
            return Optional.of("The repository converts files by commands of its own (content filters such as LFS).");
        }
        Set<String> hooks = hooks(hooksOf(git, root));
        if (!hooks.isEmpty()) {
            return Optional.of("The repository has hooks for a commit (" + String.join(", ", hooks) + ").");
        }
        return setting(git, "commit.gpgSign")
                        .filter(value -> !value.equals("false"))
                        .isPresent()
                ? Optional.of("Commits have to be signed here (commit.gpgSign).")
                : Optional.empty();
    }

    private static Path hooksOf(Git git, Path root) {
        Optional<String> configured = setting(git, "core.hooksPath");
        if (configured.isPresent()) {
            String path = configured.get();
            return path.startsWith("~/")
                    ? Path.of(System.getProperty("user.home"), path.substring(2))
                    : root.resolve(path);
        }
        return root.resolve(git.ask("rev-parse", "--git-common-dir").text().strip())
                .resolve("hooks");
    }

    private static Set<String> hooks(Path folder) {
        Set<String> found = new TreeSet<>();
        for (String hook : HOOKS) {
            if (Files.isExecutable(folder.resolve(hook))) {
                found.add(hook);
            }
        }
        return found;
    }

    /** What the person or the repository set, not what every call here sets. */
    private static Optional<String> setting(Git git, String name) {
        List<String> values = new ArrayList<>();
        for (String line : git.run("config", "--show-scope", "--get-all", name)
                .text()
                .lines()
                .toList()) {
            int end = line.indexOf('\t');
            if (end > 0 && !line.startsWith("command\t")) {
                values.add(line.substring(end + 1));
            }
        }
        return values.isEmpty() ? Optional.empty() : Optional.of(values.getLast());
    }
}
