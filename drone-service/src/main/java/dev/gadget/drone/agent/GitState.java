package dev.gadget.drone.agent;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What a model is told of the repository that it works in. */
final class GitState {
    private static final int MAX_OUTPUT = 200_000;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private GitState() {}

    /** One line about the repository at this directory. */
    static String of(Path root) {
        if (!Files.exists(root.resolve(".git"))) {
            return "not a repository";
        }
        try {
            Git.Answer status = Git.ofPerson(root)
                    .within(LIMIT)
                    .atMost(MAX_OUTPUT)
                    .run("status", "--porcelain=v1", "--branch", "--ignore-submodules=all", "--no-renames");
            return status.ok() ? summary(status.text()) : "a repository, of which git says nothing";
        } catch (GitFailedException e) {
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
