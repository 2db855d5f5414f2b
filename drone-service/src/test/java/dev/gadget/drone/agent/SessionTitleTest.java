package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.events;
import static dev.gadget.drone.agent.ScriptedModel.failed;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static dev.gadget.drone.agent.ScriptedModel.untilCancelled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundEvent.FinishReason;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Limits;
import dev.gadget.model.ModelPrice;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.turn.Usage;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The title of a session")
class SessionTitleTest {
    @TempDir
    Path directory;

    private Bench wanted(ScriptedModel.Answer title) {
        Bench bench = new Bench(directory, title);
        bench.wantsTitle = true;
        bench.prompt = "Mend the till, please.";
        return bench;
    }

    private static Optional<WorkOrderRunner.Title> asked(Bench bench, Usage used) {
        return bench.loop().title(bench.order(), used, bench.cancel);
    }

    private static Optional<String> ask(Bench bench, Usage used) {
        return asked(bench, used).map(WorkOrderRunner.Title::words);
    }

    @Test
    @DisplayName("is asked for in a small request without tools, and nothing of it is said in the turn")
    void asked() {
        Bench bench = wanted(text("Mending", " the till\n"));

        assertThat(ask(bench, Usage.NONE)).contains("Mending the till");
        assertThat(bench.lines()).isEmpty();
        var request = bench.model.requests.getLast();
        assertThat(request.tools()).isEmpty();
        assertThat(request.maxOutputTokens()).isEqualTo(2000);
        assertThat(request.reasoningEffort()).isEqualTo(ReasoningEffort.OFF);
        assertThat(request.messages())
                .singleElement()
                .isInstanceOfSatisfying(
                        ChatMessage.User.class,
                        said -> assertThat(said.text()).contains("<request>\nMend the till, please.\n</request>"));
    }

    @Test
    @DisplayName("is not asked for when it is not wanted, or the turn's limits leave nothing for it")
    void notAsked() {
        Bench unwanted = new Bench(directory, text("A title"));
        assertThat(ask(unwanted, Usage.NONE)).isEmpty();
        assertThat(unwanted.model.requests).isEmpty();

        Bench used = wanted(text("A title"));
        used.limits = new Limits(null, 5, null, null, null, null);
        assertThat(ask(used, new Usage(10, 5, 0, null))).isEmpty();
        assertThat(used.model.requests).isEmpty();
    }

    @Test
    @DisplayName("is none when the endpoint breaks, does not answer, or is wanted for something else")
    void fails() {
        assertThat(ask(wanted(events(failed(FailureCode.PROVIDER_UNREACHABLE))), Usage.NONE))
                .isEmpty();

        Bench silent = wanted(untilCancelled("", () -> {}));
        silent.second = Duration.ofMillis(5);
        assertThat(ask(silent, Usage.NONE)).isEmpty();

        Bench stopped = wanted(untilCancelled("", () -> {}));
        stopped.cancel.cancel();
        assertThat(ask(stopped, Usage.NONE)).isEmpty();
        assertThat(stopped.model.requests).isEmpty();
    }

    @Test
    @DisplayName("is told with what it used, at its model's price, also when no title came of it")
    void usage() {
        var counted = new RoundEvent.UsageCounted(new Usage(200, 10, 0, null));
        var finished = new RoundEvent.Finished(FinishReason.STOP);
        Bench bench = wanted(events(new RoundEvent.TextDelta("Mending the till"), counted, finished));
        bench.price = new ModelPrice("m", new BigDecimal("2"), new BigDecimal("10"));
        assertThat(asked(bench, new Usage(1_000, 100, 0, new BigDecimal("9")))).hasValueSatisfying(title -> {
            assertThat(title.words()).isEqualTo("Mending the till");
            assertThat(title.usage())
                    .usingComparatorForType(BigDecimal::compareTo, BigDecimal.class)
                    .usingRecursiveComparison()
                    .isEqualTo(new Usage(200, 10, 0, new BigDecimal("0.0005")));
        });

        assertThat(asked(wanted(events(counted, finished)), Usage.NONE))
                .contains(new WorkOrderRunner.Title("", new Usage(200, 10, 0, null)));
    }

    @Test
    @DisplayName("leaves a model that thinks room to say it, within a small context")
    void afterThinking() {
        Bench bench = wanted((request, sink, cancel) -> {
            sink.accept(new RoundEvent.ThinkingDelta("hm ".repeat(300)));
            boolean room = Objects.requireNonNull(request.maxOutputTokens()) > 300;
            (room ? text("Mending the till") : events(new RoundEvent.Finished(FinishReason.LENGTH)))
                    .play(request, sink, cancel);
        });
        assertThat(ask(bench, Usage.NONE)).contains("Mending the till");

        bench.profile = new ModelProfile(null, null, null, null, 2048, null, null, null, null, Instant.EPOCH);
        assertThat(ask(bench, Usage.NONE)).contains("Mending the till");
        assertThat(bench.model.requests.getLast().maxOutputTokens()).isEqualTo(1024);
    }

    @Test
    @DisplayName("is one line of at most 80 characters without what models put around it")
    void cleaned() {
        assertThat(SessionTitle.titleIn("\n**Title: \"Mending the till\".**\nIt is about a till."))
                .contains("Mending the till");
        assertThat(SessionTitle.titleIn("# Die Kasse rechnet falsch")).contains("Die Kasse rechnet falsch");
        assertThat(SessionTitle.titleIn("a\u202eb\u0007c")).contains("a b c");
        assertThat(SessionTitle.titleIn("word ".repeat(20)))
                .hasValueSatisfying(
                        title -> assertThat(title).hasSizeLessThanOrEqualTo(80).endsWith("word…"));
        assertThat(SessionTitle.titleIn("Sure, I can do that. ".repeat(20))).isEmpty();
        assertThat(SessionTitle.titleIn("\n \"\" \n")).isEmpty();
    }
}
