package dev.gadget.drone.policy;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks git about a repository of a workspace. All that one of these is asked has to end within its time. */
public final class SafeGit {
    private final Workspace workspace;
    private final Path root;
    private final long deadline;
    private @Nullable Git git;

    /** Questions about the repository at this directory of a workspace. */
    public SafeGit(Workspace workspace, Path root, Duration within) {
        this.workspace = workspace;
        this.root = root;
        this.deadline = System.nanoTime() + within.toNanos();
    }

    /** What git printed, up to a bound; {@code complete} when it is all. */
    public record Printed(String text, boolean complete) {}

    /** Whether this directory is the top of a repository. */
    public static boolean isRepository(Path root) {
        return Files.exists(root.resolve(".git"));
    }

    /** What git prints to these arguments, which name paths as they are; nothing when it fails or takes too long. */
    public Optional<Printed> ask(int maxBytes, List<String> arguments) throws IOException {
        try {
            Git known = git;
            if (known == null) {
                known = WorkspaceGit.toRead(workspace, root).with("GIT_LITERAL_PATHSPECS", "1");
                git = known;
            }
            Git.Answer answer = known.within(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))
                    .atMost(maxBytes)
                    .run(arguments.toArray(String[]::new));
            return answer.ok() ? Optional.of(new Printed(answer.text(), !answer.cut())) : Optional.empty();
        } catch (GitFailedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
