package dev.gadget.drone.file;

import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.tool.FileWalk;
import dev.gadget.drone.tool.ToolFailedException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.file.FileQuestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Finds files by a part of their name. Of the questions about one place the latest goes on: each letter that is typed asks anew. */
final class FoundFiles {
    private static final int MOST_TOLD = 50;
    private static final int MOST_FOUND = 5_000;
    private static final int MOST_SEEN = 500_000;
    private static final long WITHIN_NANOS = Duration.ofSeconds(5).toNanos();

    private final Map<Path, CancelSignal> running = new ConcurrentHashMap<>();

    Reply find(Workspace workspace, FileQuestion.FindFiles question) throws IOException {
        Path folder = workspace.toRead(question.path());
        if (!Files.isDirectory(folder)) {
            throw new NotDirectoryException(workspace.show(folder));
        }
        var cancel = new CancelSignal();
        CancelSignal before = running.put(workspace.base(), cancel);
        if (before != null) {
            before.cancel();
        }
        try {
            return find(workspace, folder, question.name().toLowerCase(Locale.ROOT), cancel);
        } catch (ToolFailedException e) {
            return Reply.refused(FailureCode.WORKSPACE_UNUSABLE, String.valueOf(e.getMessage()));
        } finally {
            running.remove(workspace.base(), cancel);
        }
    }

    private static Reply find(Workspace workspace, Path folder, String name, CancelSignal cancel) throws IOException {
        List<Path> found = new ArrayList<>();
        long until = System.nanoTime() + WITHIN_NANOS;
        int[] seen = {0};
        boolean[] enough = {false};
        Path worktrees = workspace.root().resolve(Workspace.WORKTREES);
        FileWalk.over(workspace, folder, cancel, (path, directory) -> {
            // The working trees of other sessions are no places to find a file of this one in.
            if (!directory
                    && named(path).contains(name)
                    && (folder.startsWith(worktrees) || !path.startsWith(worktrees))) {
                found.add(path);
            }
            enough[0] = ++seen[0] > MOST_SEEN || found.size() >= MOST_FOUND || System.nanoTime() > until;
            return !enough[0];
        });
        List<String> told = found.stream()
                .sorted(Comparator.comparing((Path path) -> !named(path).startsWith(name))
                        .thenComparing(Path::getNameCount)
                        .thenComparing(workspace::show))
                .limit(MOST_TOLD)
                .map(workspace::show)
                .toList();
        return Reply.of(
                new FileAnswer.FilesFound(told, !enough[0] && !cancel.cancelled() && told.size() == found.size()));
    }

    private static String named(Path path) {
        return String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
    }
}
