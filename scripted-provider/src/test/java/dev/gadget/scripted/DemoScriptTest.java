package dev.gadget.scripted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.scripted.Chat.Kind;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The demo: what somebody sees who has no model yet. */
class DemoScriptTest {
    private ScriptedProvider provider;

    @BeforeEach
    void start() {
        Script demo = new DemoScript();
        provider = ScriptedProvider.start(request -> demo.reply(request).paced(0));
    }

    @AfterEach
    void stop() {
        provider.close();
    }

    private Chat chat(String prompt) {
        return new Chat(provider.port(), Kind.OPENAI, prompt);
    }

    @Test
    @DisplayName("thinks, says what it is, works with the tools in turn, and ends with how to go on")
    void whole() throws IOException {
        List<Heard> rounds = chat("hello").with(Chat.TOOLS).converse();
        assertThat(rounds)
                .hasSize(6)
                .allSatisfy(round -> assertThat(round.thinking()).isNotBlank());
        assertThat(rounds.getFirst().text()).startsWith("Hello! I am a **scripted demo**");
        assertThat(rounds.getLast().text())
                .contains("No model was asked", "./gadget up", "OPENAI_API_KEY")
                .contains("`list_files`, `write_file`, `edit_file`, `read_file`, `run_command`");
    }

    @Test
    @DisplayName("its edit fits what it wrote, exactly once")
    void edit() throws IOException {
        List<Heard> rounds = chat("- [ ] two\nlines")
                .with(List.of("write_file", "edit_file"))
                .converse();
        String written = Chat.json(rounds.get(0).calls().getFirst().arguments())
                .path("content")
                .asText();
        String old = Chat.json(rounds.get(1).calls().getFirst().arguments())
                .path("old_string")
                .asText();
        assertThat(written).containsOnlyOnce(old).contains("> - [ ] two\n> lines\n");
    }

    @Test
    @DisplayName("quotes only the beginning of a long prompt, and no half of a character")
    void longPrompt() throws IOException {
        Heard heard = chat("😀".repeat(5000)).with(List.of("write_file")).ask();
        String written =
                Chat.json(heard.calls().getFirst().arguments()).path("content").asText();
        assertThat(written).hasSizeLessThan(900).contains("😀 …");
    }

    @Test
    @DisplayName("calls no tool that is not offered")
    void noTools() throws IOException {
        List<Heard> rounds = chat("hello").converse();
        assertThat(rounds).hasSize(1);
        assertThat(rounds.getFirst().text()).contains("I was given no tools, so I changed nothing.");
        assertThat(chat("hello").with(List.of("read_file")).converse()).hasSize(2);
    }

    @Test
    @DisplayName("does not think when it is told not to")
    void withoutThinking() throws IOException {
        assertThat(chat("hello").set("reasoning_effort", "\"none\"").ask().thinking())
                .isEmpty();
        assertThat(new Chat(provider.port(), Kind.OLLAMA, "hello")
                        .set("think", "false")
                        .ask()
                        .thinking())
                .isEmpty();
    }
}
