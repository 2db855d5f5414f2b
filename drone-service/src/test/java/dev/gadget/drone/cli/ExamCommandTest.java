package dev.gadget.drone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.gadget.drone.exam.ModelExamTest;
import dev.gadget.drone.exam.Student;
import dev.gadget.scripted.ScriptedProvider;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Timeout(180)
class ExamCommandTest {
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().addModule(new JavaTimeModule()).build();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new ExamCommand(MAPPER, ModelExamTest.exam()))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private int examine(String... more) {
        try (ScriptedProvider server = ScriptedProvider.start(Student.good())) {
            List<String> arguments = new ArrayList<>(
                    List.of("--provider-type", "ollama", "--url", server.ollamaUrl(), "--model", "demo"));
            arguments.addAll(List.of(more));
            return run(arguments.toArray(String[]::new));
        }
    }

    @Test
    @DisplayName("prints a line for each probe on the way, and a table at the end")
    void table() {
        assertThat(examine()).isZero();

        assertThat(out.toString())
                .containsPattern("tool calls +native")
                .containsPattern("right edits +5/5")
                .containsPattern("context +32768 tokens")
                .containsPattern("speed +[0-9.]+ tokens/s");
        assertThat(err.toString()).contains("[1/4] answers: streams", "[4/4] context: 32768 tokens");
    }

    @Test
    @DisplayName("prints nothing but the profile with --json")
    void json() throws Exception {
        assertThat(examine("--json")).isZero();

        JsonNode profile = MAPPER.readTree(out.toString());
        assertThat(profile.path("toolCalling").asText()).isEqualTo("native");
        assertThat(profile.path("edits").path("passed").asInt()).isEqualTo(5);
    }

    @ParameterizedTest
    @DisplayName("what is wrong is said in one line, with what would be right")
    @CsvSource({
        "--provider-type, other, openai or ollama",
        "--max-seconds, 0, 1 to 3600",
        "--key-env, GADGET_NO_SUCH_KEY, GADGET_NO_SUCH_KEY of --key-env is not set"
    })
    void wrong(String option, String value, String said) {
        assertThat(run("--url", "http://127.0.0.1:1/v1", "--model", "m", option, value))
                .isEqualTo(1);
        assertThat(err.toString()).contains(said).hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    @DisplayName("an endpoint that is not there ends it with what to check")
    void unreachable() {
        assertThat(run("--url", "http://127.0.0.1:" + ScriptedProvider.refusingPort() + "/v1", "--model", "m"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("nothing accepts connections there");
    }
}
