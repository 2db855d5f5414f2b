package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.model.Limits;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.WorkEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person says into a turn that runs. */
class SteeringTest {
    /** Roles take turns, as chat templates want it. */
    private static final ChatMessage BETWEEN =
            new ChatMessage.Assistant("[The person says something.]", null, List.of());

    private static final String PATH = "{\"path\":\"a.txt\"}";

    @TempDir
    Path directory;

    private final Deque<WorkOrderRunner.Said> waiting = new ArrayDeque<>();

    private void say(String words) {
        waiting.add(new WorkOrderRunner.Said(TurnId.random(), words));
    }

    private Bench bench(ScriptedModel.Answer... answers) {
        Bench bench = new Bench(directory, answers).tools(FakeTool.reads("look", call -> {
            say("mind the tests");
            return ToolResult.done("seen");
        }));
        bench.approvals = new WorkOrderRunner.Approvals() {
            @Override
            public WorkOrderRunner.Decision await(String callId, CancelSignal cancel, Duration atMost) {
                throw new AssertionError("nothing is asked here");
            }

            @Override
            public Optional<WorkOrderRunner.Said> nextPrompt() {
                return Optional.ofNullable(waiting.poll());
            }
        };
        return bench;
    }

    private static List<ChatMessage> last(Bench bench, int count) {
        List<ChatMessage> messages = bench.model.requests.getLast().messages();
        return messages.subList(messages.size() - count, messages.size());
    }

    @Test
    @DisplayName("while a tool runs: told to the model after the result, before the next round")
    void afterTools() {
        Bench bench = bench(calls(call("c1", "look", PATH)), text("Done.")).run();
        assertThat(bench.lines())
                .containsSubsequence(
                        "done c1", "prompted mind the tests", "round 2", "response Done.", "complete finished");
        assertThat(last(bench, 3))
                .containsExactly(
                        new ChatMessage.ToolAnswer("c1", "look", "seen"),
                        BETWEEN,
                        new ChatMessage.User("mind the tests"));
    }

    @Test
    @DisplayName("while the model ends: the turn goes on from it")
    void insteadOfTheEnd() {
        Bench bench = bench(
                (request, sink, cancel) -> {
                    say("one more");
                    say("and another");
                    text("Done.").play(request, sink, cancel);
                },
                text("All done."));
        bench.run();
        assertThat(bench.lines())
                .containsSubsequence(
                        "response Done.", "prompted one more", "prompted and another", "round 2", "response All done.");
        assertThat(last(bench, 4))
                .containsExactly(
                        new ChatMessage.Assistant("Done.", null, List.of()),
                        new ChatMessage.User("one more"),
                        BETWEEN,
                        new ChatMessage.User("and another"));
    }

    @Test
    @DisplayName("not taken when no round is left in which the model would hear of it")
    void noRoundLeft() {
        Bench bench = bench(calls(call("c1", "look", PATH)));
        bench.limits = new Limits(1, null, null, null, null, null);
        bench.run();
        assertThat(bench.report.complete().status()).isEqualTo(TurnStatus.BUDGET_REACHED);
        assertThat(waiting).hasSize(1);
        assertThat(bench.lines()).noneMatch(line -> line.startsWith("prompted"));
    }

    @Test
    @DisplayName("taken before a crash: it is where it was said when the turn goes on, also after the last word")
    void recovered() {
        Bench cut = bench(
                calls(call("c1", "look", PATH)),
                (request, sink, cancel) -> {
                    say("one more");
                    text("Done.").play(request, sink, cancel);
                },
                text("Lost."));
        cut.run();
        List<WorkEntry> journal = cut.report.until(entry ->
                entry instanceof WorkEntry.Prompted said && said.content().equals("one more"));
        Bench again = bench(text("All done.")).run(journal);
        assertThat(again.lines()).containsExactly("round 3", "response All done.", "usage 15", "complete finished");
        assertThat(last(again, 5))
                .containsExactly(
                        new ChatMessage.ToolAnswer("c1", "look", "seen"),
                        BETWEEN,
                        new ChatMessage.User("mind the tests"),
                        new ChatMessage.Assistant("Done.", null, List.of()),
                        new ChatMessage.User("one more"));
    }

    @Test
    @DisplayName("in an earlier turn: told where it was said")
    void earlier() {
        Instant then = Instant.parse("2026-01-02T03:04:05Z");
        Bench bench = bench(text("Yes."));
        bench.history = List.of(new PastTurn(
                TurnId.random(),
                "first",
                TurnStatus.FINISHED,
                List.of(
                        new Block.Responding(0, then, then, null, "I begin."),
                        new Block.Prompt(1, then, then, null, "faster"),
                        new Block.Responding(2, then, then, null, "Done."))));
        bench.run();
        assertThat(last(bench, 5))
                .containsExactly(
                        new ChatMessage.User("first"),
                        new ChatMessage.Assistant("I begin.", null, List.of()),
                        new ChatMessage.User("faster"),
                        new ChatMessage.Assistant("Done.", null, List.of()),
                        new ChatMessage.User("do it"));
    }
}
