package dev.gadget.drone.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.model.turn.ToolEffect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class StdioServerTest {
    @TempDir
    Path directory;

    private static ObjectNode quick(String mode) {
        return McpBench.program(mode).put("timeoutSeconds", 4).put("startTimeoutSeconds", 6);
    }

    @Test
    @DisplayName("tools of a server are the model's: name, schema, call, answer; more than one page of them")
    void tools() throws Exception {
        try (McpBench bench = McpBench.running(directory, "good")) {
            assertThat(bench.toolbox.names()).contains("mcp__one__echo", "mcp__one__where", "mcp__one__crash");
            Tool echo = bench.tool("mcp__one__echo");
            assertThat(echo.spec().description()).isEqualTo("Says it again.");
            assertThat(echo.spec().parameters())
                    .containsEntry("type", "object")
                    .containsEntry("required", List.of("text"))
                    .doesNotContainKey("$schema");
            assertThat(echo.example()).isEqualTo(Map.of("text", "…"));
            assertThat(bench.call("echo", Map.of("text", "hello", "more", "!")))
                    .isEqualTo(ToolResult.done("you said: hello!"));
            assertThat(bench.call("echo", Map.of()).text()).contains("`text` is missing", "mcp__one__echo");
        }
    }

    @Test
    @DisplayName("names are such as model endpoints take; what has no name or no object schema is left out")
    void names() throws Exception {
        try (McpBench bench = McpBench.running(directory, "good")) {
            assertThat(bench.toolbox.names()).allMatch(name -> name.matches("[A-Za-z0-9_-]{1,64}"));
            assertThat(bench.toolbox.names()).noneMatch(name -> name.equals("mcp__one__list"));
            String odd = bench.toolbox.names().stream()
                    .filter(name -> name.startsWith("mcp__one__dotted_name_with_a"))
                    .findFirst()
                    .orElseThrow();
            assertThat(bench.call(odd.substring("mcp__one__".length()), Map.of())
                            .text())
                    .startsWith("no such tool: dotted.name/with a very long tail");
        }
    }

    @Test
    @DisplayName(
            "a tool reaches out, unless the owner said that it only reads; what the server says of itself is not believed")
    void effects() throws Exception {
        ObjectNode server = McpBench.program("good");
        server.putArray("readOnlyTools").add("where");
        try (McpBench bench = new McpBench(directory).with("one", server).trust("one")) {
            assertThat(bench.start()).singleElement().asString().matches("MCP server one runs: \\d+ tools\\.");
            assertThat(bench.tool("mcp__one__echo").effect()).isEqualTo(ToolEffect.NETWORK);
            assertThat(bench.tool("mcp__one__where").effect()).isEqualTo(ToolEffect.READS);
        }
    }

    @Test
    @DisplayName(
            "A13: a server has an environment by allow-list and what is configured, and does not run in the workspace")
    void environment() throws Exception {
        ObjectNode server = McpBench.program("good");
        server.putObject("env").put("TOKEN_OF_IT", "Bearer ${OWNERS_TOKEN}");
        try (McpBench bench = new McpBench(directory).with("one", server).trust("one")) {
            bench.environment.put("OWNERS_TOKEN", "secret-1");
            bench.environment.put("OPENAI_API_KEY", "secret-2");
            bench.start();
            assertThat(bench.call("where", Map.of()).text())
                    .contains("in " + System.getProperty("user.home"), "TOKEN_OF_IT=Bearer secret-1", "PATH=")
                    .doesNotContain("secret-2", "OWNERS_TOKEN");
        }
    }

    @Test
    @DisplayName("where the owner wants it, a server runs in the workspace")
    void inTheWorkspace() throws Exception {
        ObjectNode server = McpBench.program("good").put("cwd", ".");
        try (McpBench bench = new McpBench(directory).with("one", server).trust("one")) {
            bench.start();
            assertThat(bench.call("where", Map.of()).text()).startsWith("in " + bench.workspace + "\n");
        }
    }

    @Test
    @DisplayName("a server that crashes in a call fails the call, and is there for the next one")
    void crash() throws Exception {
        try (McpBench bench = McpBench.running(directory, "good")) {
            ToolResult crashed = bench.call("crash", Map.of());
            assertThat(crashed.ok()).isFalse();
            assertThat(crashed.text())
                    .contains(
                            "`one` ended with exit code 3",
                            "out of memory",
                            "Whether the call took effect is not known");
            assertThat(bench.toolbox.names()).contains("mcp__one__echo");
            assertThat(bench.call("echo", Map.of("text", "again")).text()).isEqualTo("you said: again");
        }
    }

    @Test
    @DisplayName("a server that ends again and again is left alone for a while, and a call of it fails at once")
    void crashLoop() throws Exception {
        try (McpBench bench = McpBench.running(directory, "good")) {
            List<String> said = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                said.add(bench.call("crash", Map.of()).text());
            }
            assertThat(said).anyMatch(text -> text.contains("ends again and again; it is started again in "));
        }
    }

    @Test
    @DisplayName("a server that does not answer costs a call its time and no more, is told so, and goes on")
    void hang() throws Exception {
        try (McpBench bench = new McpBench(directory)
                .with("one", McpBench.program("good").put("timeoutSeconds", 4))
                .trust("one")) {
            bench.start();
            ToolResult result = bench.call("hang", Map.of());
            assertThat(result.ok()).isFalse();
            assertThat(result.text()).contains("`one` did not answer within 4 seconds");
            McpBench.await(() -> noted(bench).contains("cancelled "));
            assertThat(bench.call("echo", Map.of("text", "still here")).ok()).isTrue();
        }
    }

    @Test
    @DisplayName("cancel ends a call at once, and the server is told")
    void cancel() throws Exception {
        try (McpBench bench = McpBench.running(directory, "good")) {
            AtomicLong stopped = new AtomicLong();
            Thread.ofPlatform().start(() -> {
                try {
                    McpBench.await(() -> Files.exists(bench.notes));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                stopped.set(System.nanoTime());
                bench.cancel.cancel();
            });
            assertThat(bench.call("hang", Map.of())).isEqualTo(ToolResult.failed("Stopped by the person."));
            assertThat(Duration.ofNanos(System.nanoTime() - stopped.get())).isLessThan(Duration.ofSeconds(30));
            McpBench.await(() -> noted(bench).contains("cancelled "));
            assertThat(noted(bench)).startsWith("hangs\ncancelled ");
        }
    }

    private static String noted(McpBench bench) {
        try {
            return Files.readString(bench.notes);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    @DisplayName("10 MB in one message are thrown away and said; 1 MB is told by its head and its tail")
    void huge() throws Exception {
        try (McpBench bench = McpBench.running(directory, "good")) {
            assertThat(bench.call("huge", Map.of()).text()).contains("more than 8 MiB", "Ask for less");
            ToolResult big = bench.call("big", Map.of());
            assertThat(big.ok()).isTrue();
            assertThat(big.text())
                    .hasSizeLessThan(33_000)
                    .startsWith("firsty")
                    .endsWith("ylast")
                    .contains("characters are left out here");
            assertThat(bench.call("echo", Map.of("text", "on")).ok()).isTrue();
        }
    }

    @Test
    @DisplayName("garbage, foreign ids, and answers that are none break nothing")
    void garbage() throws Exception {
        try (McpBench bench = McpBench.running(directory, "chatty")) {
            assertThat(bench.call("garbage", Map.of())).isEqualTo(ToolResult.done("after garbage"));
            assertThat(bench.call("unknown_id", Map.of())).isEqualTo(ToolResult.done("the right one"));
            assertThat(bench.call("neither", Map.of()).text()).contains("neither a result nor an error");
            assertThat(bench.call("refuse", Map.of()).text()).contains("error -32602: no such thing?[31m");
            assertThat(bench.call("fail", Map.of())).isEqualTo(ToolResult.failed("the thing is not there"));
            assertThat(bench.call("flood", Map.of())).isEqualTo(ToolResult.done("flooded"));
            assertThat(bench.call("parts", Map.of()).text()).isEqualTo("""
                            red
                            [image/png, about 3 bytes, which are not shown]
                            [x: file:///x]
                            [file:///y]
                            why
                            [content of an unknown type]""");
        }
    }

    @Test
    @DisplayName("what a server asks is answered: a sign of life and the workspace, and nothing else is lent out")
    void asksBack() throws Exception {
        try (McpBench bench = McpBench.running(directory, "good")) {
            assertThat(bench.call("ask_back", Map.of()).text())
                    .contains(
                            "\"id\":\"s1\",\"result\":{}",
                            bench.workspace.toUri().toString(),
                            "\"code\":-32601");
        }
    }

    @Test
    @DisplayName("a server may get further tools while it runs")
    void grows() throws Exception {
        try (McpBench bench = McpBench.running(directory, "good")) {
            assertThat(bench.toolbox.names()).doesNotContain("mcp__one__grown");
            bench.call("grow", Map.of());
            McpBench.await(() -> bench.toolbox.names().contains("mcp__one__grown"));
            assertThat(bench.toolbox.names()).contains("mcp__one__grown", "mcp__one__echo");
        }
    }

    @Test
    @DisplayName("at the drone's end nothing of a server is left, also not what left for a session of its own")
    void noneLeft() throws Exception {
        McpBench bench = McpBench.running(directory, "deaf");
        bench.call("child", Map.of());
        McpBench.await(() -> bench.processes() >= 4);
        // As it is when the drone is told to stop while it waits.
        Thread.currentThread().interrupt();
        bench.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(bench.processes()).isZero();
        assertThat(bench.toolbox.names()).isEmpty();
    }

    @Test
    @DisplayName("servers that do not start are named with the reason; the others work")
    void doNotStart() throws Exception {
        ObjectNode asking = McpBench.program("good");
        asking.putObject("env").put("T", "${NOT_SET_ANYWHERE}");
        try (McpBench bench = new McpBench(directory)
                .with("dies", McpBench.program("dies"))
                .with("silent", quick("silent"))
                .with("endless", quick("endless"))
                .with("strange", McpBench.program("strange"))
                .with("missing", Json.object().put("command", "no-such-program-anywhere"))
                .with("asking", asking)
                .with("good", McpBench.program("good"))) {
            for (String name : List.of("dies", "silent", "endless", "strange", "missing", "asking", "good")) {
                bench.trust(name);
            }
            List<String> report = bench.start();
            assertThat(report)
                    .anyMatch(line -> line.matches(
                            "MCP server dies failed: ended with exit code 4 \\(it said: no database here\\)\\."))
                    .anyMatch(line -> line.startsWith("MCP server silent failed: did not answer within 6 seconds"))
                    .anyMatch(line -> line.startsWith("MCP server endless failed: "))
                    .anyMatch(line -> line.contains("speaks version 1999-01-01"))
                    .anyMatch(line -> line.contains("no-such-program-anywhere is not found along the PATH"))
                    .anyMatch(line -> line.contains("asks for ${NOT_SET_ANYWHERE}"))
                    .anyMatch(line -> line.matches("MCP server good runs: \\d+ tools\\."));
            assertThat(bench.call("good", "echo", Map.of("text", "x")).ok()).isTrue();
        }
    }

    @Test
    @DisplayName("a drone that ends while a server still starts leaves nothing of it")
    void endsWhileStarting() throws Exception {
        McpBench bench =
                new McpBench(directory).with("one", McpBench.program("silent")).trust("one");
        bench.servers.start(bench.folder, bench.trusted, bench.environment, "test");
        assertThat(bench.servers.report(Duration.ofMillis(500))).containsExactly("MCP server one is still starting.");
        bench.close();
        McpBench.await(() -> bench.processes() == 0);
        assertThat(bench.processes()).isZero();
    }
}
