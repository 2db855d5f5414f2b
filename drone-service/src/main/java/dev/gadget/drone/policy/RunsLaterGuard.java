package dev.gadget.drone.policy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Sets aside what a command made where an editor, a shell or git would run it later. What is there already the sandbox keeps from
 * changing, as far as {@link KeptPaths} go, and the rest is put back; what is not yet there it cannot keep, because a file would have
 * to be put in its place.
 */
public final class RunsLaterGuard implements Closeable {
    /** What stands at the top of a workspace or a repository and runs later. */
    private static final List<String> NAMES = List.of(
            ".gitattributes", ".gitmodules", ".envrc", ".husky", ".githooks", ".vscode", ".idea", ".devcontainer");

    /** What says in git's own folder what runs, or where git finds that. */
    private static final List<String> OF_GIT =
            List.of("config", "config.worktree", "hooks", "info", "commondir", "gitdir");

    /** Those whose commands run. */
    private static final Set<RunsLaterGuard> WATCHING =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final Workspace workspace;
    private final KeptPaths kept;
    private final List<Path> tops;
    private final Set<Path> repositories;
    private final MadeRepository made;
    private final List<Path> absent = new ArrayList<>();
    private final Map<Path, FileContents> before = new HashMap<>();

    /** What a person wrote, or allowed to be written, meanwhile. */
    private final Map<Path, byte[]> allowed = new ConcurrentHashMap<>();

    private boolean open = true;

    private RunsLaterGuard(Workspace workspace, KeptPaths kept) {
        this.workspace = workspace;
        this.kept = kept;
        tops = kept.isFresh() ? kept.tops() : Repositories.all(workspace.root(), kept.tops());
        repositories = tops.stream()
                .filter(top -> Files.exists(top.resolve(".git"), LinkOption.NOFOLLOW_LINKS))
                .collect(Collectors.toSet());
        made = new MadeRepository(workspace, repositories);
    }

    /** Looks at what is there, and what is not, before a command runs. It is over with {@link #told}, or when it is closed. */
    public static RunsLaterGuard before(Workspace workspace) {
        KeptPaths kept = KeptPaths.enter(workspace);
        RunsLaterGuard guard = new RunsLaterGuard(workspace, kept);
        guard.look();
        WATCHING.add(guard);
        return guard;
    }

    private void look() {
        Set<Path> paths = new LinkedHashSet<>();
        for (Path top : tops) {
            paths.addAll(paths(workspace.root(), top));
            paths.addAll(inside(RepositoryParts.modules(workspace.root(), top)));
            paths.addAll(inside(RepositoryParts.trees(workspace.root(), top)));
            paths.add(top.resolve(".git"));
        }
        for (Path path : paths) {
            if (kept.keeps(path)) {
                continue;
            }
            if (path.endsWith(".git")) {
                // A repository that the command makes comes with files of its own.
                if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                        && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    before.put(path, FileContents.of(workspace, path));
                }
            } else if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                before.put(path, FileContents.of(workspace, path));
            } else {
                absent.add(path);
            }
        }
    }

    /** What runs later of the repository at this directory, or of a workspace that is none; not all of it is there. */
    static List<Path> paths(Path root, Path top) {
        List<Path> paths = new ArrayList<>();
        NAMES.forEach(name -> paths.add(top.resolve(name)));
        paths.addAll(inside(RepositoryParts.own(root, top)));
        return paths;
    }

    /** What runs later of these folders of git. */
    static List<Path> inside(List<Path> folders) {
        return folders.stream()
                .flatMap(folder -> OF_GIT.stream().map(folder::resolve))
                .toList();
    }

    /** This was written in the open while commands run: as long as they leave it as it is, it is none of theirs. */
    static void allowed(Path file, byte[] content) {
        synchronized (WATCHING) {
            WATCHING.stream()
                    .filter(guard -> file.startsWith(guard.workspace.root()))
                    .filter(guard -> guard.absent.stream().anyMatch(file::startsWith)
                            || guard.before.keySet().stream().anyMatch(file::startsWith))
                    .forEach(guard -> guard.allowed.put(file, content));
        }
    }

    /** Moves what the command made to the drone's own folder, and says so in words for the model; nothing to say is an empty text. */
    public String told() throws IOException {
        List<String> aside = after();
        return aside.isEmpty()
                ? ""
                : "\n[set aside, because an editor, a shell or git would run it later: " + String.join(", ", aside)
                        + ". Use write_file for such a file; the person is asked.]";
    }

    /** Moves what the command made to the drone's own folder, and puts back what it changed; tells which paths that were. */
    List<String> after() throws IOException {
        try (this) {
            List<String> aside = new ArrayList<>();
            for (Path path : absent) {
                if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                        && !FileContents.of(workspace, path).isOf(path, allowed)) {
                    setAside(path, aside);
                }
            }
            for (Map.Entry<Path, FileContents> known : before.entrySet()) {
                Path path = known.getKey();
                FileContents now = FileContents.of(workspace, path);
                FileContents then = known.getValue().with(path, allowed);
                if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !now.equals(then) && setAside(path, aside)) {
                    then.write(workspace, path);
                }
            }
            for (Path top : Repositories.all(workspace.root(), List.of())) {
                if (isMade(top)) {
                    for (Path path : made.runsLater(top)) {
                        setAside(path, aside);
                    }
                }
            }
            return aside;
        }
    }

    /** Whether there was no repository, or another kind of one. */
    private boolean isMade(Path top) {
        Path git = top.resolve(".git");
        return !repositories.contains(top)
                || !Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS) && !before.containsKey(git);
    }

    /** Through open folders: what has become a link leads out of the workspace, where nothing is the command's. */
    private boolean setAside(Path path, List<String> aside) throws IOException {
        String name = workspace.root().relativize(path).toString();
        Path to = workspace
                .root()
                .resolve(".gadget/set-aside")
                .resolve(UUID.randomUUID().toString().substring(0, 8) + "-" + name.replace('/', '_'));
        try (Folder folder = SafeFiles.parent(workspace, path, false);
                Folder target = SafeFiles.parent(workspace, to, true)) {
            folder.move(SafeFiles.name(path), target, SafeFiles.name(to));
        } catch (PathRefusedException e) {
            return false;
        }
        aside.add(name);
        return true;
    }

    /** The command is over, or was never run. */
    @Override
    public void close() {
        WATCHING.remove(this);
        if (open) {
            open = false;
            kept.leave();
        }
    }
}
