package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.tool.ToolResult;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.SessionId;
import dev.gadget.model.turn.ApprovalDecision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** S2-11, S3-04: what waits for a person. */
class ApprovalsTest {
    @TempDir
    Path directory;

    private final AtomicInteger effects = new AtomicInteger();
    private final List<String> asked = new ArrayList<>();

    private Bench bench(ApprovalPolicy policy, ApprovalDecision decision, ScriptedModel.Answer... answers) {
        Bench bench = new Bench(directory, answers)
                .tools(
                        FakeTool.reads("look", call -> ToolResult.done("seen")),
                        FakeTool.writes("put", call -> ToolResult.done("put " + effects.incrementAndGet())),
                        FakeTool.runs("run", call -> ToolResult.done("run " + effects.incrementAndGet())));
        bench.policy = policy;
        bench.approvals = (callId, signal) -> {
            asked.add(callId);
            return new WorkOrderRunner.Decision(decision, "not today");
        };
        return bench;
    }

    @ParameterizedTest
    @CsvSource({
        "ASK, look, runs", "ASK, put, asks", "ASK, run, asks",
        "AUTO_EDIT, look, runs", "AUTO_EDIT, put, runs", "AUTO_EDIT, run, asks",
        "AUTO, look, runs", "AUTO, put, runs", "AUTO, run, runs",
        "READ_ONLY, look, runs", "READ_ONLY, put, refuses", "READ_ONLY, run, refuses"
    })
    @DisplayName("each policy by effect")
    void policies(ApprovalPolicy policy, String tool, String expected) {
        Bench bench = bench(policy, ApprovalDecision.APPROVE, calls(call("c1", tool, "{\"path\":\"a\"}")), text("ok"))
                .run();
        List<String> lines = bench.lines();
        switch (expected) {
            case "runs" -> assertThat(lines).contains("done c1").doesNotContain("awaits c1");
            case "asks" -> assertThat(lines).containsSubsequence("awaits c1", "started c1", "done c1");
            default -> {
                assertThat(lines).contains("denied c1").doesNotContain("awaits c1", "started c1");
                assertThat(bench.report.answer("c1")).contains("read-only");
            }
        }
    }

    @Test
    @DisplayName("a denial is told with its reason, and the turn goes on")
    void deny() {
        Bench bench = bench(
                        ApprovalPolicy.ASK,
                        ApprovalDecision.DENY,
                        calls(call("c1", "run", "{\"path\":\"a\"}")),
                        text("Well."))
                .run();
        assertThat(bench.lines()).containsSubsequence("awaits c1", "denied c1", "response Well.", "complete finished");
        assertThat(bench.report.answer("c1")).contains("did not allow", "not today");
        assertThat(effects).hasValue(0);
    }

    @Test
    @DisplayName("allowed for the session: that tool in that session is not asked again, other tools and sessions are")
    void forSession() {
        Bench bench = bench(
                        ApprovalPolicy.ASK,
                        ApprovalDecision.APPROVE_FOR_SESSION,
                        calls(call("c1", "run", "{\"path\":\"a\"}"), call("c2", "run", "{\"path\":\"b\"}")),
                        calls(call("c3", "put", "{\"path\":\"a\"}")),
                        text("ok"))
                .run();
        assertThat(asked).containsExactly("c1", "c3");

        Bench next = bench(
                ApprovalPolicy.ASK, ApprovalDecision.APPROVE, calls(call("d1", "run", "{\"path\":\"a\"}")), text("ok"));
        next.grants = bench.grants;
        next.session = bench.session;
        next.run();
        assertThat(asked).containsExactly("c1", "c3");

        Bench other = bench(
                ApprovalPolicy.ASK, ApprovalDecision.APPROVE, calls(call("e1", "run", "{\"path\":\"a\"}")), text("ok"));
        other.grants = bench.grants;
        other.session = SessionId.random();
        other.run();
        assertThat(asked).containsExactly("c1", "c3", "e1");
    }

    @Test
    @DisplayName("A10: what runs later is asked always; .git and outside are refused without asking")
    void delicate() {
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        ApprovalDecision.APPROVE_FOR_SESSION,
                        calls(
                                call("c1", "put", "{\"path\":\".envrc\"}"),
                                call("c2", "put", "{\"path\":\".vscode/tasks.json\"}"),
                                call("c3", "put", "{\"path\":\".git/hooks/pre-commit\"}"),
                                call("c4", "put", "{\"path\":\"../x\"}"),
                                call("c5", "put", "{\"path\":\"fine.txt\"}")),
                        text("ok"))
                .run();
        assertThat(asked).containsExactly("c1", "c2");
        assertThat(bench.lines()).contains("failed c3", "failed c4", "done c5");
        assertThat(bench.report.answer("c4")).contains("outside the workspace");
    }
}
