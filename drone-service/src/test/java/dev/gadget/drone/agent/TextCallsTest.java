package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.drone.tool.ToolResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tool calls that small models write as text. */
class TextCallsTest {
    private static final String CALL = "{\"name\": \"look\", \"arguments\": {\"path\": \"a\"}}";
    private static final RequestedCall LOOK = call("", "look", "{\"path\":\"a\"}");

    @TempDir
    Path directory;

    private record Read(String shown, List<RequestedCall> calls) {}

    private static Read read(String response, int piece) {
        TextCalls text = new TextCalls(Set.of("look", "run"));
        StringBuilder shown = new StringBuilder();
        for (int at = 0; at < response.length(); at += piece) {
            shown.append(text.take(response.substring(at, Math.min(response.length(), at + piece))));
        }
        List<RequestedCall> calls = text.end();
        return new Read(shown + text.giveUp(), calls);
    }

    static Stream<Arguments> forms() {
        return Stream.of(
                Arguments.of("<tool_call>" + CALL + "</tool_call>", "", List.of(LOOK)),
                Arguments.of("I look.\n<tool_call>\n" + CALL + "\n</tool_call>", "I look.\n", List.of(LOOK)),
                Arguments.of("<tool_call>\n" + CALL, "", List.of(LOOK)),
                Arguments.of(
                        "```sh\nls\n```\nor `ls`, it`s so:\n<tool_call>" + CALL + "</tool_call>",
                        "```sh\nls\n```\nor `ls`, it`s so:\n",
                        List.of(LOOK)),
                Arguments.of("```json \n\n" + CALL + "\n\n ```\n", "", List.of(LOOK)),
                Arguments.of(
                        "<tool_call>" + CALL + "</tool_call>\n<tool_call>" + CALL.replace("\"a\"", "\"b\"")
                                + "</tool_call>",
                        "",
                        List.of(LOOK, call("", "look", "{\"path\":\"b\"}"))),
                Arguments.of(CALL, "", List.of(LOOK)),
                Arguments.of("\n" + CALL.replace("arguments", "parameters") + "\n", "", List.of(LOOK)),
                Arguments.of("```json\n" + CALL + "\n```", "", List.of(LOOK)),
                Arguments.of("[" + CALL + ", " + CALL + "]", "", List.of(LOOK, LOOK)),
                Arguments.of("[TOOL_CALLS][" + CALL + "]", "", List.of(LOOK)),
                Arguments.of("<|python_tag|>" + CALL, "", List.of(LOOK)),
                Arguments.of(
                        "{\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"path\\\":\\\"a\\\"}\"}}",
                        "",
                        List.of(LOOK)),
                Arguments.of(
                        "<tool_call>\n<function=look>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>",
                        "",
                        List.of(LOOK)),
                Arguments.of("<function=look>\n<parameter=path>\na\n</parameter>\n</function>", "", List.of(LOOK)),
                Arguments.of(
                        "I look.\n<function=look>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>",
                        "I look.\n",
                        List.of(LOOK)),
                Arguments.of(
                        "<function=look><parameter=path>a</parameter></function>\n</tool_call>\n"
                                + "<function=look><parameter=path>b</parameter></function>\n</tool_call>",
                        "",
                        List.of(LOOK, call("", "look", "{\"path\":\"b\"}"))),
                Arguments.of("[TOOL_CALLS]look[ARGS]{\"path\":\"a\"}", "", List.of(LOOK)),
                Arguments.of(
                        "[TOOL_CALLS]look[ARGS]{\"path\":\"a\"}[TOOL_CALLS]run[ARGS]{}",
                        "",
                        List.of(LOOK, call("", "run", "{}"))),
                Arguments.of("{'name': 'look', 'arguments': {'path': 'a',}}", "", List.of(LOOK)),
                Arguments.of(
                        "<tool_call>{'name': 'look', 'arguments': {'path': \"True\", 'all': True}}</tool_call>",
                        "",
                        List.of(call("", "look", "{\"path\":\"True\",\"all\":true}"))),
                Arguments.of(
                        "<tool_call>{\"name\":\"format\",\"arguments\":{}}</tool_call>",
                        "",
                        List.of(call("", "format", "{}"))),
                Arguments.of(
                        "<tool_call>{\"name\":\"look\",\"arguments\":{path: a}}</tool_call>",
                        "",
                        List.of(call("", "look", "{\"name\":\"look\",\"arguments\":{path: a}}"))));
    }

    @ParameterizedTest
    @MethodSource("forms")
    @DisplayName("the forms that models were trained on, however the text is cut into pieces")
    void found(String response, String shown, List<RequestedCall> calls) {
        for (int piece : new int[] {1, 3, 7, 1000}) {
            assertThat(read(response, piece)).as("in pieces of " + piece).isEqualTo(new Read(shown, calls));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Hello.",
                "",
                "  indented",
                "{\"name\": \"Ann\", \"age\": 3}",
                "{\"colour\": \"red\"}",
                "{",
                "[1, 2]",
                "```java\nclass A {}\n```",
                "```json\n{\"name\": \"x\"}\n```",
                "a < b and <b>bold</b> <tool",
                "Write <tool_call>like this</tool_call> to call.",
                "For example: " + CALL,
                "`code` first",
                "<function=format>\n<parameter=x>\na\n</parameter>\n</function>\n</tool_call>",
                "[TOOL_CALLS]format[ARGS]{}",
                "{'colour': 'red'}",
                "Call it so:\n```xml\n<tool_call>" + CALL + "</tool_call>\n```\nand wait.",
                "Call it so:\n```\n<function=look>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>\n```\n",
                "~~~\n<tool_call>" + CALL + "</tool_call>\n~~~",
                "The file says `<tool_call>" + CALL + "</tool_call>`.",
                "The file says ``a ` <tool_use>" + CALL + "</tool_use>``.",
                "````\n```\n<tool_call>" + CALL + "</tool_call>\n````",
                CALL + " is how to call look"
            })
    @DisplayName("what is not a call is shown as it is")
    void text_(String response) {
        for (int piece : new int[] {1, 3, 1000}) {
            assertThat(read(response, piece)).isEqualTo(new Read(response, List.of()));
        }
    }

    @Test
    @DisplayName("ordinary text is not held back")
    void atOnce() {
        TextCalls text = new TextCalls(Set.of("look"));
        assertThat(text.take("Hel")).isEqualTo("Hel");
        assertThat(text.take("lo <")).isEqualTo("lo ");
        assertThat(text.take("b>")).isEqualTo("<b>");
        assertThat(new TextCalls(Set.of("look")).take("{\"colour")).isEqualTo("{\"colour");
        assertThat(new TextCalls(Set.of("look")).take("```java\nclass")).isEqualTo("```java\nclass");
        assertThat(new TextCalls(Set.of()).take("<tool_call>")).isEqualTo("<tool_call>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "```\n%s",
                "```json\n{%s",
                "[%s",
                "{%s\u0001",
                "<tool_call>```\n%s</tool_call>",
                "<tool_call>{%s'</tool_call>"
            })
    @Timeout(60)
    @DisplayName("A34: lines and blanks without end take no longer than reading them")
    void blanksWithoutEnd(String around) {
        for (String blank : List.of("\n", " ", " \n", "\n```")) {
            String response = around.formatted(blank.repeat(60_000));
            TextCalls text = new TextCalls(Set.of("look"));
            String shown = text.take(response);
            List<RequestedCall> calls = text.end();
            assertThat(calls).isEmpty();
            assertThat(shown + text.giveUp()).isEqualTo(response);
        }
    }

    @Test
    @Timeout(60)
    @DisplayName("A34: parameters that nothing ends are looked through once")
    void parametersWithoutEnd() {
        String open = "<parameter=path>";
        TextCalls text = new TextCalls(Set.of("look"));

        text.take("<tool_call><function=look>" + open.repeat(15_000) + "</function></tool_call>");

        assertThat(text.end()).containsExactly(call("", "look", "{}"));
    }

    @Test
    @DisplayName("such a call is run like any other")
    void run() {
        Bench bench = new Bench(directory, text("I look. ", "<tool_", "call>" + CALL, "</tool_call>"), text("Done."))
                .tools(FakeTool.reads("look", call -> ToolResult.done("seen " + call.text("path"))))
                .run();
        assertThat(bench.lines())
                .containsExactly(
                        "round 1",
                        "response I look. ",
                        "called call_1_1 look",
                        "usage 5",
                        "started call_1_1",
                        "done call_1_1",
                        "round 2",
                        "response Done.",
                        "usage 10",
                        "complete finished");
        assertThat(bench.report.answer("call_1_1")).isEqualTo("seen a");
    }
}
