package dev.gadget.drone.policy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks git about the repository at the top of a workspace so that nothing which the repository configures is run. All that one of
 * these is asked has to end within its time.
 */
public final class SafeGit {
    private static final int MAX_NAMES = 200_000;
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
            "core.pager=cat",
            "-c",
            "core.quotePath=false");

    private final Path root;
    private final long deadline;
    private @Nullable List<String> filters;

    /** Questions about the repository at this directory. */
    public SafeGit(Path root, Duration within) {
        this.root = root;
        this.deadline = System.nanoTime() + within.toNanos();
    }

    /** What git printed, up to a bound; {@code complete} when it is all. */
    public record Printed(String text, boolean complete) {}

    /** Whether this directory is the top of a repository. */
    public static boolean isRepository(Path root) {
        return Files.exists(root.resolve(".git"));
    }

    /** What git prints to these arguments; nothing when it fails or takes too long. */
    public Optional<Printed> ask(int maxBytes, List<String> arguments) throws IOException, InterruptedException {
        return run(maxBytes, arguments, filters());
    }

    /** Content filters are commands of the repository, and status and diff would run them. */
    private List<String> filters() throws IOException, InterruptedException {
        List<String> known = filters;
        if (known == null) {
            known = run(MAX_NAMES, List.of("config", "--name-only", "--get-regexp", "^filter\\."), List.of())
                    .map(Printed::text)
                    .orElse("")
                    .lines()
                    .toList();
            filters = known;
        }
        return known;
    }

    private Optional<Printed> run(int maxBytes, List<String> arguments, List<String> silenced)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(SAFE);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        environment(builder.environment(), silenced);
        Process process = builder.start();
        Thread limit = Thread.ofVirtual().start(() -> killLater(process));
        try (InputStream output = process.getInputStream()) {
            byte[] printed = output.readNBytes(maxBytes);
            boolean complete = printed.length < maxBytes || output.read() < 0;
            if (!complete) {
                process.destroyForcibly();
            }
            boolean ended = process.waitFor(left(), TimeUnit.NANOSECONDS);
            return !complete || (ended && process.exitValue() == 0)
                    ? Optional.of(new Printed(new String(printed, StandardCharsets.UTF_8), complete))
                    : Optional.empty();
        } finally {
            process.destroyForcibly();
            limit.interrupt();
        }
    }

    private void environment(Map<String, String> environment, List<String> silenced) {
        environment.keySet().removeIf(name -> name.startsWith("GIT_"));
        // Named here, so that no setting of the repository moves them: core.worktree could be anywhere.
        environment.put("GIT_DIR", root.resolve(".git").toString());
        environment.put("GIT_WORK_TREE", root.toString());
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        environment.put("GIT_OPTIONAL_LOCKS", "0");
        environment.put("GIT_TERMINAL_PROMPT", "0");
        environment.put("GIT_LITERAL_PATHSPECS", "1");
        // A repository that was cloned in part would get what it lacks by commands that it names itself.
        environment.put("GIT_ALLOW_PROTOCOL", "none");
        environment.put("GIT_NO_LAZY_FETCH", "1");
        environment.put("GIT_CONFIG_COUNT", String.valueOf(silenced.size()));
        for (int i = 0; i < silenced.size(); i++) {
            environment.put("GIT_CONFIG_KEY_" + i, silenced.get(i));
            environment.put("GIT_CONFIG_VALUE_" + i, silenced.get(i).endsWith(".required") ? "false" : "");
        }
    }

    private void killLater(Process process) {
        try {
            if (!process.waitFor(left(), TimeUnit.NANOSECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long left() {
        return Math.max(0, deadline - System.nanoTime());
    }
}
