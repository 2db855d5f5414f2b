package dev.gadget.drone.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Sets aside what a command made where an editor, a shell or git would run it later. What is there already the sandbox keeps from
 * changing; what is not yet there it cannot, because a file would have to be put in its place.
 */
public final class RunsLaterGuard {
    /** What stands at the top of a workspace or a repository and runs later. */
    static final List<String> NAMES = List.of(
            ".git/config",
            ".git/hooks",
            ".git/info",
            ".gitattributes",
            ".gitmodules",
            ".envrc",
            ".husky",
            ".githooks",
            ".vscode",
            ".idea",
            ".devcontainer");

    private static final int MOST_LOOKED_AT = 1000;

    /** Those whose commands run. */
    private static final Set<RunsLaterGuard> WATCHING =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final Path workspace;
    private final List<Path> absent;

    /** What a person wrote, or allowed to be written, meanwhile. */
    private final Map<Path, byte[]> allowed = new ConcurrentHashMap<>();

    private RunsLaterGuard(Path workspace, List<Path> absent) {
        this.workspace = workspace;
        this.absent = absent;
    }

    /** Looks at what is not there before a command runs. */
    public static RunsLaterGuard before(Path workspace) {
        List<Path> absent = new ArrayList<>();
        for (Path top : Repositories.tops(workspace)) {
            boolean repository = Files.isDirectory(top.resolve(".git"), LinkOption.NOFOLLOW_LINKS);
            for (String name : NAMES) {
                Path path = top.resolve(name);
                // A repository that the command makes comes with files of its own.
                if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS) && (repository || !name.startsWith(".git/"))) {
                    absent.add(path);
                }
            }
        }
        RunsLaterGuard guard = new RunsLaterGuard(workspace, absent);
        WATCHING.add(guard);
        return guard;
    }

    /** This was written in the open while commands run: as long as they leave it as it is, it is none of theirs. */
    static void allowed(Path file, byte[] content) {
        synchronized (WATCHING) {
            WATCHING.stream()
                    .filter(guard -> guard.absent.stream().anyMatch(file::startsWith))
                    .forEach(guard -> guard.allowed.put(file, content));
        }
    }

    private boolean isAllowed(Path made) throws IOException {
        try (Stream<Path> below = Files.walk(made)) {
            for (Path path : below.limit(MOST_LOOKED_AT).toList()) {
                byte[] content = allowed.get(path);
                boolean same = content == null
                        ? Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && !allowed.isEmpty()
                        : Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                                && Files.size(path) == content.length
                                && Arrays.equals(Files.readAllBytes(path), content);
                if (!same) {
                    return false;
                }
            }
            return allowed.keySet().stream().anyMatch(file -> file.startsWith(made));
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

    /** Moves what the command made to the drone's own folder; tells which paths that were. */
    List<String> after() throws IOException {
        WATCHING.remove(this);
        List<String> aside = new ArrayList<>();
        for (Path path : absent) {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !isAllowed(path)) {
                Path folder = Files.createDirectories(workspace.resolve(".gadget/set-aside"));
                String name = workspace.relativize(path).toString();
                Files.move(
                        path,
                        folder.resolve(UUID.randomUUID().toString().substring(0, 8) + "-" + name.replace('/', '_')));
                aside.add(name);
            }
        }
        return aside;
    }
}
