package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.events;
import static dev.gadget.drone.agent.ScriptedModel.failed;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static dev.gadget.drone.agent.ScriptedModel.untilCancelled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundEvent.FinishReason;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Limits;
import dev.gadget.model.ModelPrice;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsAndCancelTest {
    private static final String PATH = "{\"path\":\"a.txt\"}";

    @TempDir
    Path directory;

    private final AtomicInteger runs = new AtomicInteger();

    private FakeTool run() {
        return FakeTool.runs("run", call -> ToolResult.done("run " + runs.incrementAndGet()));
    }

    private FakeTool put() {
        return FakeTool.writes("put", call -> ToolResult.done("put " + runs.incrementAndGet()));
    }

    private static ScriptedModel.Answer callsAnotherPathEachTime(String tool) {
        AtomicInteger number = new AtomicInteger();
        return (request, sink, cancel) -> calls(
                        call("c" + number.incrementAndGet(), tool, "{\"path\":\"" + number.get() + ".txt\"}"))
                .play(request, sink, cancel);
    }

    private static void assertLimit(Bench bench, String sentence) {
        assertThat(bench.report.complete().status()).isEqualTo(TurnStatus.BUDGET_REACHED);
        assertThat(bench.report.failure().code()).isEqualTo(FailureCode.LIMIT_REACHED);
        assertThat(bench.report.failure().message()).contains(sentence, "Prompt again to go on");
    }

    @Test
    @DisplayName("S2-10: the turn stops at its rounds")
    void rounds() {
        Bench bench = new Bench(directory, callsAnotherPathEachTime("run")).tools(run());
        bench.limits = new Limits(3, null, null, null, null, null);
        bench.run();
        assertLimit(bench, "limit of 3 rounds");
        assertThat(bench.model.requests).hasSize(3);
        assertThat(runs).hasValue(3);
    }

    private FakeTool look(IntFunction<String> answer) {
        return FakeTool.reads("look", call -> ToolResult.done(answer.apply(runs.incrementAndGet())));
    }

    @Test
    @DisplayName("the same call with the same answer runs as often as allowed; the model is told before the turn ends")
    void equalCalls() {
        Bench bench = new Bench(directory, calls(call("c", "look", PATH))).tools(look(_ -> "the same"));
        bench.limits = new Limits(null, null, null, 4, null, null);
        bench.run();
        assertLimit(bench, "more than 4 times in a row");
        assertThat(runs).hasValue(4);
        assertThat(bench.lines()).endsWith("denied c_5", "complete budget_reached");
        assertThat(bench.model.requests.get(3).messages().getLast().toString()).contains("text=the same]");
        assertThat(bench.model.requests.get(4).messages().getLast().toString())
                .contains("with the next equal call the turn ends");
    }

    @Test
    @DisplayName("who waits for something may ask more often, and another call in between counts anew")
    void equalCallsWithOtherAnswers() {
        ScriptedModel.Answer same = calls(call("c", "look", PATH));
        Bench waits = new Bench(directory, same, same, same, same, same, same, text("There."))
                .tools(look(number -> number + " lines"));
        waits.limits = new Limits(null, null, null, 4, null, null);
        waits.run();
        assertThat(waits.report.complete().status()).isEqualTo(TurnStatus.FINISHED);
        assertThat(runs).hasValue(6);

        Bench forEver = new Bench(directory, same).tools(look(number -> number + " lines"));
        forEver.limits = new Limits(null, null, null, 2, null, null);
        forEver.run();
        assertLimit(forEver, "more than 20 times in a row");

        ScriptedModel.Answer other = calls(call("c", "look", "{\"path\":\"b\"}"));
        Bench between = new Bench(directory, same, same, other, same, same, text("ok")).tools(look(_ -> "the same"));
        between.limits = new Limits(null, null, null, 2, null, null);
        between.run();
        assertThat(between.report.complete().status()).isEqualTo(TurnStatus.FINISHED);
    }

    @Test
    @DisplayName(
            "equal calls of one response are counted before their answers come, and another call before one of them counts anew")
    void equalCallsOfOneResponse() {
        ScriptedModel.Answer many = calls(
                call("a", "look", PATH), call("b", "look", PATH), call("c", "look", PATH), call("d", "look", PATH));
        Bench atOnce = new Bench(directory, many).tools(look(_ -> "the same"));
        atOnce.limits = new Limits(null, null, null, 3, null, null);
        atOnce.run();
        assertLimit(atOnce, "more than 3 times in a row");
        assertThat(runs).hasValue(3);

        ScriptedModel.Answer same = calls(call("c", "look", PATH));
        ScriptedModel.Answer fixedFirst = calls(call("o", "look", "{\"path\":\"b\"}"), call("c", "look", PATH));
        Bench obeys = new Bench(directory, same, same, same, fixedFirst, text("ok")).tools(look(_ -> "the same"));
        obeys.limits = new Limits(null, null, null, 3, null, null);
        obeys.run();
        assertThat(obeys.report.complete().status()).isEqualTo(TurnStatus.FINISHED);
    }

    @Test
    @DisplayName(
            "S2-10: a loop of two calls ends the turn as one of a single call does, be they in turn or beside each other")
    void loopsOfSeveralCalls() {
        ScriptedModel.Answer a = calls(call("a", "look", PATH));
        ScriptedModel.Answer b = calls(call("b", "look", "{\"path\":\"b\"}"));
        Bench inTurn = new Bench(directory, a, b, a, b, a, b, a, text("never")).tools(look(_ -> "the same"));
        inTurn.limits = new Limits(null, null, null, 3, null, null);
        inTurn.run();
        assertLimit(inTurn, "the same 2 calls in turn, one of them look, with the same results more than 3 times");
        assertThat(runs).hasValue(6);
        assertThat(inTurn.model.requests.get(5).messages().getLast().toString()).doesNotContain("again and again");
        assertThat(inTurn.model.requests.get(6).messages().getLast().toString()).contains("the same few in turn");

        runs.set(0);
        ScriptedModel.Answer both = calls(call("a", "look", PATH), call("b", "look", "{\"path\":\"b\"}"));
        Bench beside = new Bench(directory, both).tools(look(_ -> "the same"));
        beside.limits = new Limits(null, null, null, 3, null, null);
        beside.run();
        assertLimit(beside, "the same 2 calls in turn");
        assertThat(runs).hasValue(6);
    }

    @Test
    @DisplayName("work that goes round is no loop as long as what comes of it differs, or another call is in between")
    void roundsWithOtherAnswersAreNoLoop() {
        ScriptedModel.Answer a = calls(call("a", "look", PATH));
        ScriptedModel.Answer b = calls(call("b", "look", "{\"path\":\"b\"}"));
        ScriptedModel.Answer c = calls(call("c", "look", "{\"path\":\"c\"}"));
        Bench waits = new Bench(directory, a, b, a, b, a, b, a, b, text("There.")).tools(look(n -> n + " lines"));
        waits.limits = new Limits(null, null, null, 3, null, null);
        waits.run();
        assertThat(waits.report.complete().status()).isEqualTo(TurnStatus.FINISHED);

        Bench between = new Bench(directory, a, b, a, b, c, a, b, a, b, text("ok")).tools(look(_ -> "the same"));
        between.limits = new Limits(null, null, null, 3, null, null);
        between.run();
        assertThat(between.report.complete().status()).isEqualTo(TurnStatus.FINISHED);
    }

    @Test
    @DisplayName("S2-10: a loop that a crash cut is counted on from what the journal tells")
    void loopsGoOnAfterACrash() {
        ScriptedModel.Answer a = calls(call("a", "look", PATH));
        ScriptedModel.Answer b = calls(call("b", "look", "{\"path\":\"b\"}"));
        Bench first = new Bench(directory, a, b, a, b, a, b, text("Done.")).tools(look(_ -> "the same"));
        first.limits = new Limits(null, null, null, 3, null, null);
        first.run();
        assertThat(first.report.complete().status()).isEqualTo(TurnStatus.FINISHED);
        List<WorkEntry> journal = first.report.entries();
        int cut = journal.size() - 1;
        while (!(journal.get(cut) instanceof WorkEntry.RoundStarted)) {
            cut--;
        }

        Bench again = new Bench(directory, a).tools(look(_ -> "the same"));
        again.limits = first.limits;
        again.run(journal.subList(0, cut));
        assertLimit(again, "the same 2 calls in turn");
        assertThat(again.lines()).filteredOn(line -> line.startsWith("denied")).hasSize(1);
    }

    @Test
    @DisplayName("different files are counted, the same one is counted once, and the one too many is not written")
    void files() {
        Bench bench = new Bench(
                        directory,
                        calls(
                                call("a", "put", "{\"path\":\"1\"}"),
                                call("b", "put", "{\"path\":\"./1\"}"),
                                call("c", "put", "{\"path\":\"2\"}"),
                                call("d", "put", "{\"path\":\"3\"}")))
                .tools(put());
        bench.limits = new Limits(null, null, null, null, 2, null);
        bench.run();
        assertLimit(bench, "2 changed files");
        assertThat(runs).hasValue(3);
        assertThat(bench.lines()).contains("done c", "denied d");
    }

    @Test
    @DisplayName("output tokens: what is left is asked for, and a response cut by it is the limit, not a failure")
    void outputTokens() {
        Bench bench = new Bench(
                        directory,
                        calls(call("c", "run", PATH)),
                        events(
                                new RoundEvent.TextDelta("lo"),
                                new RoundEvent.UsageCounted(new Usage(1, 3, 0, null)),
                                new RoundEvent.Finished(FinishReason.LENGTH)))
                .tools(run());
        bench.limits = new Limits(null, 8, null, null, null, null);
        bench.run();
        assertThat(bench.model.requests.get(0).maxOutputTokens()).isEqualTo(8);
        assertThat(bench.model.requests.get(1).maxOutputTokens()).isEqualTo(3);
        assertLimit(bench, "8 output tokens");
        assertThat(bench.report.complete().usage().outputTokens()).isEqualTo(8);
    }

    @Test
    @DisplayName("output tokens: a response that its endpoint cut long before the limit is not called one cut by it")
    void cutByTheEndpoint() {
        Bench bench = new Bench(
                directory,
                events(
                        new RoundEvent.TextDelta("lo"),
                        new RoundEvent.UsageCounted(new Usage(1, 4096, 0, null)),
                        new RoundEvent.Finished(FinishReason.LENGTH)));
        bench.limits = new Limits(null, 50_000, null, null, null, null);
        bench.run();
        assertThat(bench.report.failure().code()).isEqualTo(FailureCode.OUTPUT_LIMIT);
    }

    @Test
    @DisplayName("wall clock cuts a response that does not end")
    void seconds() {
        Bench bench = new Bench(directory, untilCancelled("half", () -> {}));
        bench.limits = new Limits(null, null, 2, null, null, null);
        bench.second = Duration.ofMillis(2500);
        bench.run();
        assertLimit(bench, "limit of 2 seconds");
        assertThat(bench.lines()).containsExactly("round 1", "response half", "complete budget_reached");
    }

    @Test
    @DisplayName("S1-79: what was worked before the drone was started again counts for the wall clock, and is told on")
    void secondsOfBefore() {
        Bench bench = new Bench(directory, untilCancelled("half", () -> {}));
        bench.limits = new Limits(null, null, 3600, null, null, null);
        bench.report.workedBefore = Duration.ofMinutes(59).plusSeconds(59).plusMillis(500);
        bench.run();
        assertLimit(bench, "limit of 3600 seconds");
        assertThat(bench.report.worked.getLast()).isGreaterThanOrEqualTo(Duration.ofHours(1));
        assertThat(bench.report.worked.getFirst()).isGreaterThan(bench.report.workedBefore);
    }

    @Test
    @DisplayName("S1-79: the time for which a person is waited for is not told as worked")
    void waitingIsNotWorked() throws InterruptedException {
        var release = new CountDownLatch(1);
        long began = System.nanoTime();
        Bench bench = new Bench(directory, calls(call("c1", "put", PATH)), text("Done.")).tools(put());
        bench.limits = new Limits(null, null, 3600, null, null, null);
        bench.policy = ApprovalPolicy.ASK;
        Duration[] waited = new Duration[1];
        bench.approvals = (callId, signal, atMost) -> {
            long from = System.nanoTime();
            release.await(200, TimeUnit.MILLISECONDS);
            waited[0] = Duration.ofNanos(System.nanoTime() - from);
            return new WorkOrderRunner.Decision(ApprovalDecision.APPROVE, null);
        };
        bench.run();
        Duration all = Duration.ofNanos(System.nanoTime() - began);
        assertThat(bench.report.complete().status()).isEqualTo(TurnStatus.FINISHED);
        assertThat(bench.report.worked.getLast()).isPositive().isLessThanOrEqualTo(all.minus(waited[0]));
    }

    @Test
    @DisplayName("S3-06: cancelled before the first round, while streaming, and before the first token")
    void cancelInTheModel() {
        Bench before = new Bench(directory, text("never"));
        before.cancel.cancel();
        before.run();
        assertThat(before.lines()).containsExactly("complete cancelled");

        Bench[] streaming = new Bench[1];
        streaming[0] = new Bench(directory, untilCancelled("half", () -> streaming[0].cancel.cancel()));
        streaming[0].run();
        assertThat(streaming[0].lines()).containsExactly("round 1", "response half", "complete cancelled");

        Bench[] silent = new Bench[1];
        silent[0] = new Bench(directory, untilCancelled("", () -> silent[0].cancel.cancel()));
        silent[0].run();
        assertThat(silent[0].lines()).containsExactly("round 1", "complete cancelled");
        assertThat(silent[0].model.requests).hasSize(1);
    }

    @Test
    @DisplayName("S3-06: cancelled while a tool runs, the next call is not run and no round follows")
    void cancelInATool() {
        Bench[] bench = new Bench[1];
        bench[0] = new Bench(directory, calls(call("c1", "run", PATH), call("c2", "run", PATH)))
                .tools(FakeTool.runs("run", call -> {
                    bench[0].cancel.cancel();
                    return ToolResult.failed("stopped: " + call.cancel().cancelled());
                }));
        bench[0].run();
        assertThat(bench[0].lines())
                .containsExactly(
                        "round 1",
                        "called c1 run",
                        "called c2 run",
                        "usage 5",
                        "started c1",
                        "failed c1",
                        "denied c2",
                        "complete cancelled");
        assertThat(bench[0].report.answer("c1")).isEqualTo("stopped: true");
    }

    @Test
    @DisplayName("S3-06: cancelled while a person is asked, and while a try waits")
    void cancelWhileWaiting() {
        Bench asked = new Bench(directory, calls(call("c1", "run", PATH))).tools(run());
        asked.policy = ApprovalPolicy.ASK;
        asked.approvals = (callId, signal, atMost) -> {
            asked.cancel.cancel();
            return new WorkOrderRunner.Decision(ApprovalDecision.APPROVE, null);
        };
        asked.run();
        assertThat(asked.lines()).endsWith("awaits c1", "denied c1", "complete cancelled");
        assertThat(runs).hasValue(0);

        Bench waits = new Bench(directory, events(failed(FailureCode.RATE_LIMITED, Duration.ofSeconds(60))));
        CountDownLatch waiting = new CountDownLatch(1);
        waits.pause = (time, signal) -> {
            waiting.countDown();
            return Pause.real().of(time, signal);
        };
        Thread.ofVirtual().start(() -> {
            try {
                assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            waits.cancel.cancel();
        });
        waits.run();
        assertThat(waits.lines()).containsExactly("round 1", "retrying 1", "complete cancelled");
    }

    @Test
    @DisplayName("a thread that is interrupted leaves the turn interrupted, and an unfinished tool of unknown outcome")
    void interrupted() {
        Bench bench = new Bench(directory, calls(call("c1", "run", PATH))).tools(FakeTool.runs("run", call -> {
            throw new InterruptedException();
        }));
        bench.run();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(bench.lines()).endsWith("unknown c1", "complete interrupted");
    }

    @Test
    @DisplayName("a limit is no reason to lose usage that the endpoint did not count")
    void uncounted() {
        Bench bench = new Bench(directory, (request, sink, cancel) -> {
                    sink.accept(new RoundEvent.TextDelta("x".repeat(400)));
                    sink.accept(new RoundEvent.CallRequested(call("c", "run", PATH)));
                    sink.accept(new RoundEvent.Finished(FinishReason.TOOL_CALLS));
                })
                .tools(run());
        bench.limits = new Limits(null, 150, null, null, null, null);
        bench.run();
        assertThat(bench.model.requests).hasSize(2);
        assertThat(bench.model.requests.get(1).maxOutputTokens()).isEqualTo(50);
        assertThat(bench.report.complete().usage()).isEqualTo(Usage.NONE);
        assertLimit(bench, "150 output tokens");
    }

    @Test
    @DisplayName("money is counted by the price list, told as usage, and has a limit")
    void money() {
        Bench bench = new Bench(
                        directory,
                        calls(call("c1", "look", "{\"path\":\"a\"}")),
                        calls(call("c2", "look", "{\"path\":\"b\"}")),
                        text("ok"))
                .tools(FakeTool.reads("look", call -> ToolResult.done("seen")));
        bench.price = new ModelPrice("m", new BigDecimal("1000"), new BigDecimal("2000"));
        bench.limits = new Limits(null, null, null, null, null, new BigDecimal("0.03"));
        bench.run();
        assertThat(bench.report.complete().status()).isEqualTo(TurnStatus.BUDGET_REACHED);
        assertThat(bench.report.complete().usage().cost()).isEqualByComparingTo("0.04");
        assertThat(bench.report.failure().message()).contains("its limit of $0.03.");
    }

    @ParameterizedTest
    @CsvSource({
        "20, 3, , its limit of output tokens for all its turns.",
        "2, 9, , its limit of 2 output tokens.",
        ", , 0.03, its limit of money for all its turns."
    })
    @DisplayName("of a turn and of what the turns before left of the session the lesser counts, and is named")
    void leftOfTheSession(@Nullable Integer turn, @Nullable Integer tokens, @Nullable BigDecimal cost, String named) {
        Bench bench = new Bench(
                        directory,
                        calls(call("c1", "look", "{\"path\":\"a\"}")),
                        calls(call("c2", "look", "{\"path\":\"b\"}")),
                        text("ok"))
                .tools(FakeTool.reads("look", call -> ToolResult.done("seen")));
        bench.price = new ModelPrice("m", new BigDecimal("1000"), new BigDecimal("2000"));
        bench.limits = new Limits(null, turn, null, null, null, BigDecimal.TEN, tokens, cost);
        bench.run();
        assertThat(bench.report.complete().status()).isEqualTo(TurnStatus.BUDGET_REACHED);
        assertThat(bench.report.failure().message()).contains(named);
        assertThat(bench.model.requests).hasSizeBetween(1, 2);
    }

    @ParameterizedTest
    @CsvSource({"0,", ",0"})
    @DisplayName("where the turns before left nothing of the session's limits, no model is asked")
    void nothingLeftOfTheSession(@Nullable Integer tokens, @Nullable BigDecimal cost) {
        Bench bench = new Bench(directory, text("ok"));
        bench.limits = new Limits(null, null, null, null, null, null, tokens, cost);
        bench.run();
        assertThat(bench.report.complete().status()).isEqualTo(TurnStatus.BUDGET_REACHED);
        assertThat(bench.report.failure().message())
                .contains("for all its turns. Raise it in the settings of the session");
        assertThat(bench.model.requests).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"250, 0.0095", ", 0.014"})
    @DisplayName("what the endpoint read before costs what the price list says of it, else as all that is read")
    void cachedInput(@Nullable BigDecimal cachedInput, String cost) {
        Bench bench = new Bench(
                directory,
                ScriptedModel.events(
                        new RoundEvent.TextDelta("ok"),
                        new RoundEvent.UsageCounted(new Usage(10, 2, 0, null, null, 6L)),
                        new RoundEvent.Finished(RoundEvent.FinishReason.STOP)));
        bench.price = new ModelPrice("m", new BigDecimal("1000"), new BigDecimal("2000"), cachedInput);
        bench.run();
        assertThat(bench.report.complete().usage().cost()).isEqualByComparingTo(cost);
        assertThat(bench.report.complete().usage().cachedTokens()).isEqualTo(6);
    }
}
