package dev.gadget.drone.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the sandbox of a workspace keeps from changing, and what may be changed but neither moved nor replaced so that what is kept
 * stays where it is. It is found while nothing runs in the sandbox and holds until nothing runs there any more: what a command makes
 * or swaps while another one starts is not looked at, and cannot lead the drone to something that commands do not see.
 */
final class KeptPaths {
    /** Each is one more mount for every command, and the time for one grows with their number. */
    private static final int MOST_MOUNTS = 80;

    private static final Map<Path, KeptPaths> NOW = new HashMap<>();

    private final Path workspace;
    private final Map<Path, Boolean> writable;
    private final List<Path> tops;
    private int inside;

    private KeptPaths(Path workspace, List<Path> tops, Map<Path, Boolean> writable) {
        this.workspace = workspace;
        this.tops = tops;
        this.writable = writable;
    }

    /** Those of a workspace, for something that runs in its sandbox until it is told that it left. */
    static KeptPaths enter(Workspace workspace) {
        synchronized (NOW) {
            KeptPaths now = NOW.computeIfAbsent(workspace.root(), root -> find(root, projects(workspace)));
            now.inside++;
            return now;
        }
    }

    void leave() {
        synchronized (NOW) {
            if (--inside == 0) {
                NOW.remove(workspace, this);
            }
        }
    }

    /** Those that hold now. */
    static KeptPaths of(Workspace workspace) {
        return of(workspace.root(), projects(workspace));
    }

    /** The same for a workspace without a project of its own. */
    static KeptPaths of(Path workspace) {
        return of(workspace, List.of(workspace));
    }

    private static KeptPaths of(Path root, List<Path> first) {
        synchronized (NOW) {
            KeptPaths now = NOW.get(root);
            return now == null ? find(root, first) : now;
        }
    }

    private static List<Path> projects(Workspace workspace) {
        return List.of(workspace.base(), workspace.home(), workspace.root());
    }

    /** The repositories, known when it was found. */
    List<Path> tops() {
        return tops;
    }

    /** Whether it was found for the one thing that runs in the sandbox. */
    boolean isFresh() {
        synchronized (NOW) {
            return inside == 1;
        }
    }

    /** Whether nothing in the sandbox can change this. */
    boolean keeps(Path path) {
        synchronized (NOW) {
            return writable.entrySet().stream().anyMatch(entry -> !entry.getValue() && path.startsWith(entry.getKey()));
        }
    }

    /** By path, whether it may be written; what is above comes first. */
    Map<Path, Boolean> without(List<Path> freed) {
        Map<Path, Boolean> rest;
        synchronized (NOW) {
            // What was taken away meanwhile is nobody's to bind again: a command may put a link there.
            writable.keySet().removeIf(path -> !isItself(path));
            rest = new LinkedHashMap<>(writable);
        }
        rest.keySet().removeIf(path -> freed.stream().anyMatch(path::startsWith));
        return rest;
    }

    private static KeptPaths find(Path root, List<Path> first) {
        List<Path> tops = Repositories.all(root, first);
        Map<Path, Boolean> chosen = new HashMap<>();
        for (Path top : tops) {
            Map<Path, Boolean> more = new HashMap<>(chosen);
            RunsLaterGuard.paths(root, top).forEach(path -> add(more, root, path, false));
            Path git = top.resolve(".git");
            // Of a working tree it says where its repository is.
            add(more, root, git, !Files.isRegularFile(git, LinkOption.NOFOLLOW_LINKS));
            chosen = atMost(chosen, more);
        }
        for (Path top : tops) {
            for (Path module : RepositoryParts.modules(root, top)) {
                Map<Path, Boolean> more = new HashMap<>(chosen);
                RunsLaterGuard.inside(List.of(module)).forEach(path -> add(more, root, path, false));
                chosen = atMost(chosen, more);
            }
        }
        return new KeptPaths(root, tops, sorted(chosen));
    }

    private static Map<Path, Boolean> atMost(Map<Path, Boolean> chosen, Map<Path, Boolean> more) {
        return more.size() > MOST_MOUNTS ? chosen : more;
    }

    private static Map<Path, Boolean> sorted(Map<Path, Boolean> chosen) {
        Map<Path, Boolean> sorted = new LinkedHashMap<>();
        List<Path> kept = new ArrayList<>();
        for (Path path : chosen.keySet().stream()
                .sorted(Comparator.comparingInt(Path::getNameCount).thenComparing(path -> path))
                .toList()) {
            boolean writes = Boolean.TRUE.equals(chosen.get(path));
            // What is in something that is kept is kept with it.
            if (kept.stream().noneMatch(path::startsWith)) {
                sorted.put(path, writes);
                if (!writes) {
                    kept.add(path);
                }
            }
        }
        return sorted;
    }

    /** No link is followed: it could lead to what is hidden. */
    private static void add(Map<Path, Boolean> found, Path root, Path path, boolean writes) {
        if (path.equals(root) || !path.startsWith(root) || !isItself(path)) {
            return;
        }
        found.merge(path, writes, Boolean::logicalAnd);
        for (Path above = path.getParent(); above != null && !above.equals(root); above = above.getParent()) {
            found.putIfAbsent(above, true);
        }
    }

    private static boolean isItself(Path path) {
        try {
            return path.toRealPath().equals(path);
        } catch (IOException e) {
            return false;
        }
    }
}
