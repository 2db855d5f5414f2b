package dev.gadget.scripted;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gadget.scripted.Chat.Kind;
import dev.gadget.scripted.RawResponse.How;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every fault as it is seen on the socket, on both wires. */
class FaultsTest {
    private static final int SOME = 200_000;
    private static final Map<String, Integer> LONG = Map.of("long-line", 1 << 20, "huge-line", 16 << 20);
    private static final int MORE = 20_000_000;

    /** Name, status, how the response ends, what stands in it. */
    private static final String TABLE = """
            400 | 400 | WHOLE | "code":400
            401 | 401 | WHOLE | "code":401
            403 | 403 | WHOLE | "code":403
            500 | 500 | WHOLE | "code":500
            502 | 502 | WHOLE | "code":502
            503 | 503 | WHOLE | "code":503
            529 | 529 | WHOLE | "code":529
            429 | 429 | WHOLE | Too many requests
            429-retry | 429 | WHOLE | Too many requests
            404-model | 404 | WHOLE | "code":"model_not_found"
            404-model-ollama | 404 | WHOLE | {"error":"model 'nope' not found"}
            404-page | 404 | WHOLE | 404 page not found
            overflow-llama | 400 | WHOLE | "n_ctx":4096
            overflow-openai | 400 | WHOLE | context_length_exceeded
            overflow-nested | 400 | WHOLE | {"error":"{\\"error\\":{
            502-html | 502 | WHOLE | <!doctype html>
            redirect | 307 | WHOLE |
            silent-before-headers | 0 | SILENT |
            reset-before-headers | 0 | RESET |
            drop-before-headers | 0 | CLOSED |
            silent-after-headers | 200 | SILENT |
            silent-midstream | 200 | SILENT | before
            reset-midstream | 200 | RESET | before
            drop-midstream | 200 | CLOSED | before
            missing-finish | 200 | WHOLE | before
            done-without-finish | 200 | WHOLE | data: [DONE]
            only-keepalive | 200 | ENDLESS | before
            endless | 200 | ENDLESS | ~100~
            cut-in-utf8 | 200 | WHOLE | 漢\uFFFD
            cut-in-call | 200 | WHOLE | write_file
            length | 200 | WHOLE | "length"
            error-in-200 | 200 | WHOLE | {"error":{"message":"overloaded"}}
            html-in-200 | 200 | WHOLE | <!doctype html>
            html-as-stream | 200 | WHOLE | <!doctype html>
            error-midstream | 200 | WHOLE | {"error":{"code":500,"message":"decoding failed"}}
            error-midstream-text | 200 | WHOLE | {"error":"decoding failed"}
            error-event | 200 | WHOLE | event: error
            malformed | 200 | WHOLE | {"choices":[{"delta":{"content":
            not-json | 200 | WHOLE | <oops>
            think-tags | 200 | WHOLE | </think>
            wrong-type | 200 | WHOLE | otherwise.
            gzip | 200 | WHOLE |
            long-line | 200 | WHOLE | xxx
            huge-line | 200 | WHOLE | xxx
            odd-chunks | 200 | WHOLE | "unheard_of":[1]
            calls-bad-arguments | 200 | WHOLE | {oops
            calls-empty-arguments | 200 | WHOLE | list_files
            calls-fragments | 200 | WHOLE | call_b
            calls-interleaved | 200 | WHOLE | call_b
            calls-no-id | 200 | WHOLE | find_files
            calls-no-index | 200 | WHOLE | call_b
            calls-same-id | 200 | WHOLE | call_a
            calls-together | 200 | WHOLE | call_b
            calls-whole | 200 | WHOLE | call_b
            calls-with-the-end | 200 | WHOLE | call_b
            """;

    private static ScriptedProvider provider;

    @BeforeAll
    static void start() {
        provider = ScriptedProvider.start(Script.marked());
    }

    @AfterAll
    static void stop() {
        provider.close();
    }

    private static RawResponse raw(Kind kind, String fault, int enough) throws IOException {
        int silence = fault.startsWith("silent") ? RawResponse.SHORT_MILLIS : RawResponse.LONG_MILLIS;

        String body = """
                {"model":"scripted","stream":true,"messages":[{"role":"user","content":"[[fault %s]]"}]}""".formatted(fault);
        return RawResponse.post(provider.port(), kind.path, body, enough, silence);
    }

    private static Stream<Arguments> table() {
        return TABLE.lines().flatMap(line -> {
            String[] cells = line.split("\\|", 4);
            return Stream.of(Kind.values())
                    .map(kind -> Arguments.of(
                            kind,
                            cells[0].strip(),
                            Integer.parseInt(cells[1].strip()),
                            How.valueOf(cells[2].strip()),
                            cells[3].strip()));
        });
    }

    @Test
    @DisplayName("no fault is left out here")
    void complete() {
        assertThat(table().map(row -> (String) row.get()[1]).distinct())
                .containsExactlyInAnyOrderElementsOf(Faults.names());
    }

    @ParameterizedTest(name = "{0} {1}: {2}, {3}")
    @MethodSource("table")
    @DisplayName("the fault is really seen on the socket")
    void seen(Kind kind, String fault, int status, How how, String part) throws IOException {
        // A keep-alive is short and comes seldom: what follows the text by a few bytes is one.
        int enough = fault.equals("only-keepalive")
                ? raw(kind, "silent-midstream", SOME).body().length + 5
                : LONG.containsKey(fault) ? MORE : SOME;
        RawResponse seen = raw(kind, fault, enough);
        assertThat(seen.status()).isEqualTo(status);
        assertThat(seen.how()).isEqualTo(how);
        if (fault.equals("html-in-200") || fault.equals("502-html")) {
            assertThat(seen.headers()).containsEntry("content-type", "text/html");
        }
        assertThat(seen.text().contains(part))
                .as("'%s' stands in the body", part)
                .isTrue();
        assertThat(seen.body().length).isGreaterThanOrEqualTo(LONG.getOrDefault(fault, 0));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "missing-finish",
        "done-without-finish",
        "error-midstream",
        "error-event",
        "html-as-stream",
        "silent-midstream",
        "drop-midstream",
        "reset-midstream",
        "cut-in-utf8",
        "cut-in-call"
    })
    @DisplayName("a response that is cut or broken has no finish")
    void noFinish(String fault) throws IOException {
        assertThat(raw(Kind.OPENAI, fault, SOME).text()).doesNotContain("\"finish_reason\":\"");
        assertThat(raw(Kind.OLLAMA, fault, SOME).text()).doesNotContain("\"done\":true");
    }

    @Test
    @DisplayName("headers that matter are there")
    void headers() throws IOException {
        assertThat(raw(Kind.OPENAI, "429-retry", SOME).headers()).containsEntry("retry-after", "1");
        assertThat(raw(Kind.OPENAI, "429", SOME).headers()).doesNotContainKey("retry-after");
        assertThat(raw(Kind.OPENAI, "redirect", SOME).headers()).containsKey("location");
        assertThat(raw(Kind.OPENAI, "wrong-type", SOME).headers()).containsEntry("content-type", "text/plain");
        assertThat(raw(Kind.OPENAI, "gzip", SOME).headers()).containsEntry("content-encoding", "gzip");
        assertThat(raw(Kind.OPENAI, "length", SOME).headers()).containsEntry("content-type", "text/event-stream");
        assertThat(raw(Kind.OLLAMA, "length", SOME).headers()).containsEntry("content-type", "application/x-ndjson");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a torn call and a torn character end inside a line")
    void torn(Kind kind) throws IOException {
        for (String fault : List.of("cut-in-call", "cut-in-utf8")) {
            assertThat(raw(kind, fault, SOME).text()).doesNotEndWith("\n");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"fragments", "interleaved", "whole", "together", "with-the-end", "no-index", "no-id", "same-id"})
    @DisplayName("two calls stay two calls, however they are told")
    void calls(String shape) throws IOException {
        for (Kind kind : Kind.values()) {
            Heard heard = Heard.streamed(kind, raw(kind, "calls-" + shape, SOME).text());
            assertThat(heard.calls()).extracting(Heard.Call::name).containsExactly("list_files", "find_files");
            assertThat(heard.calls())
                    .extracting(Heard.Call::arguments)
                    .containsExactly("{\"path\":\".\"}", "{\"pattern\":\"*.md\"}");
            assertThat(heard.calls())
                    .extracting(Heard.Call::id)
                    .containsExactly(
                            switch (shape) {
                                case "no-id" -> new String[] {"", ""};
                                case "same-id" -> new String[] {"call_a", "call_a"};
                                default -> new String[] {"call_a", "call_b"};
                            });
        }
    }

    @Test
    @DisplayName("the shapes of calls differ as their names say")
    void shapes() throws IOException {
        assertThat(callChunks("whole")).containsExactly(List.of(0), List.of(1));
        assertThat(callChunks("together")).containsExactly(List.of(0, 1));
        assertThat(callChunks("with-the-end")).containsExactly(List.of(0, 1));
        assertThat(callChunks("no-index")).containsExactly(List.of(-1), List.of(-1));
        assertThat(callChunks("fragments"))
                .hasSizeGreaterThan(4)
                .isSortedAccordingTo((a, b) -> a.getFirst() - b.getFirst());
        assertThat(callChunks("interleaved").subList(0, 4))
                .containsExactly(List.of(0), List.of(1), List.of(0), List.of(1));
    }

    /** The indexes of the calls in each chunk that has some; -1 is a call without. */
    private static List<List<Integer>> callChunks(String shape) throws IOException {
        List<List<Integer>> out = new ArrayList<>();
        for (String event : raw(Kind.OPENAI, "calls-" + shape, SOME).text().split("\n\n")) {
            List<Integer> indexes = new ArrayList<>();
            if (event.startsWith("data: {")) {
                JsonNode chunk = Chat.json(event.substring("data: ".length()));
                chunk.at("/choices/0/delta/tool_calls")
                        .forEach(call -> indexes.add(call.path("index").asInt(-1)));
            }
            if (!indexes.isEmpty()) {
                out.add(indexes);
            }
        }
        return out;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a fault with times= passes after so many requests of its prompt")
    void times(Kind kind) throws IOException {
        TreeSet<Integer> statuses = new TreeSet<>();
        for (int i = 0; i < 2; i++) {
            statuses.add(raw(kind, "503 times=2]] " + kind, SOME).status());
        }
        assertThat(statuses).containsExactly(503);
        assertThat(raw(kind, "503 times=2]] " + kind, SOME).status()).isEqualTo(200);
        assertThat(raw(kind, "503 times=2]] another " + kind, SOME).status()).isEqualTo(503);
    }
}
