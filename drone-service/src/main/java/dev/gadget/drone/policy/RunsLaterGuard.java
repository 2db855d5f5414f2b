package dev.gadget.drone.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

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

    private final Path workspace;
    private final List<Path> absent;

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
        return new RunsLaterGuard(workspace, absent);
    }

    /** Moves what the command made to the drone's own folder; tells which paths that were. */
    public List<String> after() throws IOException {
        List<String> aside = new ArrayList<>();
        for (Path path : absent) {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
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
