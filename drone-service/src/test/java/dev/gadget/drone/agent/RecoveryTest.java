package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.drone.tool.WriteFileTool;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.Limits;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A turn that was cut at every kind of place, and taken up from its journal. */
class RecoveryTest {
    private static final String PATH = "{\"path\":\"a.txt\"}";

    @TempDir
    Path directory;

    private final AtomicInteger runs = new AtomicInteger();

    private Bench bench(ScriptedModel.Answer... answers) {
        return new Bench(directory, answers).tools(look(), run(), put());
    }

    private Tool look() {
        return FakeTool.reads("look", call -> ToolResult.done("seen " + runs.incrementAndGet()));
    }

    private Tool run() {
        return FakeTool.runs("run", call -> ToolResult.done("run " + runs.incrementAndGet()));
    }

    private Tool put() {
        return FakeTool.writes("put", call -> ToolResult.done("put " + runs.incrementAndGet()));
    }

    /** The journal of a turn that calls the tool and ends, cut after the first entry of which this is true. */
    private List<WorkEntry> journal(String tool, Predicate<WorkEntry> cutAfter) {
        Bench first = bench(
                        (request, sink, cancel) -> {
                            sink.accept(new RoundEvent.ThinkingDelta("hm"));
                            sink.accept(new RoundEvent.TextDelta("I "));
                            sink.accept(new RoundEvent.TextDelta("call."));
                            calls(call("c1", tool, PATH)).play(request, sink, cancel);
                        },
                        text("Done."))
                .run();
        runs.set(0);
        return first.report.until(cutAfter);
    }

    private static ChatMessage.Assistant firstAnswer(Bench bench) {
        return (ChatMessage.Assistant)
                bench.model.requests.getFirst().messages().get(2);
    }

    @Test
    @DisplayName("cut in a text: the text is superseded, not sent again, and the round is asked anew")
    void inText() {
        Bench bench = bench(text("All new.")).run(journal("look", entry -> entry instanceof WorkEntry.Response));
        assertThat(bench.lines())
                .containsExactly("superseded 1", "round 2", "response All new.", "usage 5", "complete finished");
        assertThat(bench.model.requests.getFirst().messages()).hasSize(2);
    }

    @Test
    @DisplayName("cut before the first token: asked anew, nothing to supersede")
    void beforeText() {
        Bench bench = bench(text("Hi.")).run(journal("look", entry -> entry instanceof WorkEntry.RoundStarted));
        assertThat(bench.lines()).containsExactly("round 2", "response Hi.", "usage 5", "complete finished");
    }

    @Test
    @DisplayName("cut between the calls of a response: its calls are closed, its text superseded")
    void betweenCalls() {
        Bench bench = bench(text("Hi.")).run(journal("look", entry -> entry instanceof WorkEntry.ToolCalled));
        assertThat(bench.lines())
                .containsExactly(
                        "denied c1", "superseded 1", "round 2", "response Hi.", "usage 5", "complete finished");
        assertThat(runs).hasValue(0);
    }

    @Test
    @DisplayName("called but not begun: run now, whatever its effect; the round is not asked again")
    void notBegun() {
        Bench bench = bench(text("Done.")).run(journal("run", entry -> entry instanceof WorkEntry.UsageReported));
        assertThat(bench.lines())
                .containsExactly("started c1", "done c1", "round 2", "response Done.", "usage 10", "complete finished");
        assertThat(runs).hasValue(1);
        assertThat(firstAnswer(bench))
                .isEqualTo(new ChatMessage.Assistant("I call.", "hm", List.of(call("c1", "run", PATH))));
        assertThat(bench.report.complete().usage()).isEqualTo(new Usage(20, 10, 2, null, 15L));
    }

    @Test
    @DisplayName("begun without a result: a tool that only reads runs again")
    void begunReads() {
        Bench bench = bench(text("Done.")).run(journal("look", entry -> entry instanceof WorkEntry.ToolStarted));
        assertThat(bench.lines()).startsWith("started c1", "done c1", "round 2");
        assertThat(runs).hasValue(1);
    }

    @Test
    @DisplayName("begun without a result: a command is never run again, its outcome is unknown and told so")
    void begunRuns() {
        Bench bench = bench(text("I look.")).run(journal("run", entry -> entry instanceof WorkEntry.ToolStarted));
        assertThat(bench.lines()).startsWith("unknown c1", "round 2");
        assertThat(runs).hasValue(0);
        assertThat(bench.model.requests.getFirst().messages().getLast())
                .isInstanceOfSatisfying(
                        ChatMessage.ToolAnswer.class,
                        answer -> assertThat(answer.text()).contains("outcome is unknown", "not run again"));
    }

    @Test
    @DisplayName("begun without a result: a write is verified by content, real tool and file")
    void begunWrites() throws Exception {
        Tool write = new WriteFileTool();
        String arguments = "{\"path\":\"n.txt\",\"content\":\"new\"}";
        Bench first = new Bench(directory, calls(call("c1", "write_file", arguments)), text("Done."))
                .tools(write)
                .run();
        List<WorkEntry> journal = first.report.until(entry -> entry instanceof WorkEntry.ToolStarted);

        Bench done = new Bench(directory, text("Done.")).tools(write).run(journal);
        assertThat(done.lines()).startsWith("done c1", "round 2");

        Files.writeString(directory.resolve("n.txt"), "by a person");
        Bench changed = new Bench(directory, text("Done.")).tools(write).run(journal);
        assertThat(changed.lines()).startsWith("unknown c1", "round 2");
        assertThat(directory.resolve("n.txt")).hasContent("by a person");
    }

    @Test
    @DisplayName("results are taken from the journal, not made again")
    void ended() {
        Bench bench = bench(text("Done.")).run(journal("run", entry -> entry instanceof WorkEntry.ToolEnded));
        assertThat(bench.lines()).startsWith("round 2", "response Done.");
        assertThat(runs).hasValue(0);
        assertThat(bench.model.requests.getFirst().messages().getLast())
                .isEqualTo(new ChatMessage.ToolAnswer("c1", "run", "run 1"));
    }

    @Test
    @DisplayName("cut after the last text was whole: the turn just ends")
    void afterTheEnd() {
        AtomicInteger usages = new AtomicInteger();
        Bench bench = bench(text("never"))
                .run(journal(
                        "look", entry -> entry instanceof WorkEntry.UsageReported && usages.incrementAndGet() == 2));
        assertThat(bench.lines()).containsExactly("complete finished");
        assertThat(bench.model.requests).isEmpty();
        assertThat(bench.report.complete().usage().outputTokens()).isEqualTo(10);
    }

    @Test
    @DisplayName("a turn whose end is in the journal is not touched")
    void complete() {
        Bench bench = bench(text("never")).run(journal("look", entry -> entry instanceof WorkEntry.WorkOrderComplete));
        assertThat(bench.lines()).isEmpty();
    }

    @Test
    @DisplayName("cut again while it recovers: call ids stay unique, limits count on, cut rounds do not")
    void again() {
        List<WorkEntry> once = new java.util.ArrayList<>(journal(
                "look", entry -> entry instanceof WorkEntry.RoundStarted round && round.round() == 2));
        once.add(new WorkEntry.Response(100, null, "half"));
        Bench bench = bench(calls(call("c1", "look", "{\"path\":\"b\"}")), text("Done."));
        bench.limits = new Limits(3, null, null, null, null, null);
        bench.run(once);
        assertThat(bench.lines())
                .containsExactly(
                        "superseded 2",
                        "round 3",
                        "called c1_2 look",
                        "usage 10",
                        "started c1_2",
                        "done c1_2",
                        "round 4",
                        "response Done.",
                        "usage 15",
                        "complete finished");
    }

    @Test
    @DisplayName("cut while a person was asked: the person is asked again, and nothing ran before")
    void whileAsked() {
        Bench asks = bench(calls(call("c1", "run", PATH)), text("Done."));
        asks.policy = ApprovalPolicy.ASK;
        asks.run();
        runs.set(0);
        List<WorkEntry> journal = asks.report.until(entry -> entry instanceof WorkEntry.ToolAwaitsApproval);

        Bench again = bench(text("Done."));
        again.policy = ApprovalPolicy.ASK;
        again.run(journal);
        assertThat(again.lines()).startsWith("awaits c1", "started c1", "done c1", "round 2");
        assertThat(runs).hasValue(1);
    }

    @Test
    @DisplayName("a report that takes no more ends the work, and its reason comes through")
    void reportIsClosed() {
        WorkReport closed = (WorkReport) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {WorkReport.class}, (proxy, method, arguments) -> {
                    throw new IllegalStateException("left for later");
                });
        Bench bench = bench(text("Hi."));
        assertThatThrownBy(() -> bench.loop().run(bench.order(), List.of(), closed, bench.approvals, bench.cancel))
                .hasMessage("left for later");
    }
}
