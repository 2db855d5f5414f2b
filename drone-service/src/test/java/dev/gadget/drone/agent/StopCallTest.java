package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.work.WorkEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One call that the person stops, while its turn goes on. */
@Timeout(120)
class StopCallTest {
    @TempDir
    Path directory;

    private final AtomicInteger runs = new AtomicInteger();
    private final Person person = new Person();

    /** Allows everything, and can stop what runs. */
    private static final class Person implements WorkOrderRunner.Approvals {
        private final ConcurrentHashMap<String, CompletableFuture<Runnable>> stops = new ConcurrentHashMap<>();
        private final ConcurrentHashMap<String, Boolean> over = new ConcurrentHashMap<>();

        @Override
        public WorkOrderRunner.Decision await(String callId, CancelSignal cancel, Duration atMost) {
            return new WorkOrderRunner.Decision(ApprovalDecision.APPROVE, null);
        }

        @Override
        public CancelSignal.Registration onStop(String callId, Runnable stop) {
            of(callId).complete(stop);
            return () -> over.put(callId, true);
        }

        private CompletableFuture<Runnable> of(String callId) {
            return stops.computeIfAbsent(callId, _ -> new CompletableFuture<>());
        }

        /** As soon as it runs, and twice: two pages may press at once. */
        Thread stops(String callId) {
            return Thread.ofVirtual().start(() -> {
                Runnable stop = of(callId).join();
                stop.run();
                stop.run();
            });
        }
    }

    /** Prints, and then hangs until it is stopped. */
    private FakeTool hangs() {
        return FakeTool.runs("hang", call -> {
            runs.incrementAndGet();
            call.output().accept("begun ");
            CountDownLatch stopped = new CountDownLatch(1);
            try (CancelSignal.Registration _ = call.cancel().onCancel(stopped::countDown)) {
                if (!stopped.await(60, TimeUnit.SECONDS)) {
                    return ToolResult.failed("nobody stopped it");
                }
            }
            return ToolResult.failed("Stopped. Its output until then: begun");
        });
    }

    private Bench bench(ScriptedModel.Answer... answers) {
        Bench bench =
                new Bench(directory, answers).tools(hangs(), FakeTool.reads("look", call -> ToolResult.done("seen")));
        bench.approvals = person;
        return bench;
    }

    @Test
    @DisplayName("the call ends with what it had printed, the model is told who stopped it, and the turn goes on")
    void stopsOneCall() {
        person.stops("c1");
        Bench bench = bench(
                        calls(call("c1", "hang", "{\"path\":\"a\"}")),
                        calls(call("c2", "look", "{\"path\":\"a\"}")),
                        text("Without it, then."))
                .run();
        assertThat(bench.lines())
                .containsSubsequence(
                        "started c1",
                        "output c1 begun ",
                        "failed c1",
                        "done c2",
                        "response Without it, then.",
                        "complete finished");
        assertThat(bench.report.answer("c1"))
                .startsWith("Stopped. Its output until then: begun")
                .contains("The person stopped this call; the turn goes on.");
        assertThat(bench.report.answer("c2")).isEqualTo("seen");
        assertThat(runs).hasValue(1);
        assertThat(person.over).containsKeys("c1", "c2");
    }

    @Test
    @DisplayName("a call of a subagent is stopped alone, too; so is the subagent with all that it does")
    void belowASubagent() {
        person.stops("s1");
        Bench inner = bench(
                        calls(call("d1", "delegate", "{\"task\":\"find it\"}")),
                        calls(call("s1", "hang", "{\"path\":\"a\"}")),
                        text("It hangs."),
                        text("I see."))
                .run();
        assertThat(inner.lines()).containsSubsequence("failed s1", "done d1", "complete finished");
        assertThat(inner.report.answer("s1")).contains("The person stopped this call");
        assertThat(inner.report.answer("d1")).isEqualTo("It hangs.");

        person.stops.clear();
        CompletableFuture<Runnable> begun = person.of("s1");
        person.of("d1").thenAcceptBoth(begun, (stop, _) -> Thread.ofVirtual().start(stop));
        Bench whole = bench(
                        calls(call("d1", "delegate", "{\"task\":\"find it\"}")),
                        calls(call("s1", "hang", "{\"path\":\"a\"}")),
                        text("I see."))
                .run();
        assertThat(whole.lines()).containsSubsequence("failed s1", "failed d1", "response I see.", "complete finished");
        assertThat(whole.report.answer("d1")).contains("did not come to an end", "The person stopped this call");
    }

    @Test
    @DisplayName("a crash after the stop keeps its result: it is not run again")
    void keepsItsResult() {
        person.stops("c1");
        Bench before = bench(calls(call("c1", "hang", "{\"path\":\"a\"}")), text("Well."))
                .run();
        assertThat(runs).hasValue(1);

        Bench after = bench(text("Well."));
        after.run(before.report.until(WorkEntry.ToolEnded.class::isInstance));

        assertThat(runs).hasValue(1);
        assertThat(after.model.requests.getLast().messages().getLast().toString())
                .contains("The person stopped this call");
        assertThat(after.lines()).endsWith("complete finished");
    }

    @Test
    @DisplayName("what stops the turn stops the call, and is not told as a stop of the call alone")
    void turnStops() {
        Bench bench = bench(calls(call("c1", "hang", "{\"path\":\"a\"}")), text("Never said."));
        person.of("c1").thenAccept(_ -> Thread.ofVirtual().start(bench.cancel::cancel));
        bench.run();
        assertThat(bench.lines()).endsWith("complete cancelled");
        assertThat(bench.report.answer("c1")).doesNotContain("the turn goes on");
    }
}
