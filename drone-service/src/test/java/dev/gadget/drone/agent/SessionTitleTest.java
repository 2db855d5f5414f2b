package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.events;
import static dev.gadget.drone.agent.ScriptedModel.failed;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static dev.gadget.drone.agent.ScriptedModel.untilCancelled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Limits;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.turn.TurnStatus;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The title of a session")
class SessionTitleTest {
    @TempDir
    Path directory;

    private Bench wanted(ScriptedModel.Answer title) {
        Bench bench = new Bench(directory, text("Done."), title);
        bench.wantsTitle = true;
        bench.prompt = "Mend the till, please.";
        return bench;
    }

    @Test
    @DisplayName("is asked for after the turn, in a small request without tools, and counts as used")
    void asked() {
        Bench bench = wanted(text("Mending", " the till\n")).run();

        assertThat(bench.lines())
                .containsExactly("round 1", "response Done.", "usage 5", "title Mending the till", "complete finished");
        assertThat(bench.report.complete().usage().outputTokens()).isEqualTo(10);
        var request = bench.model.requests.getLast();
        assertThat(request.tools()).isEmpty();
        assertThat(request.maxOutputTokens()).isEqualTo(200);
        assertThat(request.reasoningEffort()).isEqualTo(ReasoningEffort.OFF);
        assertThat(request.messages())
                .singleElement()
                .isInstanceOfSatisfying(
                        ChatMessage.User.class,
                        said -> assertThat(said.text()).contains("<request>\nMend the till, please.\n</request>"));
    }

    @Test
    @DisplayName("is not asked for when it is not wanted, the turn did not finish, or a limit leaves nothing for it")
    void notAsked() {
        Bench unwanted = new Bench(directory, text("Done."), text("A title")).run();
        assertThat(unwanted.lines()).noneMatch(line -> line.startsWith("title"));
        assertThat(unwanted.model.requests).hasSize(1);

        Bench broken = new Bench(directory, events(failed(FailureCode.PROVIDER_REFUSED)), text("A title"));
        broken.wantsTitle = true;
        assertThat(broken.run().model.requests).hasSize(1);

        Bench used = wanted(text("A title"));
        used.limits = new Limits(null, 5, null, null, null, null);
        assertThat(used.run().report.complete().status()).isEqualTo(TurnStatus.FINISHED);
        assertThat(used.model.requests).hasSize(1);
    }

    @Test
    @DisplayName("never fails the turn: not when the endpoint breaks, and not when it does not answer")
    void fails() {
        Bench broken = wanted(events(failed(FailureCode.PROVIDER_UNREACHABLE))).run();
        assertThat(broken.report.complete().status()).isEqualTo(TurnStatus.FINISHED);
        assertThat(broken.lines()).noneMatch(line -> line.startsWith("title"));

        Bench silent = wanted(untilCancelled("", () -> {}));
        silent.second = Duration.ofMillis(5);
        assertThat(silent.run().report.complete().status()).isEqualTo(TurnStatus.FINISHED);
        assertThat(silent.lines()).noneMatch(line -> line.startsWith("title"));
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
