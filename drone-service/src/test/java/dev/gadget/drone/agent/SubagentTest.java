package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.events;
import static dev.gadget.drone.agent.ScriptedModel.failed;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Limits;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        assertThat(bench.report.complete().usage().outputTokens()).isEqualTo(20);
    }

    @Test
    @DisplayName("S0-52: what it thinks, says and calls is told as it happens, with the call that it works for")
    void told() {
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        delegate("find the door"),
                        events(
                                new RoundEvent.ThinkingDelta("Where?"),
                                new RoundEvent.TextDelta("I look."),
                                new RoundEvent.CallRequested(call("s1", "look", "{\"path\":\"a\"}")),
                                new RoundEvent.UsageCounted(new Usage(1, 5, 0, null)),
                                new RoundEvent.Finished(RoundEvent.FinishReason.TOOL_CALLS)),
                        text("There."),
                        text("Thanks."))
                .run();
        assertThat(bench.lines())
                .containsExactly(
                        "round 1",
                        "called d1 delegate",
                        "usage 5",
                        "started d1",
                        "d1 round 1",
                        "d1 thinking Where?",
                        "d1 response I look.",
                        "d1 called s1 look",
                        "usage 10",
                        "started s1",
                        "done s1",
                        "d1 round 2",
                        "d1 response There.",
                        "usage 15",
                        "done d1",
                        "round 2",
                        "response Thanks.",
                        "usage 20",
                        "complete finished");
    }

    @Test
    @DisplayName("S0-52: its calls have ids that no other call of the turn has, whatever the model gives them")
    void callIds() {
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        delegate("find the door"),
                        calls(call("d1", "look", "{\"path\":\"a\"}"), call("x", "look", "{\"path\":\"b\"}")),
                        text("There."),
                        calls(call("x", "look", "{\"path\":\"c\"}")),
                        text("Thanks."))
                .run();
        assertThat(bench.lines())
                .contains("called d1 delegate", "d1 called d1_2 look", "d1 called x look", "called x_2 look")
                .containsOnlyOnce("done d1", "done d1_2", "done x", "done x_2");
    }

    @Test
    @DisplayName(
            "S0-52: of what its calls print and answer the turn is told the beginning and the end, its own model all")
    void toldInShort() {
        String answer = "a".repeat(30_000) + "the end of the answer";
        Bench bench = new Bench(
                        directory,
                        delegate("find the door"),
                        calls(call("s1", "look", "{\"path\":\"a\"}"), call("s2", "glance", "{\"path\":\"b\"}")),
                        text("There."),
                        text("Thanks."))
                .tools(
                        FakeTool.reads("look", call -> {
                            for (int line = 1; line <= 20_000; line++) {
                                call.output().accept("😀 " + line + "\n");
                            }
                            return ToolResult.done(answer);
                        }),
                        FakeTool.reads("glance", call -> {
                            call.output().accept("printed");
                            return ToolResult.done("seen");
                        }))
                .run();

        String printed = bench.report.output("s1");
        assertThat(printed)
                .hasSizeBetween(7_900, 8_100)
                .startsWith("😀 1\n😀 2\n")
                .contains("characters are left out here")
                .endsWith("\n😀 20000\n");
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(printed))
                .as("whole characters")
                .isTrue();
        assertThat(bench.report.answer("s1"))
                .hasSizeBetween(8_000, 8_100)
                .startsWith("aaa")
                .contains("characters are left out here")
                .endsWith("the end of the answer");
        assertThat(bench.report.output("s2")).isEqualTo("printed");
        assertThat(bench.report.answer("s2")).isEqualTo("seen");
        assertThat(bench.model.requests.get(2).messages())
                .anyMatch(message -> message instanceof ChatMessage.ToolAnswer told
                        && told.text().equals(answer));
    }

    @Test
    @DisplayName(
            "S0-52, G-06: after a crash one that only reads starts over: what it did is superseded, and nothing is told twice")
    void startsOver() {
        List<WorkEntry> journal = bench(
                        ApprovalPolicy.ASK,
                        delegate("find the door"),
                        calls(call("s1", "look", "{\"path\":\"a\"}")),
                        text("There."),
                        text("Thanks."))
                .run()
                .report
                .until(entry -> entry instanceof WorkEntry.ToolStarted started
                        && started.callId().equals("s1"));
        Bench again = bench(
                        ApprovalPolicy.ASK,
                        calls(call("s1", "look", "{\"path\":\"a\"}")),
                        text("Here."),
                        text("Thanks."))
                .run(journal);
        String callId = again.report.entries().stream()
                .filter(WorkEntry.ToolCalled.class::isInstance)
                .map(entry -> ((WorkEntry.ToolCalled) entry).callId())
                .findFirst()
                .orElseThrow();
        assertThat(callId)
                .as("no call of the first time had it, also of those that a torn journal lost")
                .matches("s1_[0-9a-f]{8}");
        assertThat(again.lines())
                .containsExactly(
                        "started d1",
                        "d1 superseded 1",
                        "d1 round 1",
                        "d1 called " + callId + " look",
                        "usage 15",
                        "started " + callId,
                        "done " + callId,
                        "d1 round 2",
                        "d1 response Here.",
                        "usage 20",
                        "done d1",
                        "round 2",
                        "response Thanks.",
                        "usage 25",
                        "complete finished");
        assertThat(again.model.requests.getFirst().messages())
                .as("it begins anew, and knows nothing of the first time")
                .hasSize(2);
    }

    @Test
    @DisplayName("S0-52: one that starts over uses no id of its first run, also where a torn journal lost that call")
    void startsOverAfterALoss() {
        List<WorkEntry> torn = bench(
                        ApprovalPolicy.ASK,
                        delegate("find the door"),
                        calls(call("s1", "look", "{\"path\":\"a\"}")),
                        text("There."),
                        text("Thanks."))
                .run()
                .report
                .until(WorkEntry.ToolStarted.class::isInstance);

        Bench again = bench(
                        ApprovalPolicy.ASK,
                        calls(call("s1", "look", "{\"path\":\"a\"}")),
                        text("Here."),
                        text("Thanks."))
                .run(torn);

        assertThat(again.lines())
                .filteredOn(line -> line.contains("called"))
                .singleElement()
                .asString()
                .matches("d1 called s1_[0-9a-f]{8} look");
    }

    @Test
    @DisplayName("S0-52: ids of what is done again are usable and unique, however long and equal the model's are")
    void callIdsAgain() {
        var ids = new CallIds();
        ids.take("x");
        CallIds again = ids.again();
        CallIds third = ids.again();

        List<String> given = List.of(
                ids.unique("x", 1, 1),
                again.unique("x", 1, 1),
                again.unique("x", 1, 2),
                again.unique("y".repeat(64), 1, 3),
                again.unique("y".repeat(64), 1, 4),
                again.unique("not usable", 1, 5),
                third.unique("x", 1, 1));

        assertThat(given).doesNotHaveDuplicates().doesNotContain("x").allMatch(id -> id.matches("[A-Za-z0-9_-]{1,64}"));
        assertThat(given.get(1).substring(1)).isNotEqualTo(given.getLast().substring(1));
    }

    @Test
    @DisplayName("S0-52: after a crash one that may run commands is not begun again, and its words are not the turn's")
    void unknown() {
        List<WorkEntry> journal = bench(
                        ApprovalPolicy.AUTO,
                        delegate("do it"),
                        calls(call("s1", "run", "{\"path\":\"a\"}")),
                        text("Done it."),
                        text("Thanks."))
                .run()
                .report
                .until(entry -> entry instanceof WorkEntry.Response);
        done.clear();
        Bench again = bench(ApprovalPolicy.AUTO, text("I look myself.")).run(journal);
        assertThat(again.lines())
                .containsExactly("unknown d1", "round 2", "response I look myself.", "usage 15", "complete finished");
        assertThat(done).isEmpty();
        assertThat(again.model.requests.getFirst().messages())
                .noneMatch(message -> message instanceof ChatMessage.Assistant said
                        && said.text().contains("Done it"));
    }

    @Test
    @DisplayName("what it uses is told with the turn's own while it works")
    void usage() {
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        delegate("find the door"),
                        calls(call("s1", "look", "{\"path\":\"a\"}")),
                        text("There."),
                        text("Thanks."))
                .run();
        assertThat(bench.lines())
                .containsSubsequence("usage 5", "started d1", "usage 10", "usage 15", "done d1", "usage 20");
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

    private static ScriptedModel.Answer says(String text, Usage usage) {
        return events(
                new RoundEvent.TextDelta(text),
                new RoundEvent.UsageCounted(usage),
                new RoundEvent.Finished(RoundEvent.FinishReason.STOP));
    }

    @Test
    @DisplayName("what it may spend is what is left of the turn, also for the next one of the same response")
    void spends() {
        Bench bench = bench(
                ApprovalPolicy.AUTO,
                calls(
                        call("d1", "delegate", "{\"task\":\"one\"}"),
                        call("d2", "delegate", "{\"task\":\"two\"}"),
                        call("d3", "delegate", "{\"task\":\"three\"}")),
                says("first", new Usage(1, 60, 0, null)),
                says("second", new Usage(1, 60, 0, null)),
                says("never", Usage.NONE));
        bench.limits = new Limits(60, 100, null, null, null, null);
        bench.run();
        assertThat(bench.model.requests)
                .extracting(RoundRequest::maxOutputTokens)
                .containsExactly(100, 95, 35);
        assertThat(bench.report.answer("d1")).isEqualTo("first");
        assertThat(bench.report.answer("d2")).isEqualTo("second");
        assertThat(bench.report.answer("d3")).contains("did not come to an end", "100 output tokens");
        assertThat(bench.lines()).contains("complete budget_reached");
        assertThat(bench.report.complete().usage().outputTokens()).isEqualTo(125);
    }

    @Test
    @DisplayName("money that it spends is the turn's, round by round, and so is what several beside each other spend")
    void money() {
        Usage dollar = new Usage(1, 1, 0, BigDecimal.ONE);
        ScriptedModel.Answer costs = events(
                new RoundEvent.CallRequested(call("s", "look", "{\"path\":\"a\"}")),
                new RoundEvent.UsageCounted(dollar),
                new RoundEvent.Finished(RoundEvent.FinishReason.TOOL_CALLS));
        Bench bench = bench(
                ApprovalPolicy.ASK,
                calls(call("d1", "delegate", "{\"task\":\"one\"}"), call("d2", "delegate", "{\"task\":\"two\"}")),
                costs);
        bench.limits = new Limits(60, null, null, null, null, new BigDecimal("5"));
        bench.run();
        assertThat(bench.lines()).contains("failed d1", "failed d2", "complete budget_reached");
        assertThat(bench.report.complete().usage().cost())
                .as("at most one round more of each of them")
                .isBetween(new BigDecimal("5"), new BigDecimal("6"));
    }

    @Test
    @DisplayName("files that it changes count among those of the turn")
    void files() {
        Bench bench = new Bench(
                        directory,
                        calls(call("w1", "put", "{\"path\":\"a\"}")),
                        delegate("write"),
                        calls(call("s1", "put", "{\"path\":\"b\"}"), call("s2", "put", "{\"path\":\"c\"}")),
                        text("never"))
                .tools(FakeTool.writes("put", call -> {
                    done.add(call.text("path"));
                    return ToolResult.done("put");
                }));
        bench.policy = ApprovalPolicy.AUTO;
        bench.limits = new Limits(60, null, null, null, 2, null);
        bench.run();
        assertThat(done).containsExactly("a", "b");
        assertThat(bench.report.answer("d1")).contains("2 changed files");
    }

    @Test
    @DisplayName(
            "of long parameters of its calls the turn holds the beginning and the end; the call itself has all of them")
    void longParameters() {
        String path = "begin " + "x".repeat(900_000) + " end";
        List<String> given = new ArrayList<>();
        Bench bench = new Bench(
                        directory,
                        delegate("write"),
                        calls(
                                call("s1", "look", "{\"path\":\"" + path + "\"}"),
                                call("s2", "look", "{\"path\":\"a\"}")),
                        text("Written."),
                        text("Thanks."))
                .tools(FakeTool.reads("look", call -> {
                    given.add(call.text("path"));
                    return ToolResult.done("seen");
                }));
        bench.run();
        assertThat(given).containsExactlyInAnyOrder(path, "a");
        List<WorkEntry.ToolCalled> told = bench.report.entries().stream()
                .filter(WorkEntry.ToolCalled.class::isInstance)
                .map(WorkEntry.ToolCalled.class::cast)
                .toList();
        assertThat(told).extracting(WorkEntry.ToolCalled::callId).containsExactly("d1", "s1", "s2");
        assertThat(String.valueOf(told.get(1).parameters().get("path")))
                .startsWith("begin x")
                .endsWith("x end")
                .contains("characters are left out here")
                .hasSizeLessThan(8_200);
        assertThat(told.get(2).parameters()).containsEntry("path", "a");
    }
}
