package dev.gadget.drone.project;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.policy.WorkspaceGit;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.workspace.GadgetFolder;
import dev.gadget.model.FailureCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Brings a project up to date. What is new is fetched by a repository of the drone's own, which puts the objects into the project's
 * and reads none of its settings: an address, a helper or a command that an agent wrote there is never used.
 */
final class ProjectSync {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final String FOLDER = ".gadget/fetches";
    private static final String REMOTE = "refs/remotes/origin/";

    private final Workspace workspace;
    private final Path root;
    private final Path home;
    private final String url;
    private final boolean files;

    ProjectSync(Workspace workspace, Path home, String url, boolean files) {
        this.workspace = workspace;
        root = workspace.root();
        this.home = home;
        this.url = url;
        this.files = files;
    }

    /** Fetches; the branches of the remote are then in the project, and those that it has no more are gone. */
    void fetch(CancelSignal cancel) throws IOException, ProjectFailedException {
        Path objects = home.resolve(".git/objects");
        if (!Files.isDirectory(home.resolve(".git"), LinkOption.NOFOLLOW_LINKS)
                || !Files.isDirectory(objects, LinkOption.NOFOLLOW_LINKS)) {
            throw new ProjectFailedException(
                    FailureCode.WORKSPACE_UNUSABLE,
                    "`" + root.relativize(home) + "` is no git repository of its own, so that it cannot be synced.");
        }
        Path folder = root.resolve(FOLDER);
        GadgetFolder.removeAll(folder);
        Path own = Files.createDirectories(folder.resolve("fetch"));
        try {
            requireOwnObjects(objects);
            Git person = WorkspaceGit.toWrite(workspace, home);
            Git remote = RemoteGit.in(own, files);
            String format =
                    person.ask("rev-parse", "--show-object-format").text().strip();
            remote.ask("init", "--quiet", "--bare", "--template=", "--object-format=" + format, own.toString());
            copyShallow(own);
            Git inOwn = remote.with("GIT_DIR", own.toString()).with("GIT_OBJECT_DIRECTORY", objects.toString());
            Map<String, String> before = refs(person);
            write(inOwn, Map.of(), before);
            Git.Answer answer = inOwn.within(LIMIT)
                    .heardBy(text -> {}, cancel)
                    .run(
                            // Its refs are not all that the project needs: nothing may be tidied up from here.
                            "-c",
                            "gc.auto=0",
                            "-c",
                            "maintenance.auto=false",
                            "fetch",
                            "--prune",
                            "--no-recurse-submodules",
                            "--no-write-fetch-head",
                            "--",
                            url,
                            "+refs/heads/*:" + REMOTE + "*");
            require(answer, cancel);
            write(person, before, refs(inOwn));
        } finally {
            GadgetFolder.removeAll(folder);
        }
    }

    /** What is fetched is written there outside of the sandbox: nothing of it may lead elsewhere. */
    private void requireOwnObjects(Path objects) throws IOException, ProjectFailedException {
        try (Stream<Path> entries = Files.list(objects)) {
            if (entries.anyMatch(Files::isSymbolicLink)
                    || Files.exists(objects.resolve("info/alternates"), LinkOption.NOFOLLOW_LINKS)) {
                throw new ProjectFailedException(
                        FailureCode.WORKSPACE_UNUSABLE,
                        "`" + root.relativize(objects)
                                + "` has parts that are elsewhere (a link, or info/alternates), so that the project cannot be"
                                + " synced. Fetch in a terminal, or `git repack -a -d` and remove what leads elsewhere.");
            }
        }
    }

    private void require(Git.Answer answer, CancelSignal cancel) throws ProjectFailedException {
        if (cancel.cancelled()) {
            throw new ProjectFailedException(FailureCode.CANCELLED, "The sync was stopped.");
        }
        if (!answer.ok()) {
            throw new ProjectFailedException(
                    FailureCode.GIT_FAILED,
                    answer.status() == Git.TOO_LONG
                            ? "The fetch took longer than " + LIMIT.toMinutes() + " minutes and was ended. Try again."
                            : "The project cannot be fetched. Git says:\n" + RemoteGit.reason(answer.errors())
                                    + "\nSee whether `git ls-remote " + url
                                    + "` works on the drone's machine as the user of the drone.");
        }
    }

    /** A history that begins somewhere says so in this file. */
    private void copyShallow(Path own) throws IOException {
        Path shallow = home.resolve(".git/shallow");
        if (Files.isRegularFile(shallow, LinkOption.NOFOLLOW_LINKS)) {
            Files.copy(shallow, own.resolve("shallow"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** The branches of the remote and the tags, with what they name; a name that stands for another is left out. */
    private static Map<String, String> refs(Git git) {
        Map<String, String> refs = new LinkedHashMap<>();
        git.ask("for-each-ref", "--format=%(objectname) %(refname) %(symref)", REMOTE, "refs/tags")
                .text()
                .lines()
                .map(line -> line.split(" ", 3))
                .filter(fields -> fields.length > 1 && (fields.length < 3 || fields[2].isEmpty()))
                .forEach(fields -> refs.put(fields[1], fields[0]));
        return refs;
    }

    /** What changed between the two; a tag that is there stays what it is. */
    private static void write(Git git, Map<String, String> before, Map<String, String> after) {
        StringBuilder commands = new StringBuilder();
        after.forEach((name, object) -> {
            boolean tag = name.startsWith("refs/tags/");
            if (!object.equals(before.get(name)) && !(tag && before.containsKey(name))) {
                commands.append("update ")
                        .append(name)
                        .append(' ')
                        .append(object)
                        .append('\n');
            }
        });
        before.keySet().stream()
                .filter(name -> name.startsWith(REMOTE) && !after.containsKey(name))
                .forEach(name -> commands.append("delete ").append(name).append('\n'));
        if (!commands.isEmpty()) {
            git.input(commands.toString()).ask("update-ref", "--no-deref", "--stdin");
        }
    }

    /** Brings what is checked out here up to its upstream when that loses nothing; what came of it. */
    String forward(Path base) throws ProjectFailedException {
        Branch branch = Branch.of(workspace, base);
        String name = branch.name();
        if (name == null) {
            return "Fetched. No branch is checked out, so that nothing went forward.";
        }
        String upstream = branch.upstream();
        Integer behind = branch.behind();
        if (!branch.tracks() || upstream == null || behind == null || branch.ahead() == null) {
            return "Fetched. " + name + " tracks no branch of the remote, so that it stays as it is.";
        }
        if (behind == 0) {
            return name + " has all of " + upstream + ".";
        }
        if (branch.ahead() > 0) {
            return "Fetched. " + name + " and " + upstream + " went different ways (" + branch.ahead()
                    + " commits here, " + behind + " there), so that it stays as it is. Merge or rebase it.";
        }
        if (branch.changed()) {
            return "Fetched. " + name + " is " + behind + " commits behind " + upstream
                    + ", and stays there because files were changed and not committed. Commit or stash them, and sync again.";
        }
        Git.Answer merged = WorkspaceGit.toWrite(workspace, base)
                .within(LIMIT)
                .run("merge", "--ff-only", "--quiet", "--no-verify", "--no-stat", "@{upstream}");
        if (!merged.ok()) {
            throw new GitFailedException("It was fetched, but " + name + " could not go forward: "
                    + merged.errors().strip());
        }
        return name + " went forward by " + behind + (behind == 1 ? " commit." : " commits.");
    }
}
