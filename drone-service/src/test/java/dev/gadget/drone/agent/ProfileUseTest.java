package dev.gadget.drone.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ModelProfile.ToolCalling;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the loop makes of a work order that says what its model can do. */
class ProfileUseTest {
    private static final String AS_TEXT = "<tool_call>\n{\"name\": \"search\", \"arguments\": {}}\n</tool_call>";

    @TempDir
    Path directory;

    private final ScriptedModel.Answer quoting = ScriptedModel.text(AS_TEXT);

    private static ModelProfile profile(@Nullable ToolCalling calling, @Nullable Integer tokens) {
        return new ModelProfile(null, calling, null, null, tokens, null, null, null, null, Instant.EPOCH);
    }

    private Bench run(@Nullable ModelProfile profile) {
        Bench bench = new Bench(directory, quoting, ScriptedModel.text("Done."));
        bench.tools = List.of(FakeTool.reads("search", call -> ToolResult.done("seen")));
        bench.profile = profile;
        return bench.run();
    }

    @Test
    @DisplayName("a call in the text of a model whose calls are native is text")
    void nativeCalls() {
        Bench bench = run(profile(ToolCalling.NATIVE, null));

        assertThat(bench.model.requests).hasSize(1);
        assertThat(String.join("\n", bench.lines())).contains("tool_call");
    }

    @Test
    @DisplayName("a call in the text of any other model is a call")
    void textCalls() {
        assertThat(run(profile(ToolCalling.TEXT, null)).model.requests).hasSize(2);
        assertThat(run(null).model.requests).hasSize(2);
    }

    @Test
    @DisplayName("tools of MCP servers stay where leaving out the largest is enough")
    void largestToolsFirst() {
        String large = "mcp_" + "x".repeat(9000);
        Toolbox all = new Toolbox(
                List.of(FakeTool.reads("search", call -> ToolResult.done("seen"))),
                List.of(() -> List.of(
                        FakeTool.reads(large, call -> ToolResult.done("large")),
                        FakeTool.reads("mcp_small", call -> ToolResult.done("small")))));
        assertThat(all.names()).contains(large);
        assertThat(ToolChoice.of(all, profile(null, 8192)).names()).containsExactly("mcp_small", "search");
    }

    @Test
    @DisplayName("the context that was found is asked for")
    void context() {
        assertThat(run(profile(null, 16_384)).model.requests)
                .allSatisfy(request -> assertThat(request.contextTokens()).isEqualTo(16_384));
        assertThat(run(null).model.requests)
                .allSatisfy(request -> assertThat(request.contextTokens()).isNull());
    }

    @Test
    @DisplayName(
            "of a model that nobody examined its endpoint is asked, once, and what an exam found counts before that")
    void usualContext() {
        Bench bench = new Bench(directory, ScriptedModel.text("Done."));
        bench.model.usualContext = 8192;
        AgentLoop loop = bench.loop();
        for (ModelProfile each : Arrays.asList(null, null, profile(ToolCalling.TEXT, null), profile(null, 16_384))) {
            bench.profile = each;
            loop.run(bench.order(), List.of(), new RecordingReport(), bench.approvals, bench.cancel);
        }

        assertThat(bench.model.requests)
                .extracting(RoundRequest::contextTokens)
                .containsExactly(8192, 8192, 8192, 16_384);
        assertThat(bench.model.askedForContext).isEqualTo(1);
    }
}
