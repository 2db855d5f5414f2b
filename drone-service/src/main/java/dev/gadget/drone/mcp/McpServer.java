package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gadget.drone.mcp.McpException.Kind;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One trusted server, from the drone's start to its end. When it ends by itself, it is started again for the next call, later and
 * later when it does so often; its tools stay in sight meanwhile.
 */
final class McpServer {
    private static final Logger LOG = Logger.getLogger(McpServer.class);
    private static final Duration STEADY = Duration.ofMinutes(1);
    private static final int MAX_DOUBLINGS = 6;
    private static final Duration BETWEEN_LISTS = Duration.ofSeconds(1);

    /** What opens a connection to it. */
    interface Opening {
        McpChannel open(ServerRequests requests, Runnable onEnd) throws McpException;
    }

    private final ServerConfig config;
    private final Path workspace;
    private final String droneVersion;
    private final Opening opening;
    private final AtomicBoolean listing = new AtomicBoolean();
    private volatile List<Tool> tools = List.of();
    private @Nullable CompletableFuture<McpClient> current;
    private @Nullable McpChannel channel;
    private long startedAt;
    private long notBefore;
    private int failures;
    private boolean closed;

    McpServer(ServerConfig config, Path workspace, String droneVersion, Opening opening) {
        this.config = config;
        this.workspace = workspace;
        this.droneVersion = droneVersion;
        this.opening = opening;
        this.notBefore = System.nanoTime();
    }

    String name() {
        return config.name();
    }

    /** What it offered last. */
    List<Tool> tools() {
        return tools;
    }

    /** The connection, or the attempt to make it; a new one when the last one ended and it is time. */
    synchronized CompletableFuture<McpClient> connection() {
        CompletableFuture<McpClient> known = current;
        if (closed) {
            return CompletableFuture.failedFuture(new McpException(Kind.BROKEN, "was stopped"));
        }
        if (known != null && (!known.isDone() || isAlive(known))) {
            return known;
        }
        long wait = notBefore - System.nanoTime();
        if (known != null && wait > 0) {
            return known.isCompletedExceptionally()
                    ? known
                    : CompletableFuture.failedFuture(new McpException(
                            Kind.BROKEN,
                            "ends again and again; it is started again in " + (1 + TimeUnit.NANOSECONDS.toSeconds(wait))
                                    + " seconds"));
        }
        var fresh = new CompletableFuture<McpClient>();
        current = fresh;
        startedAt = System.nanoTime();
        Thread.ofPlatform().daemon().name("mcp-start " + name()).start(() -> open(fresh));
        return fresh;
    }

    private static boolean isAlive(CompletableFuture<McpClient> done) {
        return !done.isCompletedExceptionally() && done.join().alive();
    }

    private void open(CompletableFuture<McpClient> fresh) {
        try {
            // A server elsewhere has no use for a path of this machine.
            var requests = new ServerRequests(
                    Optional.of(workspace).filter(_ -> config instanceof ServerConfig.Stdio), this::toolsChanged);
            McpChannel opened = opening.open(requests, () -> ended(fresh));
            replace(opened);
            McpClient client = McpClient.greet(
                    opened,
                    droneVersion,
                    requests.tellsWorkspace(),
                    config.common().startsWithin());
            list(client);
            LOG.infof("MCP server ready mcpServer=%s tools=%d", name(), tools.size());
            fresh.complete(client);
        } catch (McpException e) {
            fail(fresh, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(fresh, new McpException(Kind.BROKEN, "was stopped"));
        } catch (RuntimeException e) {
            LOG.errorf(e, "The MCP server could not be started mcpServer=%s", name());
            fail(fresh, new McpException(Kind.BROKEN, "cannot be spoken to: " + e, e));
        }
    }

    /** From here on it is closed at the drone's end, however far it has come. */
    private void replace(@Nullable McpChannel next) {
        McpChannel old;
        boolean late;
        synchronized (this) {
            late = closed;
            old = channel;
            channel = late ? null : next;
        }
        if (old != null) {
            old.close();
        }
        if (late && next != null) {
            next.close();
        }
    }

    private void fail(CompletableFuture<McpClient> fresh, McpException failure) {
        replace(null);
        synchronized (this) {
            if (!closed) {
                LOG.warnf("MCP server failed mcpServer=%s: %s", name(), failure.getMessage());
            }
            delayNext();
        }
        fresh.completeExceptionally(failure);
    }

    /** It ended by itself, or was stopped. */
    private synchronized void ended(CompletableFuture<McpClient> connection) {
        if (!closed && connection == current && connection.isDone() && !connection.isCompletedExceptionally()) {
            LOG.warnf("MCP server ended mcpServer=%s", name());
            delayNext();
        }
    }

    /** After one failure it is tried again at once, then later and later. */
    private void delayNext() {
        boolean steady = System.nanoTime() - startedAt > STEADY.toNanos();
        failures = steady ? 1 : failures + 1;
        long seconds = failures == 1 ? 0 : 1L << Math.min(failures - 2, MAX_DOUBLINGS);
        notBefore = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    private void list(McpClient client) throws McpException, InterruptedException {
        Map<String, Tool> found = new LinkedHashMap<>();
        for (JsonNode described : client.tools(config.common().startsWithin())) {
            if (found.size() == McpClient.MAX_TOOLS) {
                LOG.warnf("MCP server has too many tools mcpServer=%s most=%d", name(), McpClient.MAX_TOOLS);
                break;
            }
            try {
                McpTool tool = McpTool.of(this, config, described);
                found.putIfAbsent(tool.spec().name(), tool);
            } catch (IllegalArgumentException e) {
                LOG.warnf(
                        "MCP tool left out mcpServer=%s tool=%s: %s",
                        name(), Shown.text(described.path("name").asText(""), 64), e.getMessage());
            }
        }
        tools = List.copyOf(found.values());
    }

    /** One question at a time, and a second between two, however often it says so. */
    private void toolsChanged() {
        if (!listing.compareAndSet(false, true)) {
            return;
        }
        Thread.ofVirtual().name("mcp-list " + name()).start(() -> {
            try {
                Thread.sleep(BETWEEN_LISTS);
                listing.set(false);
                CompletableFuture<McpClient> known = attempt();
                if (known.isDone() && isAlive(known)) {
                    list(known.join());
                }
            } catch (McpException e) {
                LOG.warnf("MCP server does not tell its tools mcpServer=%s: %s", name(), e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** The last attempt to connect, whatever came of it; the first one when there was none. */
    synchronized CompletableFuture<McpClient> attempt() {
        return current == null ? connection() : current;
    }

    /** Calls a tool; the message of a failure is whole sentences, for a model. */
    JsonNode call(String tool, Map<String, Object> arguments, CancelSignal cancel)
            throws McpException, InterruptedException {
        for (boolean again = false; ; again = true) {
            McpClient client;
            try {
                client = connected(cancel);
            } catch (McpException e) {
                throw told(e, "");
            }
            try {
                return client.call(tool, arguments, config.common().answersWithin(), cancel);
            } catch (McpException e) {
                // A session that it had forgotten did nothing, so nothing is done twice.
                if (e.kind() != Kind.SESSION_GONE || again) {
                    throw told(e, " Whether the call took effect is not known; look before you try it again.");
                }
            }
        }
    }

    private McpClient connected(CancelSignal cancel) throws McpException, InterruptedException {
        CompletableFuture<McpClient> mine = connection().copy();
        // The greeting and the list have this limit each; here it is only that nothing waits without one.
        long limit = config.common().startsWithin().toMillis() * 3;
        try (var ignored = cancel.onCancel(() -> mine.completeExceptionally(McpException.cancelled()))) {
            return mine.get(limit, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new McpException(Kind.TIMED_OUT, "did not start in time", e);
        } catch (ExecutionException e) {
            throw cause(e);
        }
    }

    static McpException cause(ExecutionException e) {
        Throwable cause = e.getCause();
        while (cause != null && !(cause instanceof McpException)) {
            cause = cause.getCause();
        }
        return cause instanceof McpException known
                ? known.again()
                : new McpException(Kind.BROKEN, "cannot be spoken to: " + e.getMessage(), e);
    }

    private McpException told(McpException e, String unknown) {
        String text = switch (e.kind()) {
            case CANCELLED -> String.valueOf(e.getMessage());
            case UNUSABLE -> "The MCP server `" + name() + "` cannot be started: " + e.getMessage() + ".";
            case BROKEN, TIMED_OUT -> "The MCP server `" + name() + "` " + e.getMessage() + "." + unknown;
            case REFUSED, SESSION_GONE -> "The MCP server `" + name() + "` " + e.getMessage() + ".";
        };
        return new McpException(e.kind(), text, e);
    }

    void close() {
        synchronized (this) {
            closed = true;
        }
        replace(null);
    }
}
