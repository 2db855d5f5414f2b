package dev.gadget.drone.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class HttpServerTest {
    @TempDir
    Path directory;

    private LoopbackMcpServer server;

    @BeforeEach
    void listen() throws Exception {
        server = new LoopbackMcpServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private ObjectNode config(String path) {
        return Json.object().put("url", server.url(path)).put("timeoutSeconds", 50);
    }

    private McpBench running(String path) throws Exception {
        McpBench bench = new McpBench(directory).with("one", config(path)).trust("one");
        assertThat(bench.start()).containsExactly("MCP server one runs: " + LoopbackMcpServer.TOOLS.size() + " tools.");
        return bench;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/documents", "/events"})
    @DisplayName("answers come as documents or as events; the session and the version are said with each message")
    void answers(String path) throws Exception {
        try (McpBench bench = running(path)) {
            assertThat(bench.call("echo", Map.of("text", "hello"))).isEqualTo(ToolResult.done("you said: hello"));
        }
        McpBench.await(() -> server.heard().stream().anyMatch(line -> line.startsWith("DELETE")));
        assertThat(server.heard())
                .containsSubsequence(
                        "initialize session=none version=none",
                        "notifications/initialized session=s1 version=2025-06-18",
                        "tools/list session=s1 version=2025-06-18",
                        "tools/call session=s1 version=2025-06-18",
                        "DELETE session=s1 version=2025-06-18");
    }

    @Test
    @DisplayName(
            "headers are sent as configured, with what the drone's environment holds, and not to where a redirect leads")
    void headers() throws Exception {
        ObjectNode secret = config("/secret");
        secret.putObject("headers").put("Authorization", "Bearer ${THE_TOKEN}");
        ObjectNode redirected = config("/redirect");
        redirected.putObject("headers").put("Authorization", "Bearer ${THE_TOKEN}");
        try (McpBench bench = new McpBench(directory)
                .with("open", config("/secret"))
                .with("secret", secret)
                .with("redirected", redirected)) {
            bench.environment.put("THE_TOKEN", "t-1");
            List<String> report =
                    bench.trust("open").trust("secret").trust("redirected").start();
            assertThat(report)
                    .anyMatch(line -> line.contains("open failed: does not let the drone in; check `headers`"))
                    .anyMatch(line -> line.contains("secret runs"))
                    .anyMatch(line -> line.contains("redirected failed: redirects to http://127.0.0.1:1/"));
        }
    }

    @Test
    @DisplayName("a server that has forgotten the session gets a new one, and the call is made there")
    void forgotten() throws Exception {
        try (McpBench bench = running("/documents")) {
            server.forget();
            assertThat(bench.call("echo", Map.of("text", "anew"))).isEqualTo(ToolResult.done("you said: anew"));
            assertThat(server.heard()).contains("tools/call session=s3 version=2025-06-18");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"silent", "never_ends"})
    @DisplayName("a call that is not answered costs its time and no more")
    void hang(String tool) throws Exception {
        ObjectNode hasty = config("/events").put("timeoutSeconds", 4);
        try (McpBench bench = new McpBench(directory).with("one", hasty).trust("one")) {
            bench.start();
            assertThat(bench.call(tool, Map.of()).text()).contains("`one` did not answer within 4 seconds");
            assertThat(bench.call("echo", Map.of("text", "on")).ok()).isTrue();
            McpBench.await(() -> server.heard().stream().anyMatch(line -> line.startsWith("notifications/cancelled")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"silent", "never_ends"})
    @DisplayName("cancel ends a call at once, before and in its answer")
    void cancel(String tool) throws Exception {
        try (McpBench bench = running("/events")) {
            AtomicLong stopped = new AtomicLong();
            Thread.ofPlatform().start(() -> {
                server.awaitCall();
                stopped.set(System.nanoTime());
                bench.cancel.cancel();
            });
            assertThat(bench.call(tool, Map.of())).isEqualTo(ToolResult.failed("Stopped by the person."));
            assertThat(Duration.ofNanos(System.nanoTime() - stopped.get())).isLessThan(Duration.ofSeconds(30));
            McpBench.await(() -> server.heard().stream().anyMatch(line -> line.startsWith("notifications/cancelled")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/documents", "/events"})
    @DisplayName(
            "10 MB, a web page, a broken answer, a foreign id, a failure of the server: each is said, and none breaks it")
    void faults(String path) throws Exception {
        try (McpBench bench = running(path)) {
            assertThat(bench.call("huge", Map.of()).text()).contains("more than 8 MiB", "Ask for less");
            assertThat(bench.call("page", Map.of()).text()).contains("no answer to what was asked (text/html");
            assertThat(bench.call("broken", Map.of()).text())
                    .containsAnyOf("no answer to what was asked", "without an answer");
            assertThat(bench.call("foreign_id", Map.of()).text())
                    .containsAnyOf("no answer to what was asked", "without an answer");
            assertThat(bench.call("status", Map.of()).text()).contains("failed: the disk is full (status 500)");
            assertThat(bench.call("aborted", Map.of()).text()).contains("cannot be reached: the connection broke");
            assertThat(bench.call("asks_back", Map.of()).ok()).isTrue();
            McpBench.await(() -> server.heard().stream().anyMatch(line -> line.startsWith("response ping-1 session")));
            McpBench.await(() -> server.heard().stream().anyMatch(line -> line.startsWith("response roots-1 error")));
            assertThat(bench.call("echo", Map.of("text", "on")).ok()).isTrue();
        }
    }

    @Test
    @DisplayName("an answer that came before the connection broke is taken")
    void saidAndCut() throws Exception {
        try (McpBench bench = running("/events")) {
            for (int call = 0; call < 20; call++) {
                assertThat(bench.call("said_and_cut", Map.of())).isEqualTo(ToolResult.done("all of it"));
            }
        }
    }

    @Test
    @DisplayName("an address where nothing listens, or something else, is said; a server that comes later is taken up")
    void unreachable() throws Exception {
        String url = server.url("/documents");
        int port = server.port();
        server.close();
        try (McpBench bench = new McpBench(directory)
                .with("one", Json.object().put("url", url))
                .trust("one")) {
            assertThat(bench.start())
                    .containsExactly("MCP server one failed: cannot be reached: nothing answers at its address.");
            server = new LoopbackMcpServer(port);
            McpBench.await(() -> bench.toolbox.names().contains("mcp__one__echo"));
            assertThat(bench.call("echo", Map.of("text", "late")).ok()).isTrue();
        }
    }

    @Test
    @DisplayName("what is no MCP server is told apart")
    void somethingElse() throws Exception {
        try (McpBench bench =
                new McpBench(directory).with("one", config("/nowhere")).trust("one")) {
            assertThat(bench.start())
                    .containsExactly(
                            "MCP server one failed: does not speak streamable HTTP at this address; check `url` (status 404).");
        }
    }
}
