package dev.gadget.drone.project;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import dev.gadget.drone.policy.LocalPolicy;
import dev.gadget.drone.policy.PageRules;
import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.policy.WorkspaceGit;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.workspace.ProjectBook;
import dev.gadget.drone.workspace.WorkspaceState.ClonedProject;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.ProjectState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The projects of one workspace: where they are, and how they come there. */
public final class Projects {
    /** How long a clone may take. */
    public static final Duration CLONE_LIMIT = Duration.ofMinutes(30);

    private static final Pattern SLUG = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
    private static final int MAX_SLUG = 64;

    private final Workspace workspace;
    private final ProjectBook book;
    private final Duration cloneLimit;

    public Projects(Workspace workspace, ProjectBook book, Duration cloneLimit) {
        this.workspace = workspace;
        this.book = book;
        this.cloneLimit = cloneLimit;
    }

    /** Whether there is nothing yet where the project belongs. */
    public boolean isMissing(ProjectRef project) throws ProjectFailedException {
        return project.gitUrl() != null && !Files.exists(place(project), LinkOption.NOFOLLOW_LINKS);
    }

    /** Clones a project that is missing; the lines are git's progress. */
    public void clone(ProjectRef project, Consumer<String> lines, CancelSignal cancel)
            throws IOException, ProjectFailedException {
        String url = Objects.requireNonNull(project.gitUrl(), "gitUrl");
        boolean files = LocalPolicy.of(workspace.root()).clonesFromFiles();
        new ProjectClone(workspace.root(), files, cloneLimit).run(url, place(project), lines, cancel);
        book.cloned(project);
    }

    /** The workspace with the work where this session's is; a working tree that the session wants is made. */
    public Workspace open(ProjectRef project, SessionId session, String sessionName)
            throws IOException, ProjectFailedException {
        Path home = home(project);
        if (project.gitUrl() != null
                && isRepository(home)
                && book.find(project.slug())
                        .filter(known -> Objects.equals(known.gitUrl(), project.gitUrl()))
                        .isEmpty()) {
            book.cloned(project);
        }
        Path base = wantsWorktree(project)
                ? new Worktrees(workspace).open(home, project.slug(), session, sessionName)
                : home;
        return workspace.at(home, base);
    }

    /**
     * The workspace with the work where this session's is, for what a person does there: nothing is made for it.
     *
     * @param looks whether files are only looked at, which are the project's until the session has its own working tree
     */
    public Workspace place(ProjectRef project, SessionId session, boolean looks) throws ProjectFailedException {
        if (isMissing(project)) {
            throw new ProjectFailedException(
                    FailureCode.CONFLICT, "The project is not in this workspace yet: the next prompt clones it.");
        }
        Path home = home(project);
        Optional<Path> base =
                wantsWorktree(project) ? new Worktrees(workspace).find(project.slug(), session) : Optional.of(home);
        if (base.isEmpty() && !looks) {
            throw new ProjectFailedException(
                    FailureCode.CONFLICT,
                    "The session's branch and worktree are made with its next turn. Until then the project's files are only shown.");
        }
        return workspace.at(home, base.orElse(home));
    }

    /** How it stands for this session. */
    public ProjectState look(ProjectRef project, SessionId session, boolean syncing, @Nullable String note)
            throws ProjectFailedException {
        if (isMissing(project)) {
            return new ProjectState(false, project.slug(), null, null, null, null, false, null, null, syncing, note);
        }
        Path home = home(project);
        Optional<ClonedProject> known = book.find(project.slug());
        Path base = base(project, session, home);
        if (!isRepository(base)) {
            return new ProjectState(
                    isRepository(home),
                    shown(base),
                    null,
                    null,
                    null,
                    null,
                    false,
                    known.map(ClonedProject::clonedAt).orElse(null),
                    known.map(ClonedProject::lastSyncAt).orElse(null),
                    syncing,
                    isRepository(home)
                            ? "The session's branch and worktree are made with its next turn."
                            : "It is no git repository.");
        }
        Branch branch = Branch.of(workspace, base);
        return new ProjectState(
                true,
                shown(base),
                branch.name(),
                branch.upstream(),
                branch.ahead(),
                branch.behind(),
                branch.dirty(),
                known.map(ClonedProject::clonedAt).orElse(null),
                known.map(ClonedProject::lastSyncAt).orElse(null),
                syncing,
                note);
    }

    /** Fetches what is new of a project that is there, and brings the session's branch up to it where that loses nothing; what came of it. */
    public String sync(ProjectRef project, SessionId session, CancelSignal cancel)
            throws IOException, ProjectFailedException {
        String url = project.gitUrl();
        if (url == null) {
            throw new ProjectFailedException(
                    FailureCode.CONFLICT,
                    "The project has no git address that it could be synced with. Give it one in its settings.");
        }
        if (isMissing(project)) {
            throw new ProjectFailedException(
                    FailureCode.CONFLICT, "The project is not in this workspace yet: the next prompt clones it.");
        }
        Optional<String> denied = PageRules.of(workspace).refusal("git pull");
        if (denied.isPresent()) {
            throw new ProjectFailedException(FailureCode.FORBIDDEN, denied.get());
        }
        Path home = home(project);
        boolean files = LocalPolicy.of(workspace.root()).clonesFromFiles();
        var sync = new ProjectSync(workspace, home, GitAddress.checked(url, files), files);
        try {
            sync.fetch(cancel);
            book.synced(project);
            Path base = base(project, session, home);
            return isRepository(base) ? sync.forward(base) : "Fetched what is new.";
        } catch (GitFailedException e) {
            throw new ProjectFailedException(
                    FailureCode.GIT_FAILED,
                    "The project cannot be synced. " + RemoteGit.plain(String.valueOf(e.getMessage())));
        }
    }

    /**
     * Removes the working tree of a session that is gone; says what came of it, nothing when it had none.
     *
     * @param project null when it is gone, too: then the tree is found by the session
     */
    public Optional<String> forget(@Nullable ProjectRef project, SessionId session)
            throws IOException, ProjectFailedException {
        var worktrees = new Worktrees(workspace);
        if (project == null) {
            Optional<String> slug = worktrees.slug(session);
            return slug.isEmpty() ? slug : worktrees.remove(homeOf(slug.get()), slug.get(), session);
        }
        if (!wantsWorktree(project) || isMissing(project)) {
            return Optional.empty();
        }
        return worktrees.remove(homeOf(project.slug()), project.slug(), session);
    }

    /** Where the repository of a working tree is, whatever address the project has by now. */
    private Path homeOf(String slug) throws ProjectFailedException {
        return book.find(slug).isPresent() && isRepository(place(slug)) ? workspace.toRead(slug) : workspace.root();
    }

    private Path base(ProjectRef project, SessionId session, Path home) {
        return wantsWorktree(project) ? new Worktrees(workspace).place(project.slug(), session) : home;
    }

    private static boolean wantsWorktree(ProjectRef project) {
        return Boolean.TRUE.equals(project.worktree());
    }

    private static boolean isRepository(Path directory) {
        return Files.exists(directory.resolve(".git"), LinkOption.NOFOLLOW_LINKS);
    }

    private String shown(Path directory) {
        return workspace.show(directory);
    }

    private Path place(ProjectRef project) throws ProjectFailedException {
        return place(project.slug());
    }

    /** Checked here too: the name becomes a path. */
    private Path place(String slug) throws ProjectFailedException {
        if (slug.length() > MAX_SLUG || !SLUG.matcher(slug).matches()) {
            throw new ProjectFailedException(
                    FailureCode.INVALID_FIELD,
                    "A project's slug is lower-case letters and digits with single dashes between, at most " + MAX_SLUG
                            + " characters; this one is not.");
        }
        return workspace.root().resolve(slug);
    }

    /** The project's own directory, which has to be there. */
    private Path home(ProjectRef project) throws ProjectFailedException {
        if (project.gitUrl() == null) {
            requireNoClone(project);
            return workspace.root();
        }
        Path place = place(project);
        Path home;
        try {
            home = workspace.toRead(project.slug());
        } catch (PathRefusedException e) {
            throw new ProjectFailedException(
                    FailureCode.WORKSPACE_UNUSABLE,
                    "`" + project.slug()
                            + "` in the workspace leads elsewhere, so that the project is not worked on. Move it away; the next prompt clones it.");
        }
        if (!Files.isDirectory(home)) {
            throw new ProjectFailedException(
                    FailureCode.WORKSPACE_UNUSABLE,
                    "`" + place
                            + "` is no directory, so that the project cannot be there. Move it away; the next prompt clones it.");
        }
        requireSame(project, home);
        return home;
    }

    /** Without an address its files are looked for in the workspace itself, where those of its clone are not. */
    private void requireNoClone(ProjectRef project) throws ProjectFailedException {
        Optional<ClonedProject> known =
                book.find(project.slug()).filter(one -> one.id().equals(project.id()));
        if (known.isPresent() && isRepository(place(project))) {
            throw new ProjectFailedException(
                    FailureCode.CONFLICT,
                    "The project has no git address any more, but `" + project.slug()
                            + "` in the workspace holds its clone of "
                            + known.get().gitUrl()
                            + ". Give the project that address again; or move `" + project.slug()
                            + "` out of the workspace, and the next prompt works in the workspace itself.");
        }
    }

    /** Whoever has changed the clone's remote by hand has said that it is the same repository under another address. */
    private void requireSame(ProjectRef project, Path home) throws ProjectFailedException {
        Optional<ClonedProject> known = book.find(project.slug());
        if (known.isEmpty()
                || Objects.equals(known.get().gitUrl(), project.gitUrl())
                || Objects.equals(origin(home), project.gitUrl())) {
            return;
        }
        String slug = project.slug();
        throw new ProjectFailedException(
                FailureCode.CONFLICT,
                known.get().id().equals(project.id())
                        ? "`" + slug + "` in the workspace is a clone of "
                                + known.get().gitUrl()
                                + ", but the address of the project is " + project.gitUrl()
                                + " now. If that is the same repository, run `git remote set-url origin "
                                + project.gitUrl() + "` in `" + slug + "`; if not, move `" + slug
                                + "` out of the workspace, and the next prompt clones what is there."
                                + " Or give the project the old address again."
                        : "`" + slug + "` in the workspace holds another project, of "
                                + known.get().gitUrl() + ". Move it away, or give this project another slug.");
    }

    private @Nullable String origin(Path home) {
        Git.Answer url = WorkspaceGit.toRead(workspace, home).run("config", "--get", "remote.origin.url");
        return url.ok() ? url.text().strip() : null;
    }
}
