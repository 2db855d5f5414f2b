package dev.gadget.scripted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.scripted.Chat.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The scenes on both wires. */
class ScenesTest {
    /** What the drone's tools take: a scene that calls one otherwise would only show a refusal. */
    private static final Map<String, Set<String>> PARAMETERS = Map.of(
            "read_file", Set.of("path", "offset", "limit"),
            "write_file", Set.of("path", "content"),
            "edit_file", Set.of("path", "old_string", "new_string", "replace_all"),
            "list_files", Set.of("path", "recursive"),
            "find_files", Set.of("pattern", "path"),
            "search", Set.of("pattern", "path", "glob"),
            "run_command", Set.of("command", "timeout_seconds"));

    private static ScriptedProvider provider;

    @BeforeAll
    static void start() {
        provider = ScriptedProvider.start(Script.marked(), "127.0.0.1", 0, List.of("demo"));
    }

    @AfterAll
    static void stop() {
        provider.close();
    }

    private static Chat chat(Kind kind, String prompt) {
        return new Chat(provider.port(), kind, prompt).with(Chat.TOOLS);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("plain text comes whole, with its accents, and is counted")
    void plain(Kind kind) throws IOException {
        Heard heard = chat(kind, "Say something. [[plain]]").ask();
        assertThat(heard.text()).contains("naïve accents, 漢字 and a face 😀").endsWith("That was all.");
        assertThat(heard.thinking()).isEmpty();
        assertThat(heard.finish()).isEqualTo("stop");
        assertThat(heard.input()).isPositive();
        assertThat(heard.output()).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a conversation is named after the first line of its prompt, and its scene is not played")
    void named(Kind kind) throws IOException {
        String wish = "Name the conversation that begins with the request below.\n\n<request>\n%s\n</request>";
        assertThat(chat(kind, wish.formatted("[[fault 500]] Mend the till\nsoon"))
                        .ask()
                        .text())
                .isEqualTo("Mend the till");
        assertThat(chat(kind, wish.formatted("[[lorem tokens=5]]")).ask().text())
                .isEqualTo("[[lorem tokens=5]]");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("thinking is told apart from text, and both are counted")
    void reason(Kind kind) throws IOException {
        Heard heard = chat(kind, "[[reason]]").ask();
        assertThat(heard.thinking()).endsWith("the second is the better one.");
        assertThat(heard.text()).isEqualTo("After some thought: **42**.");
        long thought = heard.thinking().split(" ").length;
        assertThat(heard.output()).isEqualTo(thought + heard.text().split(" ").length);
        assertThat(heard.reasoning()).isEqualTo(kind == Kind.OPENAI ? thought : -1);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("tokens carry their numbers, from the first thought to the last word")
    void lorem(Kind kind) throws IOException {
        Heard heard = chat(kind, "[[lorem tokens=300 thinking=20]]").ask();
        assertThat(heard.thinking()).isEqualTo(Step.Numbered.text(1, 20));
        assertThat(heard.text()).isEqualTo(Step.Numbered.text(21, 320));
        assertThat(heard.output()).isEqualTo(320);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("what is not streamed says the same")
    void whole(Kind kind) throws IOException {
        String prompt = "[[lorem tokens=50 thinking=5]]";
        Heard whole = chat(kind, prompt).set("stream", "false").ask();
        assertThat(whole).isEqualTo(chat(kind, prompt).ask());
        Heard call = chat(kind, "[[tool]]").set("stream", "false").ask();
        assertThat(call.calls()).extracting(Heard.Call::name).containsExactly("read_file");
    }

    @ParameterizedTest(name = "[[{0}]] calls {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "tool path=a.txt | read_file",
                "write path=b.txt content=\"two words\" | write_file",
                "edit | write_file, edit_file, search",
                "run command=\"echo a b\" | run_command",
                "parallel | list_files, find_files",
                "think_tool | list_files, write_file",
                "rounds count=4 | find_files, find_files, find_files, find_files",
                "unknown_tool | format_disk",
                "bad_json | read_file",
                "demo rate=0 | list_files, write_file, edit_file, read_file, run_command"
            })
    @DisplayName("tools are called round by round, the same on both wires, and then the scene ends in text")
    void tools(String scene, String calls) throws IOException {
        for (Kind kind : Kind.values()) {
            List<Heard> rounds = chat(kind, "[[" + scene + "]]").converse();
            List<Heard.Call> made =
                    rounds.stream().flatMap(r -> r.calls().stream()).toList();
            assertThat(made).extracting(Heard.Call::name).containsExactly(calls.split(", "));
            assertThat(made).extracting(Heard.Call::id).doesNotHaveDuplicates().doesNotContain("");
            assertThat(rounds.getLast().text()).isNotBlank();
            assertThat(rounds.getLast().finish()).isEqualTo("stop");
            assertThat(rounds.getFirst().finish()).isEqualTo(kind == Kind.OPENAI ? "tool_calls" : "stop");
        }
    }

    @ParameterizedTest(name = "[[{0}]]")
    @CsvSource({"tool", "write", "edit", "run", "parallel", "think_tool", "rounds", "demo rate=0"})
    @DisplayName("tools are called with the parameters that the drone's tools take")
    void parameters(String scene) throws IOException {
        for (Heard heard : chat(Kind.OPENAI, "[[" + scene + "]]").converse()) {
            for (Heard.Call call : heard.calls()) {
                List<String> names = new java.util.ArrayList<>();
                Chat.json(call.arguments()).fieldNames().forEachRemaining(names::add);
                assertThat(PARAMETERS.get(call.name())).as(call.name()).containsAll(names);
            }
        }
    }

    @Test
    @DisplayName("options travel into the call")
    void options() throws IOException {
        Heard write =
                chat(Kind.OPENAI, "[[write path=b.txt content=\"two words\"]]").ask();
        assertThat(write.calls().getFirst().arguments()).isEqualTo("{\"path\":\"b.txt\",\"content\":\"two words\\n\"}");
        Heard run =
                chat(Kind.OLLAMA, "[[run command=\"sh -c 'echo $!; wait'\"]]").ask();
        assertThat(run.calls().getFirst().arguments()).isEqualTo("{\"command\":\"sh -c 'echo $!; wait'\"}");
        Heard bad = chat(Kind.OPENAI, "[[bad_json]]").ask();
        assertThat(bad.calls().getFirst().arguments()).isEqualTo("{\"path\": oops}");
    }

    @Test
    @DisplayName("the loop makes the same call for ever")
    void loop() throws IOException {
        Chat chat = chat(Kind.OPENAI, "[[loop]]");
        for (int i = 0; i < 15; i++) {
            Heard heard = chat.ask();
            assertThat(heard.calls()).hasSize(1);
            assertThat(heard.calls().getFirst().arguments()).isEqualTo("{\"path\":\".\"}");
            chat.answer(heard);
        }
    }

    @Test
    @DisplayName("a mark counts only in the last message of the person")
    void lastMessage() throws IOException {
        String messages = """
                [{"role":"user","content":"[[edit]]"},{"role":"assistant","content":"done"},
                 {"role":"user","content":[{"type":"text","text":"and now "},{"type":"text","text":"[[reason]]"}]}]""";
        assertThat(chat(Kind.OPENAI, "").set("messages", messages).ask().text()).contains("**42**");
    }

    @Test
    @DisplayName(
            "rate= paces, piece= slices, gzip= compresses, field= names the field of the thinking, cut= ends early")
    void common() throws IOException {
        long start = System.nanoTime();
        chat(Kind.OPENAI, "[[lorem tokens=41 rate=100]]").ask();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(400_000_000L);

        RawResponse sliced = chat(Kind.OLLAMA, "[[plain piece=1]]").raw();
        assertThat(sliced.writes()).isEqualTo(sliced.body().length);
        assertThat(Heard.streamed(Kind.OLLAMA, sliced.text()).text()).contains("漢字");

        assertThat(chat(Kind.OPENAI, "[[plain gzip=yes]]").raw().headers()).containsEntry("content-encoding", "gzip");

        String named = chat(Kind.OPENAI, "[[reason field=reasoning]]").raw().text();
        assertThat(named).contains("\"delta\":{\"reasoning\":\"Somebody ").doesNotContain("reasoning_content");

        RawResponse cut = chat(Kind.OPENAI, "[[plain cut=321]]").raw();
        assertThat(cut.body()).hasSize(321);
        assertThat(cut.how()).isEqualTo(RawResponse.How.WHOLE);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a script thinks and says what stands in it, chars= a few characters at a time")
    void script(Kind kind) throws IOException {
        String prompt = "[[script chars=1]] [{\"thinking\": \"a 漢😀\", \"text\": \"<b> x\"}]";
        RawResponse raw = chat(kind, prompt).raw();
        Heard heard = Heard.streamed(kind, raw.text());
        assertThat(heard.thinking()).isEqualTo("a 漢😀");
        assertThat(heard.text()).isEqualTo("<b> x");
        assertThat(heard.output()).isEqualTo(9);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a round of a script can think, say something and call tools")
    void scriptWithCalls(Kind kind) throws IOException {
        String prompt = "[[script]] [{\"thinking\": \"hm\", \"text\": \"I look.\","
                + " \"calls\": [{\"tool\": \"list_files\", \"arguments\": {\"path\": \".\"}}]}]";
        Heard heard = Heard.streamed(kind, chat(kind, prompt).raw().text());
        assertThat(heard.thinking()).isEqualTo("hm");
        assertThat(heard.text()).isEqualTo("I look.");
        assertThat(heard.calls()).extracting(Heard.Call::name).containsExactly("list_files");
    }

    @ParameterizedTest(name = "[[{0}]]: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "nothing | There is no scene 'nothing'; there are demo, help, plain",
                "plain colour=red | The scene plain takes no option 'colour'",
                "lorem tokens=many | The option tokens takes a whole number from 0 to 100000000, not 'many'",
                "lorem tokens=999999999999 | The option tokens takes a whole number",
                "fault nothing | There is no fault 'nothing'; there are 400, 401",
                "fault | There is no fault ''"
            })
    @DisplayName("a wrong mark is answered with what is right")
    void wrongMarks(String mark, String said) throws IOException {
        RawResponse answer = chat(Kind.OPENAI, "[[" + mark + "]]").raw();
        assertThat(answer.status()).isEqualTo(400);
        assertThat(Chat.json(answer.text()).at("/error/message").asText()).startsWith(said);
    }

    @Test
    @DisplayName("help lists every scene and every fault")
    void help() throws IOException {
        assertThat(chat(Kind.OPENAI, "[[help]]").ask().text())
                .contains(Scenes.names())
                .contains(Faults.names());
    }
}
