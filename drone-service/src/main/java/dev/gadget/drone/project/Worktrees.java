package dev.gadget.drone.project;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.policy.WorkspaceGit;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.text.Normalizer;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The working trees of sessions, in {@code .worktrees} of the workspace, each on a branch of its own. */
final class Worktrees {
    private static final int SHORT_ID = 8;
    private static final int MAX_NAME = 40;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final Workspace workspace;
    private final Path root;

    Worktrees(Workspace workspace) {
        this.workspace = workspace;
        root = workspace.root();
    }

    /** Where the working tree of a session is, or would be. */
    Path place(String slug, SessionId session) {
        return root.resolve(Workspace.WORKTREES).resolve(slug + "-" + shortened(session));
    }

    /** The working tree of a session, when it is there and leads nowhere else. */
    Optional<Path> find(String slug, SessionId session) {
        Path place = place(slug, session);
        try {
            return Files.exists(place.resolve(".git"), LinkOption.NOFOLLOW_LINKS)
                            && place.toRealPath().equals(place)
                    ? Optional.of(place)
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Of which project there is a working tree of this session. */
    Optional<String> slug(SessionId session) throws IOException {
        Path folder = root.resolve(Workspace.WORKTREES);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        String end = "-" + shortened(session);
        try (Stream<Path> trees = Files.list(folder)) {
            return trees.map(tree -> tree.getFileName().toString())
                    .filter(name -> name.endsWith(end) && name.length() > end.length())
                    .map(name -> name.substring(0, name.length() - end.length()))
                    .findFirst();
        }
    }

    private static String shortened(SessionId session) {
        String id = session.value();
        return id.substring(0, Math.min(SHORT_ID, id.length()));
    }

    /** The branch that a session's working tree begins on. */
    static String branch(SessionId session, String sessionName) {
        String name = Normalizer.normalize(sessionName, Normalizer.Form.NFKD)
                .toLowerCase(Locale.ROOT)
                .replaceAll("\\p{M}+", "")
                .replaceAll("[^a-z0-9]+", "-");
        name = name.substring(0, Math.min(MAX_NAME, name.length())).replaceAll("^-+|-+$", "");
        return "gadget/" + shortened(session) + (name.isEmpty() ? "" : "-" + name);
    }

    /** The working tree of this session, made from the HEAD of the project when it is not there. */
    Path open(Path home, String slug, SessionId session, String sessionName)
            throws IOException, ProjectFailedException {
        Path place = place(slug, session);
        Path folder = root.resolve(Workspace.WORKTREES);
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new ProjectFailedException(
                    FailureCode.WORKSPACE_UNUSABLE,
                    "`.worktrees` of the workspace is no folder, so that the session cannot have a working tree. Move it away.");
        }
        try {
            requireCommit(home);
            // One that a crash cut has only some of its files.
            if (isHalf(home, place)) {
                toRemove(home, place).run("worktree", "remove", "--force", "--force", place.toString());
            }
            if (!Files.exists(place.resolve(".git"))) {
                add(home, place, branch(session, sessionName));
            }
        } catch (GitFailedException e) {
            throw new ProjectFailedException(
                    FailureCode.GIT_FAILED,
                    "The session's working tree cannot be made. " + e.getMessage()
                            + "\nSee what `git worktree list` says in the project, or switch the setting \"Own branch and worktree\" off.");
        }
        if (!place.toRealPath().equals(place)) {
            throw new ProjectFailedException(
                    FailureCode.WORKSPACE_UNUSABLE,
                    "`" + root.relativize(place)
                            + "` leads elsewhere, so that the session cannot work there. Move it away; the next prompt makes it.");
        }
        return place;
    }

    /** Takes the working tree of this session away; its branch stays, and so does a tree with something that is not committed. */
    Optional<String> remove(Path home, String slug, SessionId session) {
        Path place = place(slug, session);
        if (!Files.exists(place.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        // Without force git refuses what would be lost.
        Git.Answer removed = toRemove(home, place).within(LIMIT).run("worktree", "remove", "--", place.toString());
        String shown = "`" + root.relativize(place) + "` ";
        return Optional.of(
                removed.ok()
                        ? shown + "is removed; its branch stays."
                        : shown + "stays: " + removed.errors().strip());
    }

    /** Git that may take the working tree away with what the repository holds of it. */
    private Git toRemove(Path home, Path place) {
        return WorkspaceGit.toWrite(workspace, home, place, home.resolve(".git/worktrees"));
    }

    private void requireCommit(Path home) throws ProjectFailedException {
        if (!Files.exists(home.resolve(".git"))) {
            throw new ProjectFailedException(
                    FailureCode.WORKSPACE_UNUSABLE,
                    "The session wants a branch and a worktree of its own, but " + home
                            + " is no git repository. Make it one (`git init`, then a first commit), or switch the setting off.");
        }
        if (!WorkspaceGit.toRead(workspace, home)
                .run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
                .ok()) {
            throw new ProjectFailedException(
                    FailureCode.WORKSPACE_UNUSABLE,
                    "The session wants a branch and a worktree of its own, but the project has no commit to begin from. Make one, or switch the setting off.");
        }
    }

    /** Git itself marks a working tree for as long as it makes it. */
    private boolean isHalf(Path home, Path place) {
        boolean ours = false;
        for (String line : WorkspaceGit.toRead(workspace, home)
                .run("worktree", "list", "--porcelain")
                .text()
                .lines()
                .toList()) {
            if (line.startsWith("worktree ")) {
                ours = line.equals("worktree " + place);
            } else if (ours && line.equals("locked initializing")) {
                return true;
            }
        }
        return false;
    }

    private void add(Path home, Path place, String branch) throws IOException {
        ignore();
        Git git = WorkspaceGit.toWrite(workspace, home).within(LIMIT);
        git.run("worktree", "prune");
        boolean known = git.run("rev-parse", "--verify", "--quiet", "refs/heads/" + branch)
                .ok();
        if (known) {
            git.ask("worktree", "add", "--", place.toString(), branch);
        } else {
            git.ask("worktree", "add", "--no-track", "-b", branch, "--", place.toString(), "HEAD");
        }
    }

    /** Where the workspace itself is a repository, working trees in it are none of its files. */
    private void ignore() throws IOException {
        Path git = root.resolve(".git");
        if (!Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Path info = git.resolve("info");
        if (Files.isSymbolicLink(info)) {
            return;
        }
        Path exclude = Files.createDirectories(info).resolve("exclude");
        if (Files.isSymbolicLink(exclude)) {
            return;
        }
        String text = Files.exists(exclude) ? Files.readString(exclude, StandardCharsets.UTF_8) : "";
        String line = "/" + Workspace.WORKTREES + "/";
        if (text.lines().noneMatch(line::equals)) {
            Files.writeString(
                    exclude,
                    (text.isEmpty() || text.endsWith("\n") ? "" : "\n") + line + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }
}
