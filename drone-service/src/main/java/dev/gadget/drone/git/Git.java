package dev.gadget.drone.git;

import dev.gadget.drone.process.ProcessMarks;
import dev.gadget.drone.process.ProcessTree;
import dev.gadget.drone.process.SandboxThread;
import dev.gadget.drone.provider.CancelSignal;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs git so that nothing which a repository configures is run (no hooks, no file system monitor, no pager, no filters, no
 * external diff) and nothing waits for a person. Every call has a time limit and a bound on its output.
 */
public final class Git {
    private static final Logger LOG = Logger.getLogger(Git.class);
    private static final List<String> SAFE = List.of(
            "git",
            "--no-pager",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "core.pager=cat",
            "-c",
            "core.editor=true",
            "-c",
            "core.quotePath=false",
            "-c",
            "protocol.ext.allow=never",
            "-c",
            "log.showSignature=false",
            "-c",
            "commit.gpgSign=false",
            "-c",
            "tag.gpgSign=false",
            "-c",
            "submodule.recurse=false");
    /** Of the environment, what git takes for the owner's and a sandbox may know. */
    private static final Set<String> OWNER =
            Set.of("PATH", "HOME", "USER", "LOGNAME", "TZ", "TMPDIR", "EMAIL", "LD_LIBRARY_PATH");

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int MAX_OUTPUT = 8 << 20;
    private static final int MAX_ERRORS = 4000;

    /** The status of what was ended because its time was over. */
    public static final int TOO_LONG = 124;

    private final Path directory;
    private final Map<String, String> environment;
    private final byte[] input;
    private final Duration limit;
    private final int maxOutput;
    private final Heard heard;
    private final @Nullable Sandboxing sandbox;

    private Git(
            Path directory,
            Map<String, String> environment,
            byte[] input,
            Duration limit,
            int maxOutput,
            Heard heard,
            @Nullable Sandboxing sandbox) {
        this.directory = directory;
        this.environment = Map.copyOf(environment);
        this.input = input;
        this.limit = limit;
        this.maxOutput = maxOutput;
        this.heard = heard;
        this.sandbox = sandbox;
    }

    /** Who hears what it says of its progress while it runs, and may stop it; nobody when {@code said} is null. */
    private record Heard(@Nullable Consumer<String> said, CancelSignal cancel) {}

    /**
     * What it said.
     *
     * @param status its exit status; {@link #TOO_LONG} when it took too long
     * @param cut whether it had more to say than is kept
     */
    public record Answer(int status, byte[] output, String errors, boolean cut) {
        public boolean ok() {
            return status == 0;
        }

        public String text() {
            return new String(output, StandardCharsets.UTF_8);
        }

        /** What {@code -z} separates. */
        public List<String> items() {
            return Arrays.stream(text().split("\0"))
                    .filter(item -> !item.isEmpty())
                    .toList();
        }
    }

    /** Git in this directory; a repository above its parent is not looked for. */
    public static Git in(Path directory) {
        Path parent = directory.getParent();
        return new Git(
                directory,
                parent == null ? Map.of() : Map.of("GIT_CEILING_DIRECTORIES", parent.toString()),
                new byte[0],
                LIMIT,
                MAX_OUTPUT,
                new Heard(null, new CancelSignal()),
                null);
    }

    /** Whose work tree is this directory whatever the repository in it says, and which gets nothing from elsewhere. */
    public Git fixed() {
        // Named here, so that no setting of the repository moves them: core.worktree could be anywhere.
        return with("GIT_DIR", directory.resolve(".git").toString())
                .with("GIT_WORK_TREE", directory.toString())
                // A repository that was cloned in part would get what it lacks by commands that it names itself.
                .with("GIT_ALLOW_PROTOCOL", "none")
                .with("GIT_NO_LAZY_FETCH", "1");
    }

    /** For which these content filters, by key, do nothing: they are commands of the repository, and status would run them. */
    public Git without(List<String> filters) {
        Git git = this;
        for (int i = 0; i < filters.size(); i++) {
            git = git.with("GIT_CONFIG_KEY_" + i, filters.get(i))
                    .with("GIT_CONFIG_VALUE_" + i, filters.get(i).endsWith(".required") ? "false" : "");
        }
        return git.with("GIT_CONFIG_COUNT", String.valueOf(filters.size()));
    }

    /** Whether there are content filters that do nothing in it. */
    public boolean leavesFiltersOut() {
        return environment.containsKey("GIT_CONFIG_KEY_0");
    }

    /** The content filters that are configured, by key; it throws unless all of them are known by name. */
    public List<String> filters() {
        Answer answer = run("config", "-z", "--name-only", "--get-regexp", "^filter\\.");
        if (answer.status() > 1 || answer.cut()) {
            throw new GitFailedException("git config: "
                    + (answer.errors().isBlank()
                            ? "the settings of the repository cannot be read"
                            : answer.errors().strip()));
        }
        // Another name than git has for it would switch nothing off.
        if (!Arrays.equals(answer.text().getBytes(StandardCharsets.UTF_8), answer.output())) {
            throw new GitFailedException("The repository's settings name a content filter in bytes that are no text"
                    + " (UTF-8), so that it cannot be switched off. Nothing is done there; remove that section of"
                    + " .git/config.");
        }
        return answer.items();
    }

    /** Which runs in a sandbox, and gets nothing of the drone's environment but what says who and where the owner is. */
    public Git inSandbox(Sandboxing how) {
        return new Git(directory, environment, input, limit, maxOutput, heard, how);
    }

    public Git with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(environment);
        more.put(name, value);
        return new Git(directory, more, input, limit, maxOutput, heard, sandbox);
    }

    public Git input(String text) {
        return new Git(directory, environment, text.getBytes(StandardCharsets.UTF_8), limit, maxOutput, heard, sandbox);
    }

    public Git within(Duration time) {
        return new Git(directory, environment, input, time, maxOutput, heard, sandbox);
    }

    public Git atMost(int bytes) {
        return new Git(directory, environment, input, limit, bytes, heard, sandbox);
    }

    /** Tells what it says beside its output while it runs, and ends it with all that it started on cancel. */
    public Git heardBy(Consumer<String> said, CancelSignal cancel) {
        return new Git(directory, environment, input, limit, maxOutput, new Heard(said, cancel), sandbox);
    }

    /** Ends it with all that it started on cancel. */
    public Git stoppedBy(CancelSignal cancel) {
        return new Git(directory, environment, input, limit, maxOutput, new Heard(heard.said(), cancel), sandbox);
    }

    /** What git says to this; it throws when git says that it failed, in git's words. */
    public Answer ask(String... arguments) {
        Answer answer = run(arguments);
        if (!answer.ok()) {
            throw new GitFailedException("git " + arguments[0] + ": "
                    + (answer.errors().isBlank()
                            ? "ended with " + answer.status()
                            : answer.errors().strip()));
        }
        return answer;
    }

    /** What git says to this, whether it worked or not; it throws only when git cannot be run. */
    public Answer run(String... arguments) {
        List<String> command = new ArrayList<>(SAFE);
        command.addAll(List.of(arguments));
        Sandboxing how = sandbox;
        if (how == null) {
            return run(new ProcessBuilder(command), false);
        }
        Sandboxing.Inside inside = how.enter(command);
        try {
            return run(new ProcessBuilder(inside.line()), true);
        } finally {
            inside.left().run();
        }
    }

    private Answer run(ProcessBuilder builder, boolean sandboxed) {
        builder.directory(directory.toFile());
        Map<String, String> inherited = builder.environment();
        inherited.keySet().removeIf(name -> sandboxed ? !OWNER.contains(name) : name.startsWith("GIT_"));
        inherited.put("GIT_CONFIG_NOSYSTEM", "1");
        inherited.put("GIT_OPTIONAL_LOCKS", "0");
        inherited.put("GIT_TERMINAL_PROMPT", "0");
        inherited.put("GIT_EDITOR", "true");
        inherited.put("LC_ALL", "C.UTF-8");
        inherited.putAll(environment);
        String mark = ProcessMarks.put(inherited, "GADGET_CALL");
        try {
            Process process = sandboxed ? SandboxThread.start(builder, _ -> {}) : builder.start();
            return answer(process, new ProcessTree(process.toHandle(), false, mark));
        } catch (IOException e) {
            throw new GitFailedException("git cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GitFailedException("git was interrupted");
        }
    }

    private Answer answer(Process process, ProcessTree tree) throws IOException, InterruptedException {
        StringBuilder errors = new StringBuilder();
        Thread feeder = Thread.ofVirtual().start(() -> feed(process));
        Thread listener = Thread.ofVirtual().start(() -> errors.append(listen(process.getErrorStream())));
        var late = new AtomicBoolean();
        Thread watch = Thread.ofVirtual().start(() -> stopLater(process, tree, late));
        try (CancelSignal.Registration ignored = heard.cancel().onCancel(tree::kill);
                InputStream output = process.getInputStream()) {
            byte[] read = output.readNBytes(maxOutput);
            boolean cut = read.length == maxOutput && output.read() >= 0;
            if (cut) {
                process.destroyForcibly();
            }
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            listener.join(1000);
            feeder.join(1000);
            int status = late.get() || !ended ? TOO_LONG : cut ? 0 : process.exitValue();
            return new Answer(status, read, errors.toString(), cut);
        } finally {
            watch.interrupt();
            process.destroyForcibly();
        }
    }

    private void feed(Process process) {
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input);
        } catch (IOException e) {
            // It ended before it read all, and says why.
            return;
        }
    }

    private String listen(InputStream stream) {
        Consumer<String> said = heard.said();
        return said == null ? start(stream) : end(stream, said);
    }

    /** Of much that was said while it ran, the end says why it failed. */
    private static String end(InputStream stream, Consumer<String> said) {
        StringBuilder last = new StringBuilder();
        char[] chars = new char[4096];
        try (Reader text = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
            for (int count = text.read(chars); count >= 0; count = text.read(chars)) {
                last.append(chars, 0, count);
                last.delete(0, Math.max(0, last.length() - MAX_ERRORS));
                tell(new String(chars, 0, count), said);
            }
        } catch (IOException e) {
            last.append(e.getMessage());
        }
        return last.toString();
    }

    /** Whoever can be told no more does not hold up git, which would wait at a full pipe. */
    private static void tell(String text, Consumer<String> said) {
        try {
            said.accept(text);
        } catch (RuntimeException e) {
            LOG.debug("nobody hears what git says", e);
        }
    }

    private static String start(InputStream stream) {
        try (stream) {
            String text = new String(stream.readNBytes(MAX_ERRORS), StandardCharsets.UTF_8);
            stream.skip(Long.MAX_VALUE);
            return text;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** All of it: what git started would hold its output open. */
    private void stopLater(Process process, ProcessTree tree, AtomicBoolean late) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                late.set(true);
                tree.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
