package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.mcp.McpException.Kind;
import dev.gadget.drone.process.PlainText;
import dev.gadget.drone.process.ProcessMarks;
import dev.gadget.drone.process.ProcessTree;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.tool.CommandEnvironment;
import dev.gadget.drone.tool.HeadAndTail;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A server that is a process of its own; a message is a line of its standard input or output. */
final class StdioChannel implements McpChannel {
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final int MAX_UNSENT = 256;
    private static final int MAX_ANSWERS = 128;
    private static final int KEPT_OF_ERRORS = 2000;
    private static final byte[] END = {};

    private final Process process;
    private final ProcessTree tree;
    private final ServerRequests requests;
    private final Runnable onEnd;
    private final Map<Long, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final BlockingQueue<byte[]> unsent = new LinkedBlockingQueue<>(MAX_UNSENT);
    private final AtomicLong ids = new AtomicLong();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CountDownLatch drained = new CountDownLatch(2);
    private final HeadAndTail errors = new HeadAndTail(KEPT_OF_ERRORS / 2);
    private volatile boolean ended;
    private volatile String strange = "";

    private StdioChannel(
            Process process, boolean session, String mark, String name, ServerRequests requests, Runnable onEnd) {
        this.process = process;
        this.tree = new ProcessTree(process.toHandle(), session, mark);
        this.requests = requests;
        this.onEnd = onEnd;
        // Platform threads: a pipe would hold one of the few threads that carry the virtual ones.
        start("mcp-out " + name, this::readMessages);
        start("mcp-err " + name, this::readErrors);
        start("mcp-in " + name, this::writeMessages);
        start("mcp-end " + name, this::awaitEnd);
    }

    private static void start(String name, Runnable work) {
        Thread.ofPlatform().daemon().name(name).start(work);
    }

    static StdioChannel start(
            ServerConfig.Stdio config, Path workspace, Map<String, String> own, ServerRequests requests, Runnable onEnd)
            throws McpException {
        Path directory = config.directory(workspace);
        Map<String, String> environment = CommandEnvironment.of(own);
        environment.putAll(Placeholders.filled(config.env(), own));
        String mark = ProcessMarks.put(environment, "GADGET_MCP");
        Path program = ProgramPath.find(config.command(), environment.getOrDefault("PATH", ""), directory, workspace);
        boolean session = Files.isExecutable(SETSID);
        List<String> line = new ArrayList<>();
        if (session) {
            line.add(SETSID.toString());
        }
        line.add(program.toString());
        line.addAll(config.args());
        ProcessBuilder builder = new ProcessBuilder(line).directory(directory.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            return new StdioChannel(builder.start(), session, mark, config.name(), requests, onEnd);
        } catch (IOException e) {
            throw new McpException(Kind.UNUSABLE, "it cannot be started: " + e.getMessage(), e);
        }
    }

    @Override
    public JsonNode request(String method, ObjectNode params, Duration limit, CancelSignal cancel)
            throws McpException, InterruptedException {
        long id = ids.incrementAndGet();
        var answer = new CompletableFuture<JsonNode>();
        waiting.put(id, answer);
        try (var ignored = cancel.onCancel(() -> answer.completeExceptionally(McpException.cancelled()))) {
            send(JsonRpc.request(id, method, params));
            if (ended) {
                // It ended between the two, and nobody fails what is put there after.
                throw broken();
            }
            return JsonRpc.resultOf(answer.get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            giveUp(id, "it took too long");
            throw new McpException(Kind.TIMED_OUT, "did not answer within " + limit.toSeconds() + " seconds" + hint());
        } catch (InterruptedException e) {
            giveUp(id, "the drone stops");
            throw e;
        } catch (ExecutionException e) {
            McpException failure = e.getCause() instanceof McpException known ? known.again() : broken();
            if (failure.kind() == Kind.CANCELLED) {
                giveUp(id, "the person stopped it");
            }
            throw failure;
        } finally {
            waiting.remove(id);
        }
    }

    private void giveUp(long id, String why) {
        unsent.offer(line(JsonRpc.cancelled(id, why)));
    }

    @Override
    public void tell(String method, ObjectNode params) throws McpException {
        send(JsonRpc.notification(method, params));
    }

    private void send(ObjectNode message) throws McpException {
        if (ended) {
            throw broken();
        }
        if (!unsent.offer(line(message))) {
            throw new McpException(Kind.BROKEN, "does not read what it is sent");
        }
    }

    private static byte[] line(ObjectNode message) {
        byte[] json = Json.bytes(message);
        byte[] line = new byte[json.length + 1];
        System.arraycopy(json, 0, line, 0, json.length);
        line[json.length] = '\n';
        return line;
    }

    @Override
    public void agreed(String version) {
        // Only the first message says it on this wire.
    }

    @Override
    public boolean alive() {
        return !ended;
    }

    private void writeMessages() {
        try (OutputStream input = process.getOutputStream()) {
            for (byte[] line = unsent.take(); line != END; line = unsent.take()) {
                input.write(line);
                input.flush();
            }
        } catch (IOException e) {
            // It does not read any more; its end, or the limit of the request, says so to those who wait.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void readMessages() {
        try (InputStream output = process.getInputStream()) {
            MessageLines lines = new MessageLines(output);
            for (Optional<MessageLines.Line> line = lines.next(); line.isPresent(); line = lines.next()) {
                switch (line.get()) {
                    case MessageLines.Line.Whole(byte[] bytes) -> take(bytes);
                    case MessageLines.Line.TooLong() -> refuseTooLong();
                }
            }
        } catch (IOException e) {
            strange = String.valueOf(e.getMessage());
        } finally {
            drained.countDown();
            // Without its output it is of no use, even if it still runs.
            tree.kill();
        }
    }

    private void take(byte[] bytes) {
        Optional<JsonNode> read = Json.lenient(bytes);
        if (read.isEmpty() || !read.get().isContainerNode()) {
            if (bytes.length > 0) {
                String start = new String(bytes, 0, Math.min(bytes.length, 400), StandardCharsets.UTF_8);
                strange = "it printed what is no message: " + Shown.text(start, 200);
            }
            return;
        }
        if (read.get().isArray()) {
            read.get().forEach(this::take);
        } else {
            take(read.get());
        }
    }

    private void take(JsonNode message) {
        if (!JsonRpc.isResponse(message)) {
            // A server that asks faster than it reads is not answered, and takes no room from what it is asked.
            requests.take(message)
                    .filter(_ -> unsent.size() < MAX_ANSWERS)
                    .ifPresent(answer -> unsent.offer(line(answer)));
            return;
        }
        CompletableFuture<JsonNode> answer = waiting.get(message.path("id").asLong());
        if (answer != null) {
            answer.complete(message);
        }
    }

    /** Which of them it was for stands in what was thrown away. */
    private void refuseTooLong() {
        fail(new McpException(
                Kind.REFUSED,
                "sent a message of more than " + (MAX_MESSAGE_BYTES >> 20)
                        + " MiB, which was thrown away. Ask for less at once"));
    }

    private void fail(McpException failure) {
        // A copy: who is told of it may ask the next thing at once, which is not to fail with it.
        List.copyOf(waiting.values()).forEach(answer -> answer.completeExceptionally(failure));
    }

    private void readErrors() {
        PlainText plain = new PlainText();
        byte[] buffer = new byte[8192];
        try (InputStream stream = process.getErrorStream()) {
            for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                synchronized (errors) {
                    errors.add(plain.plain(new String(buffer, 0, count, StandardCharsets.UTF_8)));
                }
            }
        } catch (IOException e) {
            // The pipe was closed by the kill; what was read is kept.
            return;
        } finally {
            drained.countDown();
        }
    }

    private void awaitEnd() {
        try {
            process.waitFor();
            // What it said last may still be on the way; what it left running may hold the pipes open for ever.
            drained.await(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        tree.kill();
        end();
    }

    private void end() {
        if (ending.compareAndSet(false, true)) {
            // First who decides on a new start, then those who would ask for one.
            onEnd.run();
            ended = true;
            unsent.clear();
            unsent.offer(END);
            fail(broken());
        }
    }

    private McpException broken() {
        return new McpException(
                Kind.BROKEN,
                process.isAlive() ? "was stopped" : "ended with exit code " + process.exitValue() + hint());
    }

    /** What helps a person to see why. */
    private String hint() {
        String said;
        synchronized (errors) {
            said = errors.text().strip();
        }
        String text = said.isEmpty() ? strange : "it said: " + said;
        return text.isEmpty() ? "" : " (" + Shown.text(text.replace("\n", " / "), KEPT_OF_ERRORS) + ")";
    }

    /** As the protocol says: its input ends, it may leave by itself, and is made to. */
    @Override
    public void close() {
        unsent.clear();
        unsent.offer(END);
        try {
            process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        tree.kill();
        end();
    }
}
