package dev.gadget.drone.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.drone.agent.ModelRound.State;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundEvent.FinishReason;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.turn.Usage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ModelRoundTest {
    private final List<RoundEvent> told = new ArrayList<>();
    private final CancelSignal cancel = new CancelSignal();

    private static ModelRound round(ScriptedModel.Answer answer) {
        RoundRequest request = new RoundRequest(
                new Bench(Path.of("."), answer).order().provider(),
                "m",
                ReasoningEffort.OFF,
                List.of(),
                List.of(),
                null);
        return new ModelRound(new ScriptedModel(answer), request);
    }

    private ModelRound run(RoundEvent... events) {
        ModelRound round = round(ScriptedModel.events(events));
        assertThat(round.state()).isEqualTo(State.PENDING);
        round.stream(told::add, cancel);
        return round;
    }

    @Test
    @DisplayName("S3-08, S3-13: deltas, then calls, then usage, then one end, however the endpoint mixes them")
    void order() {
        var call = ScriptedModel.call("c1", "search", "{}");
        var usage = new Usage(1, 2, 0, null);
        ModelRound round = run(
                new RoundEvent.ThinkingDelta("hm"),
                new RoundEvent.CallRequested(call),
                new RoundEvent.UsageCounted(usage),
                new RoundEvent.TextDelta("he"),
                new RoundEvent.TextDelta(""),
                new RoundEvent.TextDelta("llo"),
                new RoundEvent.Finished(FinishReason.STOP),
                new RoundEvent.TextDelta("late"),
                new RoundEvent.Finished(FinishReason.STOP));
        assertThat(told)
                .containsExactly(
                        new RoundEvent.ThinkingDelta("hm"),
                        new RoundEvent.TextDelta("he"),
                        new RoundEvent.TextDelta("llo"),
                        new RoundEvent.CallRequested(call),
                        new RoundEvent.UsageCounted(usage),
                        new RoundEvent.Finished(FinishReason.TOOL_CALLS));
        assertThat(round.text()).isEqualTo("hello");
        assertThat(round.thinking()).isEqualTo("hm");
        assertThat(round.calls()).containsExactly(call);
        assertThat(round.state()).isEqualTo(State.TOOL_EXECUTION);
        round.toolsAnswered();
        assertThat(round.state()).isEqualTo(State.COMPLETE);
    }

    @Test
    @DisplayName("S3-09: pending, streaming while text comes, complete")
    void states() {
        List<State> seen = new ArrayList<>();
        ModelRound round = round(ScriptedModel.text("a", "b"));
        round.stream(event -> seen.add(round.state()), cancel);
        assertThat(seen).containsExactly(State.STREAMING, State.STREAMING, State.COMPLETE, State.COMPLETE);
        assertThatThrownBy(round::toolsAnswered).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> round.stream(told::add, cancel)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("of a response that broke, no call is told")
    void brokenHasNoCalls() {
        ModelRound round = run(
                new RoundEvent.CallRequested(ScriptedModel.call("c", "search", "{}")),
                ScriptedModel.failed(FailureCode.TRUNCATED));
        assertThat(told).containsExactly(ScriptedModel.failed(FailureCode.TRUNCATED));
        assertThat(round.calls()).isEmpty();
        assertThat(round.state()).isEqualTo(State.ERROR);
        assertThat(round.emitted()).isFalse();
    }

    @Test
    @DisplayName("a stream that just ends is truncated, never finished")
    void noEnd() {
        ModelRound round = run(new RoundEvent.TextDelta("half"));
        assertThat(round.failure().orElseThrow().failure().code()).isEqualTo(FailureCode.TRUNCATED);
        assertThat(round.emitted()).isTrue();
    }

    @Test
    @DisplayName("S3-14: an exception of the provider is an error event; one of the listener is thrown on")
    void exceptions() {
        ModelRound round = round((request, sink, signal) -> {
            throw new IllegalStateException("bug");
        });
        round.stream(told::add, cancel);
        assertThat(round.failure().orElseThrow().failure().code()).isEqualTo(FailureCode.INTERNAL);

        ModelRound other = round(ScriptedModel.text("x"));
        assertThatThrownBy(() -> other.stream(
                        event -> {
                            throw new IllegalStateException("journal is full");
                        },
                        cancel))
                .hasMessage("journal is full");
    }

    @Test
    @DisplayName("S3-06: a cancelled stream without an end of its own is cancelled, not truncated")
    void cancelled() {
        cancel.cancel();
        ModelRound round = run(new RoundEvent.TextDelta("half"));
        assertThat(round.failure().orElseThrow().failure().code()).isEqualTo(FailureCode.CANCELLED);
    }
}
