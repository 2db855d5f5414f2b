package dev.gadget.drone.agent;

import dev.gadget.drone.policy.SafeGit;
import dev.gadget.drone.policy.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Branch and changes of a repository. */
final class GitState {
    private static final int MAX_OUTPUT = 200_000;
    private static final Duration WITHIN = Duration.ofSeconds(5);

    private GitState() {}

    /** One line about the repository where the work is. */
    static String of(Workspace workspace) {
        Path root = workspace.base();
        if (!SafeGit.isRepository(root)) {
            return "not a repository";
        }
        try {
            List<String> status =
                    List.of("status", "--porcelain=v1", "--branch", "--ignore-submodules=all", "--no-renames");
            return new SafeGit(workspace, root, WITHIN)
                    .ask(MAX_OUTPUT, status)
                    .map(printed -> summary(printed.text()))
                    .orElse("a repository, of which git says nothing");
        } catch (IOException e) {
            return "a repository, but git cannot be run";
        }
    }

    private static String summary(String porcelain) {
        List<String> lines = porcelain.lines().toList();
        String branch = lines.isEmpty() ? "unknown" : lines.getFirst().replaceFirst("^## ", "");
        int changed = Math.max(0, lines.size() - 1);
        return "branch " + branch + (changed == 0 ? ", clean" : ", " + changed + " changed or new paths");
    }
}
