package dev.gadget.drone.exam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ModelProviders;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.drone.provider.http.Endpoint;
import dev.gadget.drone.provider.ollama.OllamaProvider;
import dev.gadget.drone.provider.openai.OpenAiProvider;
import dev.gadget.drone.tool.EditFileTool;
import dev.gadget.drone.tool.FindFilesTool;
import dev.gadget.drone.tool.ListFilesTool;
import dev.gadget.drone.tool.ReadFileTool;
import dev.gadget.drone.tool.SearchTool;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.drone.tool.WriteFileTool;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ModelProfile.Score;
import dev.gadget.model.ModelProfile.ToolCalling;
import dev.gadget.model.ProviderType;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.scripted.Reply;
import dev.gadget.scripted.Script;
import dev.gadget.scripted.ScriptedProvider;
import dev.gadget.scripted.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real wires, real tools and real files; only the model is scripted. */
@Timeout(180)
public class ModelExamTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final List<ExamProgress> progress = new ArrayList<>();

    /** An exam as the program wires it. */
    public static ModelExam exam() {
        var endpoint = new Endpoint(new ObjectMapper(), LONG, LONG);
        return new ModelExam(
                new ModelProviders(List.of(new OpenAiProvider(endpoint), new OllamaProvider(endpoint))),
                new Toolbox(List.of(
                        new ReadFileTool(),
                        new WriteFileTool(),
                        new EditFileTool(),
                        new ListFilesTool(),
                        new FindFilesTool(),
                        new SearchTool())));
    }

    private static ProviderSpec spec(ScriptedProvider server, ProviderType type) {
        String url = type == ProviderType.OPENAI ? server.openAiUrl() : server.ollamaUrl();
        return new ProviderSpec(type, "scripted", url, null, null);
    }

    private ModelProfile examine(Script script, ProviderType type) throws ProviderException {
        try (ScriptedProvider server = ScriptedProvider.start(script)) {
            return exam().examine(spec(server, type), "demo", LONG, progress::add, new CancelSignal());
        }
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("a model that can do everything is found to")
    void good(ProviderType type) throws ProviderException {
        ModelProfile profile = examine(Student.good(), type);

        assertThat(profile.streaming()).isTrue();
        assertThat(profile.thinking()).isTrue();
        assertThat(profile.toolCalling()).isEqualTo(ToolCalling.NATIVE);
        assertThat(profile.arguments()).isEqualTo(new Score(4, 4));
        assertThat(profile.edits()).isEqualTo(new Score(5, 5));
        assertThat(profile.firstTokenMillis()).isNotNegative();
        assertThat(profile.tokensPerSecond()).isPositive();
        boolean makesRoom = type == ProviderType.OLLAMA;
        assertThat(makesRoom ? profile.contextTokens() : profile.contextAtLeast())
                .as("nothing was lost, and only where room is made for it is that a limit")
                .isBetween(28_000, 32_768);
        assertThat(makesRoom ? profile.contextAtLeast() : profile.contextTokens())
                .isNull();
        assertThat(progress.getLast().text().contains("at least")).isEqualTo(!makesRoom);
        assertThat(progress).extracting(ExamProgress::done).containsExactly(0, 1, 2, 3, 4);
        assertThat(progress).allMatch(at -> at.of() == 4);
    }

    @Test
    @DisplayName("Ollama is asked what the model was trained for, and told how much room each prompt needs")
    void ollama() throws ProviderException {
        try (ScriptedProvider server = ScriptedProvider.start(Student.good())) {
            ModelProfile profile =
                    exam().examine(spec(server, ProviderType.OLLAMA), "demo", LONG, progress::add, new CancelSignal());

            assertThat(profile.reportedContextTokens()).isEqualTo(32_768);
            assertThat(profile.contextTokens()).isEqualTo(32_768);
            assertThat(server.chats())
                    .extracting(
                            chat -> chat.body().path("options").path("num_ctx").asInt())
                    .filteredOn(tokens -> tokens > 0)
                    .containsExactly(2048, 4096, 8192, 16_384, 32_768);
        }
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("an endpoint that drops the beginning without a word is found out, whatever it says of itself")
    void forgetting(ProviderType type) throws ProviderException {
        ModelProfile profile = examine(Student.forgetting(20_000), type);

        assertThat(profile.contextTokens()).isBetween(3000, 5000);
        assertThat(progress.getLast().text()).contains("the beginning was lost at 8192");
    }

    @Test
    @DisplayName("an endpoint that refuses a long prompt has the context that it took before")
    void refusing() throws ProviderException {
        ModelProfile profile = examine(Student.refusing(40_000), ProviderType.OPENAI);

        assertThat(profile.contextTokens()).isBetween(7000, 8192);
        assertThat(profile.contextAtLeast()).isNull();
        assertThat(progress.getLast().text()).contains("refused at 16384");
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("calls that are written as text are told from native ones, and do their work")
    void text(ProviderType type) throws ProviderException {
        ModelProfile profile = examine(Student.calling(Student.TEXT), type);

        assertThat(profile.toolCalling()).isEqualTo(ToolCalling.TEXT);
        assertThat(profile.arguments()).isEqualTo(new Score(4, 4));
        assertThat(profile.edits()).isEqualTo(new Score(5, 5));
    }

    @Test
    @DisplayName("arguments that are no JSON count as tries that failed")
    void noJson() throws ProviderException {
        ModelProfile profile = examine(Student.calling(Student.NO_JSON), ProviderType.OPENAI);

        assertThat(profile.toolCalling()).isEqualTo(ToolCalling.NATIVE);
        assertThat(profile.arguments()).isEqualTo(new Score(0, 4));
        assertThat(profile.edits()).isEqualTo(new Score(0, 5));
    }

    @Test
    @DisplayName("a model that only talks calls no tools, and is not asked for edits")
    void talker() throws ProviderException {
        ModelProfile profile = examine(Student.calling(Student.NONE), ProviderType.OPENAI);

        assertThat(profile.toolCalling()).isEqualTo(ToolCalling.NONE);
        assertThat(profile.edits()).isNull();
    }

    @Test
    @DisplayName("an endpoint that refuses tools altogether has a model without them")
    void refusesTools() throws ProviderException {
        Student good = Student.good();
        ModelProfile profile = examine(
                request -> request.body().path("tools").isEmpty()
                        ? good.reply(request)
                        : Reply.body(400, "application/json", "{\"error\":\"demo does not support tools\"}"),
                ProviderType.OLLAMA);

        assertThat(profile.toolCalling()).isEqualTo(ToolCalling.NONE);
        assertThat(profile.arguments()).isNull();
        assertThat(profile.contextTokens()).isEqualTo(32_768);
    }

    @Test
    @DisplayName("an edit counts by what the file is afterwards, and none leaves its folder")
    void careless() throws ProviderException {
        ModelProfile profile = examine(Student.careless(), ProviderType.OPENAI);

        assertThat(profile.edits()).isEqualTo(new Score(3, 5));
    }

    @Test
    @DisplayName("an answer that comes at once after a silence was not streamed")
    void collected() throws ProviderException {
        Student good = Student.good();
        ModelProfile profile = examine(
                request -> request.lastUserText().contains("river shapes")
                        ? Reply.text("All of it at once, as if collected on the way. ".repeat(8))
                                .after(new Step.Pause(Duration.ofMillis(2500)))
                        : good.reply(request),
                ProviderType.OPENAI);

        assertThat(profile.streaming()).isFalse();
        assertThat(profile.firstTokenMillis()).isGreaterThan(2400);
    }

    @Test
    @DisplayName("when the time is over, what is known by then is the profile")
    void bounded() throws ProviderException {
        Student good = Student.good();
        Script slow = request -> request.lastUserText().contains("river shapes")
                ? good.reply(request)
                : Reply.exactly(new Step.Silence());
        long start = System.nanoTime();
        try (ScriptedProvider server = ScriptedProvider.start(slow)) {
            ModelProfile profile = exam().examine(
                            spec(server, ProviderType.OPENAI),
                            "demo",
                            Duration.ofSeconds(8),
                            progress::add,
                            new CancelSignal());

            assertThat(profile.streaming()).isTrue();
            assertThat(profile.toolCalling()).isNull();
            assertThat(profile.edits()).isNull();
            assertThat(profile.contextTokens()).isNull();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
    }

    @Test
    @DisplayName("a cancelled exam ends at once and closes the connection")
    void cancelled() throws Exception {
        var cancel = new CancelSignal();
        try (ScriptedProvider server = ScriptedProvider.start(request -> {
            Thread.startVirtualThread(cancel::cancel);
            return Reply.exactly(new Step.Silence());
        })) {
            assertThatExceptionOfType(ProviderException.class)
                    .isThrownBy(() ->
                            exam().examine(spec(server, ProviderType.OPENAI), "demo", LONG, progress::add, cancel))
                    .satisfies(stopped -> assertThat(stopped.failure().code()).isEqualTo(FailureCode.CANCELLED));
            assertThat(server.chats()).hasSize(1);
            assertThat(server.chats().getFirst().awaitEnding(30)).hasToString("CLIENT_LEFT");
        }
    }

    @Test
    @DisplayName("an endpoint that cannot be asked at all fails the exam, with what to check")
    void unreachable() {
        var nobody = new ProviderSpec(
                ProviderType.OPENAI, "x", "http://127.0.0.1:" + ScriptedProvider.refusingPort() + "/v1", null, null);

        assertThatExceptionOfType(ProviderException.class)
                .isThrownBy(() -> exam().examine(nobody, "demo", LONG, progress::add, new CancelSignal()))
                .satisfies(failed -> assertThat(failed.failure().code()).isEqualTo(FailureCode.PROVIDER_UNREACHABLE));
        assertThatExceptionOfType(ProviderException.class)
                .isThrownBy(() -> examine(request -> Reply.body(401, "application/json", "{}"), ProviderType.OLLAMA))
                .satisfies(failed -> assertThat(failed.failure().code()).isEqualTo(FailureCode.PROVIDER_UNAUTHORIZED));
    }

    @Test
    @DisplayName("the edits that are asked for change their file, and have one right result")
    void tasks() {
        assertThat(IntStream.range(0, EditTask.ALL.size()).mapToObj(EditTask.ALL::get))
                .allMatch(task -> !task.content().equals(task.result()))
                .extracting(EditTask::file)
                .doesNotHaveDuplicates();
    }
}
