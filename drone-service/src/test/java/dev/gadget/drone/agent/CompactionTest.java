package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.events;
import static dev.gadget.drone.agent.ScriptedModel.failed;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundEvent.FinishReason;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.WorkEntry;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A conversation that becomes too long is summarised: by itself, by hand, and never twice for nothing. */
class CompactionTest {
    private static final Instant AT = Instant.EPOCH;

    @TempDir
    Path directory;

    private Bench bench(ScriptedModel.Answer... answers) {
        return new Bench(directory, answers).tools(FakeTool.reads("look", _ -> ToolResult.done("seen ".repeat(2000))));
    }

    private static PastTurn past(String prompt, String answer) {
        return new PastTurn(
                TurnId.random(), prompt, TurnStatus.FINISHED, List.of(new Block.Responding(0, AT, AT, null, answer)));
    }

    private static ModelProfile profile(int contextTokens) {
        return new ModelProfile(null, null, null, null, contextTokens, null, null, null, null, AT);
    }

    private static String all(List<ChatMessage> messages) {
        return messages.stream().map(Object::toString).reduce("", String::concat);
    }

    @Test
    @DisplayName(
            "an endpoint that says the prompt is too long: a summary is made, shown as a call, and the turn goes on")
    void overflow() {
        Bench bench = bench(
                events(failed(FailureCode.CONTEXT_OVERFLOW)),
                text("SUMMARY: the person wants a blue door."),
                text("Done."));
        bench.history = List.of(past("paint the door", "which colour?"), past("blue", "painted"));
        bench.run();
        assertThat(bench.lines())
                .containsSubsequence(
                        "round 1",
                        "called compact_context-1 compact_context",
                        "started compact_context-1",
                        "done compact_context-1",
                        "response Done.",
                        "complete finished");
        assertThat(bench.model.requests.get(1).tools()).isEmpty();
        assertThat(all(bench.model.requests.get(1).messages())).contains("Person: paint the door", "You: painted");
        List<ChatMessage> last = bench.model.requests.get(2).messages();
        assertThat(all(last)).contains("SUMMARY: the person wants a blue door.").doesNotContain("which colour?");
        assertThat(last.getLast()).isEqualTo(new ChatMessage.User("do it"));
        assertThat(bench.report.complete().usage())
                .describedAs("what was asked for the summary is used, but not in the context")
                .isEqualTo(new Usage(20, 10, 2, null, 15L));
    }

    @Test
    @DisplayName("never twice without progress: when the summary did not help, the turn ends and says why")
    void once() {
        Bench bench = bench(
                events(failed(FailureCode.CONTEXT_OVERFLOW)),
                text("SUMMARY"),
                events(failed(FailureCode.CONTEXT_OVERFLOW)));
        bench.history = List.of(past("a", "b"));
        bench.run();
        assertThat(bench.lines().stream().filter(line -> line.startsWith("called compact_context")))
                .hasSize(1);
        assertThat(bench.report.failure().code()).isEqualTo(FailureCode.CONTEXT_OVERFLOW);
    }

    @Test
    @DisplayName("in the middle of a turn the newest round stays whole, with the answers of its tools")
    void middle() {
        Bench bench = bench(
                calls(call("c1", "look", "{\"path\":\"a\"}")),
                calls(call("c2", "look", "{\"path\":\"b\"}")),
                events(failed(FailureCode.CONTEXT_OVERFLOW)),
                text("SUMMARY of a"),
                text("Done."));
        bench.run();
        List<ChatMessage> last = bench.model.requests.getLast().messages();
        assertThat(all(last)).contains("SUMMARY of a", "c2").doesNotContain("callId=c1");
        assertThat(last.getLast())
                .isInstanceOfSatisfying(
                        ChatMessage.ToolAnswer.class,
                        answer -> assertThat(answer.callId()).isEqualTo("c2"));
        assertThat(bench.report.complete().status()).isEqualTo(TurnStatus.FINISHED);
    }

    @Test
    @DisplayName("a drone that stopped after a summary goes on from it, and one that stopped in it asks again")
    void recovered() {
        Bench first = bench(
                calls(call("c1", "look", "{\"path\":\"a\"}")),
                calls(call("c2", "look", "{\"path\":\"b\"}")),
                events(failed(FailureCode.CONTEXT_OVERFLOW)),
                text("SUMMARY of a"),
                text("Done."));
        first.run();
        Bench second = bench(text("Done again."));
        second.run(first.report.until(entry ->
                entry instanceof WorkEntry.ToolEnded end && end.callId().startsWith("compact")));
        List<ChatMessage> messages = second.model.requests.getFirst().messages();
        assertThat(all(messages)).contains("SUMMARY of a", "callId=c2").doesNotContain("callId=c1");

        Bench third = bench(text("Done at last."));
        third.run(first.report.until(entry ->
                entry instanceof WorkEntry.ToolStarted start && start.callId().startsWith("compact")));
        assertThat(third.lines()).contains("denied compact_context-1", "complete finished");
        assertThat(all(third.model.requests.getFirst().messages())).contains("callId=c1", "callId=c2");
    }

    @Test
    @DisplayName("/compact by hand, with what to keep; later turns begin with the summary")
    void byHand() {
        Bench bench = bench(text("SUMMARY by hand"));
        bench.history = List.of(past("a", "b"));
        bench.prompt = "/compact the colours";
        bench.run();
        assertThat(bench.lines())
                .containsSubsequence("done compact_context-1", "complete finished")
                .doesNotContain("round 1");
        assertThat(all(bench.model.requests.getFirst().messages())).contains("Above all keep: the colours");
        assertThat(bench.report.complete().usage()).isEqualTo(new Usage(10, 5, 1, null));

        Bench next = bench(text("ok"));
        next.history = List.of(
                past("a", "b"),
                new PastTurn(
                        TurnId.random(),
                        "/compact",
                        TurnStatus.FINISHED,
                        List.of(new Block.Tool(
                                0,
                                AT,
                                AT,
                                null,
                                new ToolCall(
                                        "compact_context-1",
                                        "compact_context",
                                        Map.of(),
                                        ToolCallState.DONE,
                                        null,
                                        "SUMMARY by hand",
                                        AT,
                                        AT,
                                        null)))),
                past("c", "d"));
        next.run();
        assertThat(all(next.model.requests.getFirst().messages()))
                .contains("SUMMARY by hand", "text=c")
                .doesNotContain("text=a,", "/compact");

        Bench empty = bench(text("never"));
        empty.prompt = "/compact";
        empty.run();
        assertThat(empty.lines())
                .containsExactly("response There is nothing yet that could be made shorter.", "complete finished");
    }

    @Test
    @DisplayName("before the window is full: first older answers of tools are cut, then a summary is made")
    void nearlyFull() {
        Bench bench = bench(
                calls(call("c1", "look", "{\"path\":\"a\"}")),
                calls(call("c2", "look", "{\"path\":\"b\"}")),
                text("Done."));
        bench.profile = profile(16_000);
        bench.run();
        assertThat(bench.lines()).noneMatch(line -> line.contains("compact_context"));
        assertThat(bench.model.requests.getLast().messages().stream()
                        .filter(ChatMessage.ToolAnswer.class::isInstance)
                        .map(message ->
                                ((ChatMessage.ToolAnswer) message).text().length()))
                .hasSize(2);

        Bench full = bench(text("SUMMARY"), text("Done."));
        full.history = List.of(past("x".repeat(6000), "y".repeat(6000)), past("z".repeat(6000), "w".repeat(6000)));
        full.profile = profile(12_000);
        full.run();
        assertThat(full.lines()).contains("done compact_context-1", "complete finished");
    }

    /** Of a model that thinks so much before it writes. */
    private static ScriptedModel.Answer thinksFirst(int tokens, String words) {
        return (request, sink, cancel) -> {
            sink.accept(new RoundEvent.ThinkingDelta("hm ".repeat(tokens)));
            boolean room = Objects.requireNonNull(request.maxOutputTokens()) > tokens;
            (room ? text(words) : events(new RoundEvent.Finished(FinishReason.LENGTH))).play(request, sink, cancel);
        };
    }

    @Test
    @DisplayName("a model that thinks before it writes has room for both, within its context")
    void roomToThink() {
        Bench bench = bench(thinksFirst(4000, "SUMMARY"));
        bench.history = List.of(past("a", "b"));
        bench.prompt = "/compact";
        bench.run();
        assertThat(bench.lines()).contains("done compact_context-1");
        assertThat(bench.model.requests.getFirst().maxOutputTokens()).isEqualTo(8000);

        Bench small = bench(text("SUMMARY"));
        small.history = List.of(past("x".repeat(60_000), "b"), past("c", "d"));
        small.prompt = "/compact";
        small.profile = profile(8192);
        small.run();
        var request = small.model.requests.getFirst();
        assertThat(request.maxOutputTokens()).isEqualTo(2048);
        assertThat(ContextWindow.tokens(request.messages())).isLessThan(8192 - 2048 + 500);
    }

    @Test
    @DisplayName(
            "where nothing comes, or a summary without its end, the model is asked once more; the longest is better than none")
    void askedOnceMore() {
        Bench blank = bench(text(" "), text("SUMMARY"));
        blank.history = List.of(past("a", "b"));
        blank.prompt = "/compact";
        blank.run();
        assertThat(blank.report.answer("compact_context-1")).isEqualTo("SUMMARY");

        ScriptedModel.Answer half =
                events(new RoundEvent.TextDelta("HALF a summ"), new RoundEvent.Finished(FinishReason.LENGTH));
        Bench cut = bench(half, text("SUMMARY"));
        cut.history = List.of(past("a", "b"));
        cut.prompt = "/compact";
        cut.run();
        assertThat(cut.report.answer("compact_context-1")).isEqualTo("SUMMARY");

        Bench always = bench(half);
        always.history = List.of(past("a", "b"));
        always.prompt = "/compact";
        always.run();
        assertThat(always.model.requests).hasSize(2);
        assertThat(always.report.answer("compact_context-1")).isEqualTo("HALF a summ\n[The summary was cut here.]");

        Bench never = bench(text(" "));
        never.history = List.of(past("a", "b"));
        never.prompt = "/compact";
        never.run();
        assertThat(never.model.requests).hasSize(2);
        assertThat(never.report.answer("compact_context-1")).isEqualTo("There is no summary. The model said nothing.");
    }

    @Test
    @DisplayName("a conversation that stays nearly full is not summarised again in each round")
    void notInEachRound() {
        List<ScriptedModel.Answer> answers = new ArrayList<>();
        answers.add(text("SUMMARY"));
        for (int i = 1; i <= 6; i++) {
            answers.add(calls(call("c" + i, "peek", "{\"path\":\"" + i + "\"}")));
        }
        answers.add(text("Done."));
        Bench bench = bench(answers.toArray(ScriptedModel.Answer[]::new))
                .tools(FakeTool.reads("peek", _ -> ToolResult.done("little")));
        bench.history = List.of(past("a", "b"));
        bench.prompt = "p".repeat(30_000);
        bench.profile = profile(16_000);
        bench.run();
        assertThat(bench.lines()).endsWith("complete finished");
        assertThat(bench.lines().stream().filter(line -> line.startsWith("called compact_context")))
                .hasSize(1);
    }

    private static Block tool(int index, String id, String name, String response) {
        return new Block.Tool(
                index,
                AT,
                AT,
                null,
                new ToolCall(id, name, Map.of(), ToolCallState.DONE, null, response, AT, AT, null));
    }

    /** The check of strict chat templates: who speaks without calling a tool takes turns with the person. */
    private static void assertRolesAlternate(List<ChatMessage> messages) {
        List<Boolean> person = messages.stream()
                .filter(message -> message instanceof ChatMessage.User
                        || (message instanceof ChatMessage.Assistant said
                                && said.calls().isEmpty()))
                .map(ChatMessage.User.class::isInstance)
                .toList();
        for (int i = 0; i < person.size(); i++) {
            assertThat(person.get(i)).as("%s: %s", i, messages).isEqualTo(i % 2 == 0);
        }
    }

    @Test
    @DisplayName(
            "a later turn knows what the summary left: the prompt of its turn, the newest round, and what came after")
    void laterTurn() {
        Bench next = bench(text("ok"));
        next.history = List.of(
                past("a", "b"),
                new PastTurn(
                        TurnId.random(),
                        "paint it",
                        TurnStatus.FINISHED,
                        List.of(
                                new Block.Responding(0, AT, AT, null, "First I look."),
                                tool(1, "c1", "look", "seen"),
                                new Block.Responding(2, AT, AT, null, "Now I edit."),
                                tool(3, "c2", "edit", "edited"),
                                tool(4, "compact_context-1", "compact_context", "SUMMARY"),
                                new Block.Responding(5, AT, AT, null, "Painted."))));
        next.run();
        List<ChatMessage> messages = next.model.requests.getFirst().messages();
        assertThat(messages.get(1).toString()).contains("SUMMARY");
        assertThat(messages.subList(3, messages.size()))
                .containsExactly(
                        new ChatMessage.User("paint it"),
                        new ChatMessage.Assistant("Now I edit.", null, List.of(call("c2", "edit", "{}"))),
                        new ChatMessage.ToolAnswer("c2", "edit", "edited"),
                        new ChatMessage.Assistant("Painted.", null, List.of()),
                        new ChatMessage.User("do it"));
        assertRolesAlternate(messages);
    }

    @Test
    @DisplayName(
            "person and model take turns: after a summary before any round, by hand, where text follows text, and after a nudge")
    void rolesAlternate() {
        Bench bench = bench(calls(call("n1", "look", "{\"path\":\"a\"}")), text(" "), text("Done."));
        bench.history = List.of(
                past("a", "b"),
                new PastTurn(
                        TurnId.random(),
                        "c",
                        TurnStatus.FINISHED,
                        List.of(
                                tool(0, "compact_context-1", "compact_context", "SUMMARY"),
                                new Block.Responding(1, AT, AT, null, "Half of it,"),
                                tool(2, "clone", ProjectSetup.TOOL, "there"),
                                new Block.Responding(3, AT, AT, null, "and the rest."))),
                new PastTurn(
                        TurnId.random(),
                        "/compact",
                        TurnStatus.FINISHED,
                        List.of(tool(0, "compact_context-1", "compact_context", "SUMMARY 2"))),
                new PastTurn(TurnId.random(), "d", TurnStatus.CANCELLED, List.of(tool(0, "c1", "look", "seen"))));
        bench.run();
        assertThat(bench.model.requests).hasSize(3);
        bench.model.requests.forEach(request -> assertRolesAlternate(request.messages()));

        Bench first = bench(text("ok"));
        first.history = bench.history.subList(0, 2);
        first.run();
        assertRolesAlternate(first.model.requests.getFirst().messages());
        assertThat(all(first.model.requests.getFirst().messages())).contains("Half of it,", "and the rest.", "text=c");
    }
}
