package dev.gadget.drone.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Branch and changes of a repository, asked so that nothing which the repository configures is run. */
final class GitState {
    private static final int MAX_OUTPUT = 200_000;
    private static final int MAX_SECONDS = 5;
    private static final List<String> SAFE = List.of(
            "git",
            "--no-pager",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "protocol.ext.allow=never",
            "-c",
            "core.pager=cat");

    private GitState() {}

    /** One line about the repository at this directory. */
    static String of(Path root) {
        if (!Files.exists(root.resolve(".git"))) {
            return "not a repository";
        }
        try {
            List<String> filters = git(root, List.of("config", "--name-only", "--get-regexp", "^filter\\."), List.of())
                    .orElse("")
                    .lines()
                    .toList();
            List<String> status =
                    List.of("status", "--porcelain=v1", "--branch", "--ignore-submodules=all", "--no-renames");
            return git(root, status, filters).map(GitState::summary).orElse("a repository, of which git says nothing");
        } catch (IOException e) {
            return "a repository, but git cannot be run";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "a repository";
        }
    }

    private static String summary(String porcelain) {
        List<String> lines = porcelain.lines().toList();
        String branch = lines.isEmpty() ? "unknown" : lines.getFirst().replaceFirst("^## ", "");
        int changed = Math.max(0, lines.size() - 1);
        return "branch " + branch + (changed == 0 ? ", clean" : ", " + changed + " changed or new paths");
    }

    private static Optional<String> git(Path root, List<String> arguments, List<String> filters)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(SAFE);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("GIT_"));
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        environment.put("GIT_OPTIONAL_LOCKS", "0");
        environment.put("GIT_TERMINAL_PROMPT", "0");
        // Content filters are commands of the repository, and status would run them.
        environment.put("GIT_CONFIG_COUNT", String.valueOf(filters.size()));
        for (int i = 0; i < filters.size(); i++) {
            environment.put("GIT_CONFIG_KEY_" + i, filters.get(i));
            environment.put("GIT_CONFIG_VALUE_" + i, filters.get(i).endsWith(".required") ? "false" : "");
        }
        Process process = builder.start();
        Thread limit = Thread.ofVirtual().start(() -> killLater(process));
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readNBytes(MAX_OUTPUT), StandardCharsets.UTF_8);
            boolean ended = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
            return ended && process.exitValue() == 0 ? Optional.of(text) : Optional.empty();
        } finally {
            process.destroyForcibly();
            limit.interrupt();
        }
    }

    private static void killLater(Process process) {
        try {
            if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
