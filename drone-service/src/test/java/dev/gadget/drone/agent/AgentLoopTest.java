package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.events;
import static dev.gadget.drone.agent.ScriptedModel.failed;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundEvent.FinishReason;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ToolQueueMode;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.WorkEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentLoopTest {
    private static final String PATH = "{\"path\":\"a.txt\"}";

    @TempDir
    Path directory;

    private static FakeTool look() {
        return FakeTool.reads("look", call -> ToolResult.done("seen " + call.text("path")));
    }

    @Test
    @DisplayName("S3-11, S3-17: round, tool, round; intent before the tool, result after; usage summed; finished")
    void toolThenText() {
        Bench bench = new Bench(
                        directory,
                        (request, sink, cancel) -> {
                            sink.accept(new RoundEvent.ThinkingDelta("hm"));
                            sink.accept(new RoundEvent.TextDelta("I look."));
                            calls(call("c1", "look", PATH)).play(request, sink, cancel);
                        },
                        text("Done."))
                .tools(FakeTool.reads("look", call -> {
                    call.output().accept("looking");
                    return ToolResult.done("seen");
                }))
                .run();
        assertThat(bench.lines())
                .containsExactly(
                        "round 1",
                        "thinking hm",
                        "response I look.",
                        "called c1 look",
                        "usage 5",
                        "started c1",
                        "output c1 looking",
                        "done c1",
                        "round 2",
                        "response Done.",
                        "usage 10",
                        "complete finished");
        assertThat(bench.report.complete().usage()).isEqualTo(new Usage(20, 10, 2, null, 15L));
        assertThat(bench.model.requests.get(1).messages())
                .last()
                .isEqualTo(new ChatMessage.ToolAnswer("c1", "look", "seen"));
        assertThat(bench.model.requests.get(1).messages().get(2))
                .isEqualTo(new ChatMessage.Assistant("I look.", "hm", List.of(call("c1", "look", PATH))));
        assertThat(bench.model.requests.getFirst().tools()).hasSize(2);
    }

    @Test
    @DisplayName("S3-20: a session that wants its tools one after the other gets that for those that only read, too")
    void sequential() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Bench bench = new Bench(
                        directory,
                        calls(
                                call("c1", "look", PATH),
                                call("c2", "look", "{\"path\":\"2\"}"),
                                call("c3", "look", "{\"path\":\"3\"}")),
                        text("ok"))
                .tools(FakeTool.reads("look", call -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    Thread.sleep(20);
                    running.decrementAndGet();
                    return ToolResult.done("seen");
                }));
        bench.toolQueue = ToolQueueMode.SEQUENTIAL;

        bench.run();

        assertThat(most).hasValue(1);
        assertThat(bench.lines())
                .containsSubsequence("started c1", "done c1", "started c2", "done c2", "started c3", "done c3");
    }

    @Test
    @DisplayName("S3-20: calls that read run beside each other, answers come in call order")
    void parallel() {
        CyclicBarrier both = new CyclicBarrier(2);
        Bench bench = new Bench(
                        directory,
                        calls(
                                call("c1", "look", "{\"path\":\"1\"}"),
                                call("c2", "look", "{\"path\":\"2\"}"),
                                call("c3", "put", "{\"path\":\"3\"}")),
                        text("ok"))
                .tools(
                        FakeTool.reads("look", call -> {
                            try {
                                both.await(60, TimeUnit.SECONDS);
                            } catch (BrokenBarrierException | TimeoutException e) {
                                return ToolResult.failed("alone");
                            }
                            return ToolResult.done("seen " + call.text("path"));
                        }),
                        FakeTool.writes("put", call -> ToolResult.done("put")))
                .run();
        List<ChatMessage> messages = bench.model.requests.get(1).messages();
        assertThat(messages.subList(messages.size() - 3, messages.size()))
                .containsExactly(
                        new ChatMessage.ToolAnswer("c1", "look", "seen 1"),
                        new ChatMessage.ToolAnswer("c2", "look", "seen 2"),
                        new ChatMessage.ToolAnswer("c3", "put", "put"));
        List<String> lines = bench.lines();
        assertThat(lines.indexOf("started c3"))
                .isGreaterThan(lines.indexOf("done c1"))
                .isGreaterThan(lines.indexOf("done c2"));
    }

    @Test
    @DisplayName(
            "unknown tool, broken JSON, missing, extra and wrong parameters are answers with the schema, and the turn goes on")
    void badCalls() {
        Bench bench = new Bench(
                        directory,
                        calls(
                                call("c1", "format_disk", "{}"),
                                call("c2", "look", "{\"path\": oops}"),
                                call("c3", "look", "{}"),
                                call("c4", "look", "{\"path\":\"a\",\"depth\":3}"),
                                call("c5", "look", "{\"path\":[1]}"),
                                call("c6", "look", "[1]")),
                        text("Sorry."))
                .tools(look())
                .run();
        assertThat(bench.report.complete().status()).isEqualTo(TurnStatus.FINISHED);
        assertThat(bench.report.answer("c1")).contains("no tool `format_disk`", "look", "{\"path\":\"a.txt\"}");
        assertThat(bench.report.answer("c2")).contains("not a JSON object", "path (string, required)");
        assertThat(bench.report.answer("c3")).contains("`path` is missing", "{\"path\":\"a.txt\"}");
        assertThat(bench.report.answer("c4")).contains("`depth` is not a parameter");
        assertThat(bench.report.answer("c5")).contains("`path` has to be of type string, but is [1]");
        assertThat(bench.report.answer("c6")).contains("not a JSON object");
        assertThat(bench.lines()).noneMatch(line -> line.startsWith("started"));
        ChatMessage.Assistant told =
                (ChatMessage.Assistant) bench.model.requests.get(1).messages().get(2);
        assertThat(told.calls().get(1).arguments()).isEqualTo("{\"arguments\":\"{\\\"path\\\": oops}\"}");
    }

    @Test
    @DisplayName("a tool that fails or breaks is told to the model")
    void toolBreaks() {
        Bench bench = new Bench(directory, calls(call("c1", "look", PATH)), text("Oh."))
                .tools(FakeTool.reads("look", call -> {
                    throw new IllegalStateException("bug");
                }))
                .run();
        assertThat(bench.lines()).contains("failed c1", "complete finished");
        assertThat(bench.report.answer("c1")).contains("look broke");
    }

    @Test
    @DisplayName("call ids are unique in a turn, also when a model repeats or leaves them out")
    void callIds() {
        Bench bench = new Bench(
                        directory,
                        calls(call("c", "look", "{\"path\":\"1\"}"), call("c", "look", "{\"path\":\"2\"}")),
                        calls(call("c", "look", "{\"path\":\"3\"}"), call("", "look", "{\"path\":\"4\"}")),
                        text("ok"))
                .tools(look())
                .run();
        assertThat(bench.lines().stream().filter(line -> line.startsWith("called")))
                .containsExactly("called c look", "called c_2 look", "called c_3 look", "called call_2_2 look");
    }

    @Test
    @DisplayName(
            "a failure before the first token is tried again with back-off, told each time, 4 tries at most where none was answered")
    void retries() {
        Bench bench = new Bench(
                        directory,
                        events(failed(FailureCode.PROVIDER_UNREACHABLE)),
                        events(failed(FailureCode.RATE_LIMITED, Duration.ofSeconds(7))),
                        text("There."))
                .run();
        assertThat(bench.lines())
                .containsExactly(
                        "round 1", "retrying 1", "retrying 2", "response There.", "usage 5", "complete finished");
        assertThat(bench.pauses).containsExactly(Duration.ofMillis(500), Duration.ofSeconds(7));

        Bench never = new Bench(directory, events(failed(FailureCode.PROVIDER_ERROR))).run();
        assertThat(never.model.requests).hasSize(4);
        assertThat(never.pauses).containsExactly(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(8));
        assertThat(never.report.failure().code()).isEqualTo(FailureCode.PROVIDER_ERROR);
    }

    @Test
    @DisplayName("F24: a limit, and an endpoint that answered in this turn, are waited for about five minutes")
    void patientRetries() {
        var seconds = List.of(500L, 2000L, 8000L, 32_000L, 60_000L, 60_000L, 60_000L).stream()
                .map(Duration::ofMillis)
                .toList();
        Bench limited = new Bench(directory, events(failed(FailureCode.RATE_LIMITED))).run();
        assertThat(limited.pauses).isEqualTo(seconds);
        for (FailureCode code : List.of(FailureCode.PROVIDER_UNREACHABLE, FailureCode.PROVIDER_ERROR)) {
            Bench gone = new Bench(directory, calls(call("c", "look", "{\"path\":\"1\"}")), events(failed(code)))
                    .tools(look())
                    .run();
            assertThat(gone.pauses).isEqualTo(seconds);
            assertThat(gone.report.failure().code()).isEqualTo(code);
            assertThat(new Bench(directory, events(failed(code))).run().pauses).hasSize(3);
        }
    }

    @Test
    @DisplayName("never tried again after a token, nor where it cannot help, nor when the endpoint asks for minutes")
    void noRetry() {
        Bench told =
                new Bench(directory, events(new RoundEvent.TextDelta("half"), failed(FailureCode.TRUNCATED))).run();
        assertThat(told.lines()).containsExactly("round 1", "response half", "complete failed");
        assertThat(told.report.failure().code()).isEqualTo(FailureCode.TRUNCATED);

        Bench key = new Bench(directory, events(failed(FailureCode.PROVIDER_UNAUTHORIZED))).run();
        assertThat(key.lines()).containsExactly("round 1", "complete failed");

        Bench long_ = new Bench(directory, events(failed(FailureCode.RATE_LIMITED, Duration.ofMinutes(10)))).run();
        assertThat(long_.lines()).containsExactly("round 1", "complete failed");
    }

    @Test
    @DisplayName("a response cut by its length is output_limit, one that was filtered is refused; the text is kept")
    void cut() {
        Bench length = new Bench(
                        directory, events(new RoundEvent.TextDelta("a"), new RoundEvent.Finished(FinishReason.LENGTH)))
                .run();
        assertThat(length.lines()).containsExactly("round 1", "response a", "complete failed");
        assertThat(length.report.failure().code()).isEqualTo(FailureCode.OUTPUT_LIMIT);
        assertThat(length.report.failure().message()).contains("Prompt again");

        Bench filter = new Bench(directory, events(new RoundEvent.Finished(FinishReason.CONTENT_FILTER))).run();
        assertThat(filter.report.failure().code()).isEqualTo(FailureCode.PROVIDER_REFUSED);
    }

    private static ScriptedModel.Answer cutInACall() {
        return events(
                new RoundEvent.TextDelta("I write."),
                new RoundEvent.CallRequested(call("w1", "look", "{\"path\":\"a")),
                new RoundEvent.UsageCounted(new Usage(10, 5, 1, null)),
                new RoundEvent.Finished(FinishReason.LENGTH));
    }

    @Test
    @DisplayName("a call that the output limit cut is not run, the model is told why, and goes on once in a turn")
    void cutInTheMiddleOfACall() {
        Bench bench = new Bench(directory, cutInACall(), calls(call("c1", "look", PATH)), text("Done."))
                .tools(look())
                .run();
        assertThat(bench.lines())
                .containsSubsequence("round 1", "response I write.", "round 2", "done c1", "complete finished")
                .noneMatch(line -> line.contains("w1"));
        List<ChatMessage> told = bench.model.requests.get(1).messages();
        assertThat(told.get(told.size() - 2)).isEqualTo(new ChatMessage.Assistant("I write.", null, List.of()));
        assertThat(told.getLast())
                .isInstanceOfSatisfying(
                        ChatMessage.User.class,
                        note -> assertThat(note.text()).contains("cut at the output limit", "`look`", "smaller parts"));
        assertThat(bench.report.complete().usage().outputTokens()).isEqualTo(15);

        Bench always = new Bench(directory, cutInACall()).tools(look()).run();
        assertThat(always.model.requests).hasSize(2);
        assertThat(always.report.failure().code()).isEqualTo(FailureCode.OUTPUT_LIMIT);
    }

    @Test
    @DisplayName("calls beyond those that one response may have are not run, and the model is told so")
    void tooManyCalls() {
        RequestedCall[] many = new RequestedCall[70];
        for (int i = 0; i < many.length; i++) {
            many[i] = call("c" + i, "look", "{\"path\":\"" + i + "\"}");
        }
        Bench bench = new Bench(directory, calls(many), calls(call("d", "look", PATH)), text("ok"))
                .tools(look())
                .run();
        assertThat(bench.lines().stream().filter(line -> line.startsWith("called")))
                .hasSize(65);
        assertThat(bench.model.requests.get(1).messages().getLast().toString())
                .contains("seen 63", "6 more calls of your response were not run");
        assertThat(bench.model.requests.get(2).messages().getLast())
                .isEqualTo(new ChatMessage.ToolAnswer("d", "look", "seen a.txt"));
    }

    @Test
    @DisplayName("an empty response is asked for once more, then it is the end")
    void empty() {
        Bench bench = new Bench(directory, text(" ")).run();
        assertThat(bench.model.requests).hasSize(2);
        assertThat(bench.report.complete().status()).isEqualTo(TurnStatus.FINISHED);
    }

    @Test
    @DisplayName("earlier turns come with their calls and answers; thinking and superseded text do not")
    void history() {
        Instant at = Instant.EPOCH;
        ToolCall called =
                new ToolCall("h1", "look", Map.of("path", "x"), ToolCallState.DONE, null, "seen x", at, at, null);
        ToolCall open = new ToolCall("h2", "look", Map.of(), ToolCallState.RUNNING, null, null, at, null, null);
        PastTurn one = new PastTurn(
                TurnId.random(),
                "first",
                TurnStatus.FINISHED,
                List.of(
                        new Block.Thinking(0, at, at, null, "secret thoughts"),
                        new Block.Responding(1, at, at, true, "half a sen"),
                        new Block.Responding(2, at, at, null, "I look."),
                        new Block.Tool(3, at, at, null, called),
                        new Block.Responding(4, at, at, null, "It is x.")));
        PastTurn two = new PastTurn(
                TurnId.random(), "second", TurnStatus.CANCELLED, List.of(new Block.Tool(0, at, at, null, open)));
        Bench bench = new Bench(directory, text("ok"));
        bench.history = List.of(one, two);
        bench.run();
        List<ChatMessage> messages = bench.model.requests.getFirst().messages();
        assertThat(messages.subList(1, messages.size()))
                .containsExactly(
                        new ChatMessage.User("first"),
                        new ChatMessage.Assistant("I look.", null, List.of(call("h1", "look", "{\"path\":\"x\"}"))),
                        new ChatMessage.ToolAnswer("h1", "look", "seen x"),
                        new ChatMessage.Assistant("It is x.", null, List.of()),
                        new ChatMessage.User("second"),
                        new ChatMessage.Assistant("", null, List.of(call("h2", "look", "{}"))),
                        new ChatMessage.ToolAnswer("h2", "look", "No result: the turn ended (cancelled) before."),
                        new ChatMessage.Assistant(
                                "[This turn ended without a final answer: cancelled.]", null, List.of()),
                        new ChatMessage.User("do it"));
    }

    @Test
    @DisplayName("rounds of earlier turns stay apart, so that no message has more calls than endpoints take")
    void roundsOfEarlierTurns() {
        Instant at = Instant.EPOCH;
        List<Block> blocks = new ArrayList<>();
        List<Integer> rounds = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ToolCall call = new ToolCall("h" + i, "look", Map.of(), ToolCallState.DONE, null, "seen", at, at, null);
            blocks.add(new Block.Tool(i, at, at, null, call));
            rounds.add(i / 2 + 1);
        }
        Bench bench = new Bench(directory, text("ok"));
        bench.history = List.of(new PastTurn(TurnId.random(), "a", TurnStatus.FINISHED, blocks, rounds, null));
        bench.run();
        assertThat(callsInEachMessage(bench)).hasSize(100).containsOnly(2);
        assertThat(bench.model.requests.getFirst().messages().subList(1, 5))
                .containsExactly(
                        new ChatMessage.User("a"),
                        new ChatMessage.Assistant(
                                "", null, List.of(call("h0", "look", "{}"), call("h1", "look", "{}"))),
                        new ChatMessage.ToolAnswer("h0", "look", "seen"),
                        new ChatMessage.ToolAnswer("h1", "look", "seen"));

        Bench unknown = new Bench(directory, text("ok"));
        unknown.history = List.of(new PastTurn(TurnId.random(), "a", TurnStatus.FINISHED, blocks));
        unknown.run();
        assertThat(callsInEachMessage(unknown)).containsExactly(64, 64, 64, 8);
    }

    private static List<Integer> callsInEachMessage(Bench bench) {
        return bench.model.requests.getFirst().messages().stream()
                .filter(ChatMessage.Assistant.class::isInstance)
                .map(message -> ((ChatMessage.Assistant) message).calls().size())
                .filter(calls -> calls > 0)
                .toList();
    }

    @Test
    @DisplayName("where earlier parts of the conversation are missing, the model is told so before it")
    void leftOut() {
        Bench bench = new Bench(directory, text("ok"));
        bench.history = List.of(new PastTurn(TurnId.random(), "first", TurnStatus.FINISHED, List.of(), null, true));
        bench.run();
        assertThat(bench.model.requests.getFirst().messages().getFirst())
                .isInstanceOfSatisfying(
                        ChatMessage.Instructions.class,
                        told -> assertThat(told.text())
                                .contains("Earlier parts of this conversation are left out here"));
    }

    @Test
    @DisplayName(
            "S0-29: with the result of a command comes what it changed in files, also when it failed; a file tool's own words say it")
    void whatACommandChanged() {
        FakeTool makes = FakeTool.runs("make", call -> {
            Files.writeString(directory.resolve("made.txt"), "made\n");
            return ToolResult.failed("no rule");
        });
        FakeTool looks = FakeTool.runs("look", call -> ToolResult.done("seen"));
        FakeTool writes = FakeTool.writes("put", call -> {
            Files.writeString(directory.resolve("put.txt"), "put\n");
            return ToolResult.done("written");
        });
        Bench bench = new Bench(
                        directory,
                        calls(call("c1", "put", "{\"path\":\"put.txt\"}")),
                        calls(call("c2", "make", PATH)),
                        calls(call("c3", "look", PATH)),
                        text("Done."))
                .tools(makes, looks, writes)
                .run();

        assertThat(bench.report.ended("c1").diff()).isNull();
        assertThat(bench.report.ended("c2").diff())
                .contains("+++ b/made.txt", "+made")
                .doesNotContain("put");
        assertThat(bench.report.ended("c3").diff()).isNull();
    }

    @Test
    @DisplayName("a call that is too large to be reported is answered with the bound, and the turn goes on")
    void tooLarge() throws Exception {
        int most = TurnCall.MAX_BYTES - "{\"path\":\"\"}".length();
        Bench bench = new Bench(
                        directory,
                        calls(
                                call("c1", "look", "{\"path\":\"" + "a".repeat(most + 1) + "\"}"),
                                call("c2", "look", "{\"path\":\"" + "€".repeat(most / 2) + "\"}"),
                                call("c".repeat(64), "look", "{\"path\":\"" + "a".repeat(most) + "\"}"),
                                call("c3", "look", "{\"path\":\"" + "😀".repeat(most / 8) + "\"}"),
                                call("c4", "n".repeat(100_000), "{}")),
                        text("Sorry."))
                .tools(look())
                .run();
        assertThat(bench.report.complete().status()).isEqualTo(TurnStatus.FINISHED);
        assertThat(bench.report.answer("c1"))
                .contains((TurnCall.MAX_BYTES + 1) + " bytes", TurnCall.MAX_BYTES + " at most", "in parts");
        assertThat(bench.report.answer("c2")).contains("in parts");
        assertThat(bench.report.answer("c3")).as("each of them is twelve bytes").contains("in parts");
        assertThat(bench.report.answer("c".repeat(64))).startsWith("seen aaa");
        ObjectMapper mapper = new ObjectMapper().findAndRegisterModules();
        for (WorkEntry entry : bench.report.entries()) {
            assertThat(mapper.writeValueAsBytes(entry)).hasSizeLessThanOrEqualTo(WorkReport.MAX_BYTES);
        }
    }

    @Test
    @DisplayName("halves of characters in a call do not end the turn")
    void halves() throws Exception {
        Bench bench = new Bench(
                        directory,
                        calls(
                                call("c1", "look", "{\"path\":\"\\ud83dx\"}"),
                                call("c2", "look", "{" + "x".repeat(3998) + "😀")),
                        text("ok"))
                .tools(look())
                .run();
        assertThat(bench.lines()).contains("done c1", "failed c2", "complete finished");
        ObjectMapper mapper = new ObjectMapper().findAndRegisterModules();
        for (WorkEntry entry : bench.report.entries()) {
            assertThat(mapper.writeValueAsBytes(entry)).isNotEmpty();
        }
    }

    @Test
    @DisplayName("a made-up name of a tool is told back in a form that every endpoint takes, also of earlier turns")
    void names() {
        Bench bench = new Bench(
                        directory,
                        calls(
                                call("c1", "multi_tool_use.parallel", "{}"),
                                call("c2", "", "{}"),
                                call("c3", "日本" + "x".repeat(100), "{}")),
                        text("Sorry."))
                .tools(look());
        Instant at = Instant.parse("2026-01-02T03:04:05Z");
        ToolCall old = new ToolCall(
                "old", "functions.look", Map.of(), ToolCallState.FAILED, null, "There is no such tool.", at, at, null);
        bench.history = List.of(new PastTurn(
                TurnId.random(), "before", TurnStatus.FINISHED, List.of(new Block.Tool(0, at, at, null, old))));
        bench.run();
        assertThat(bench.lines()).contains("called c1 multi_tool_use.parallel");
        List<String> told = new ArrayList<>();
        for (ChatMessage message : bench.model.requests.get(1).messages()) {
            if (message instanceof ChatMessage.Assistant said) {
                said.calls().forEach(call -> told.add(call.name()));
            } else if (message instanceof ChatMessage.ToolAnswer answer) {
                told.add(answer.name());
            }
        }
        assertThat(told)
                .containsExactly(
                        "functions_look",
                        "functions_look",
                        "multi_tool_use_parallel",
                        "unnamed",
                        "__" + "x".repeat(62),
                        "multi_tool_use_parallel",
                        "unnamed",
                        "__" + "x".repeat(62));
    }
}
