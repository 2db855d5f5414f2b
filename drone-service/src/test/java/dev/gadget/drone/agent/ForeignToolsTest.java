package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.mcp.McpBench;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.drone.tool.ToolSource;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.model.ApprovalPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
class ForeignToolsTest {
    @TempDir
    Path directory;

    private static Tool saying(String name, String text) {
        return FakeTool.reads(name, call -> ToolResult.done(text));
    }

    @Test
    @DisplayName(
            "tools of a source come and go, in order with the others, and never take the place of one of the drone's")
    void sources() {
        List<Tool> foreign = new ArrayList<>();
        ToolSource source = () -> foreign;
        Tool own = saying("read_file", "own");
        Toolbox toolbox = new Toolbox(List.of(own), List.of(source));
        assertThat(toolbox.names()).containsExactly("read_file");

        foreign.add(saying("mcp__a__b", "foreign"));
        foreign.add(saying("read_file", "not the drone's"));
        assertThat(toolbox.names()).containsExactly("mcp__a__b", "read_file");
        assertThat(toolbox.specs()).extracting(ToolSpec::name).containsExactly("mcp__a__b", "read_file");
        assertThat(toolbox.find("read_file")).containsSame(own);

        foreign.clear();
        assertThat(toolbox.find("mcp__a__b")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ASK, asks", "AUTO_EDIT, asks", "AUTO, runs", "READ_ONLY, refuses"})
    @DisplayName("S3-04: a tool of an MCP server reaches out, and is asked for accordingly")
    void policies(ApprovalPolicy policy, String expected) throws Exception {
        try (McpBench mcp = McpBench.running(directory, "good")) {
            Bench bench =
                    new Bench(directory, calls(call("c1", "mcp__one__echo", "{\"text\":\"hello\"}")), text("told"));
            bench.tools = mcp.tools();
            bench.policy = policy;
            bench.run();
            switch (expected) {
                case "asks" -> assertThat(bench.lines()).containsSubsequence("awaits c1", "started c1", "done c1");
                case "runs" -> assertThat(bench.lines()).contains("done c1").doesNotContain("awaits c1");
                default -> assertThat(bench.lines()).contains("denied c1").doesNotContain("started c1");
            }
            if (!expected.equals("refuses")) {
                assertThat(bench.report.answer("c1")).isEqualTo("you said: hello");
            }
            assertThat(bench.model.requests.getFirst().tools())
                    .extracting(ToolSpec::name)
                    .contains("mcp__one__echo");
        }
    }

    @Test
    @DisplayName("an MCP server that crashes, sends too much or garbage does not end the turn")
    void faults() throws Exception {
        try (McpBench mcp = McpBench.running(directory, "good")) {
            Bench bench = new Bench(
                    directory,
                    calls(call("c1", "mcp__one__huge", "{}")),
                    calls(call("c2", "mcp__one__crash", "{}")),
                    calls(call("c3", "mcp__one__garbage", "{}")),
                    text("told"));
            bench.tools = mcp.tools();
            bench.run();
            assertThat(bench.lines()).contains("failed c1", "failed c2", "done c3", "complete finished");
            assertThat(bench.report.answer("c3")).isEqualTo("after garbage");
        }
    }
}
