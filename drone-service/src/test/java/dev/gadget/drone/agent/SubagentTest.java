package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.events;
import static dev.gadget.drone.agent.ScriptedModel.failed;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.FailureCode;
import dev.gadget.model.work.WorkEntry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A part of the work, handed to a second agent. */
class SubagentTest {
    @TempDir
    Path directory;

    private final List<String> done = new ArrayList<>();

    private Bench bench(ApprovalPolicy policy, ScriptedModel.Answer... answers) {
        Bench bench = new Bench(directory, answers)
                .tools(
                        FakeTool.reads("look", call -> {
                            done.add("look");
                            return ToolResult.done("seen");
                        }),
                        FakeTool.runs("run", call -> {
                            done.add("run");
                            return ToolResult.done("ran");
                        }));
        bench.policy = policy;
        return bench;
    }

    private static ScriptedModel.Answer delegate(String task) {
        return calls(call("d1", "delegate", "{\"task\":\"" + task + "\"}"));
    }

    @Test
    @DisplayName("it has a context of its own, the same tools but itself, and only its answer comes back")
    void works() {
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        delegate("find the door"),
                        calls(call("s1", "look", "{\"path\":\"a\"}"), call("s2", "run", "{\"path\":\"b\"}")),
                        text("The door is in house.txt."),
                        text("Thanks."))
                .run();
        assertThat(done).containsExactlyInAnyOrder("look", "run");
        assertThat(bench.report.answer("d1")).isEqualTo("The door is in house.txt.");
        List<ChatMessage> own = bench.model.requests.get(1).messages();
        assertThat(own.getLast()).isEqualTo(new ChatMessage.User("find the door"));
        assertThat(own).hasSize(2);
        assertThat(bench.model.requests.get(1).tools())
                .extracting(ToolSpec::name)
                .containsExactly("look", "run");
        assertThat(bench.model.requests.get(0).tools())
                .extracting(ToolSpec::name)
                .contains("delegate");
        String shown = bench.report.entries().stream()
                .filter(WorkEntry.ToolOutput.class::isInstance)
                .map(entry -> ((WorkEntry.ToolOutput) entry).text())
                .collect(Collectors.joining());
        assertThat(shown).contains("▸ look", "done: seen", "The door is in house.txt.");
        assertThat(bench.report.complete().usage().outputTokens()).isEqualTo(20);
    }

    @Test
    @DisplayName("where a person would be asked it only reads, and does not wait for anybody")
    void readsOnly() {
        Bench bench = bench(
                ApprovalPolicy.ASK,
                delegate("do it all"),
                calls(call("s1", "run", "{\"path\":\"b\"}")),
                text("I could not."),
                text("Well."));
        bench.approvals = (callId, signal, atMost) -> {
            throw new AssertionError("nobody is to be asked for " + callId);
        };
        bench.run();
        assertThat(done).isEmpty();
        assertThat(bench.report.answer("d1")).isEqualTo("I could not.");
    }

    @Test
    @DisplayName("one that breaks is told as that, and the turn goes on")
    void breaks() {
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        delegate("x"),
                        events(failed(FailureCode.PROVIDER_REFUSED)),
                        text("I do it myself."))
                .run();
        assertThat(bench.lines()).contains("failed d1", "complete finished");
        assertThat(bench.report.answer("d1")).contains("did not come to an end", "broken");
    }
}
