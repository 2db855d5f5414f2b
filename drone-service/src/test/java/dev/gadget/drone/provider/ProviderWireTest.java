package dev.gadget.drone.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.model.FailureCode;
import dev.gadget.model.ProviderType;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.scripted.ReceivedRequest;
import dev.gadget.scripted.Script;
import dev.gadget.scripted.ScriptedProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way in which an endpoint behaves or misbehaves, over real sockets, and what the drone makes of it. */
class ProviderWireTest {
    private static ScriptedProvider server;

    @BeforeAll
    static void start() {
        server = ScriptedProvider.start(Script.marked(), "127.0.0.1", 0, List.of("demo"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("S0-10, S0-11: thinking, text, usage and the finish reason come through")
    void complete(ProviderType type) {
        List<RoundEvent> events = Rounds.ask(server, type, "[[reason]]");
        assertThat(Rounds.thinking(events)).contains("Two come to mind");
        assertThat(Rounds.text(events)).contains("**42**");
        assertThat(Rounds.end(events)).isEqualTo("STOP");
        Usage usage = events.stream()
                .filter(RoundEvent.UsageCounted.class::isInstance)
                .map(event -> ((RoundEvent.UsageCounted) event).usage())
                .findFirst()
                .orElseThrow();
        assertThat(usage.outputTokens()).isPositive();
        assertThat(usage.inputTokens()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("every token once and in order")
    void order(ProviderType type) {
        List<RoundEvent> events = Rounds.ask(server, type, "[[lorem tokens=2000 thinking=100]]");
        String all = Rounds.thinking(events) + Rounds.text(events);
        List<Integer> numbers = new ArrayList<>();
        var matcher = java.util.regex.Pattern.compile("~(\\d+)").matcher(all);
        while (matcher.find()) {
            numbers.add(Integer.valueOf(matcher.group(1)));
        }
        assertThat(numbers).hasSize(2100).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("S4-02: a call tells how much of it came, and is told when it is whole")
    void callGrows() {
        List<RoundEvent> events = Rounds.ask(server, ProviderType.OPENAI, "[[fault calls-fragments]]");
        List<RoundEvent.CallGrows> first = events.stream()
                .takeWhile(event -> !(event instanceof RoundEvent.CallRequested))
                .filter(RoundEvent.CallGrows.class::isInstance)
                .map(RoundEvent.CallGrows.class::cast)
                .toList();
        ChatMessage.RequestedCall last = Rounds.calls(events).getLast();
        assertThat(first).hasSizeGreaterThan(2);
        assertThat(first.getLast())
                .isEqualTo(
                        new RoundEvent.CallGrows(last.name(), last.arguments().length()));
    }

    @ParameterizedTest(name = "OpenAI, {0}: {1}")
    @CsvSource({
        "400, PROVIDER_REFUSED",
        "401, PROVIDER_UNAUTHORIZED",
        "403, PROVIDER_UNAUTHORIZED",
        "500, PROVIDER_ERROR",
        "502, PROVIDER_ERROR",
        "503, PROVIDER_ERROR",
        "529, PROVIDER_ERROR",
        "429, RATE_LIMITED",
        "404-model, MODEL_NOT_FOUND",
        "404-page, MODEL_NOT_FOUND",
        "overflow-llama, CONTEXT_OVERFLOW",
        "overflow-openai, CONTEXT_OVERFLOW",
        "overflow-nested, CONTEXT_OVERFLOW",
        "502-html, PROVIDER_ERROR",
        "redirect, PROVIDER_REFUSED",
        "silent-before-headers, STALLED",
        "reset-before-headers, PROVIDER_UNREACHABLE",
        "drop-before-headers, PROVIDER_UNREACHABLE",
        "silent-after-headers, STALLED",
        "silent-midstream, STALLED",
        "drop-midstream, TRUNCATED",
        "missing-finish, TRUNCATED",
        "done-without-finish, TRUNCATED",
        "only-keepalive, STALLED",
        "cut-in-utf8, TRUNCATED",
        "cut-in-call, TRUNCATED",
        "length, LENGTH",
        "error-in-200, PROVIDER_ERROR",
        "html-in-200, PROVIDER_PROTOCOL",
        "html-as-stream, PROVIDER_PROTOCOL",
        "error-midstream, PROVIDER_ERROR",
        "error-midstream-text, PROVIDER_ERROR",
        "error-event, PROVIDER_ERROR",
        "malformed, PROVIDER_PROTOCOL",
        "not-json, PROVIDER_PROTOCOL",
        "wrong-type, STOP",
        "gzip, STOP",
        "long-line, STOP",
        "huge-line, PROVIDER_PROTOCOL",
        "odd-chunks, STOP"
    })
    @DisplayName("F23 to F27: each fault of an endpoint has its code, once")
    void openAiFaults(String fault, String end) {
        List<RoundEvent> events = faulty(ProviderType.OPENAI, fault, end);
        assertThat(Rounds.end(events)).isEqualTo(end);
        assertThat(Rounds.ends(events)).isEqualTo(1);
        assertThat(Rounds.calls(events)).isEmpty();
        assertThat(events.toString()).doesNotContain("sk-secret-key");
    }

    private static List<RoundEvent> faulty(ProviderType type, String fault, String end) {
        String prompt = "[[fault " + fault + "]]";
        return end.equals("STALLED")
                ? Rounds.askImpatiently(Rounds.spec(server, type), prompt)
                : Rounds.ask(server, type, prompt);
    }

    @ParameterizedTest(name = "Ollama, {0}: {1}")
    @CsvSource({
        "400, PROVIDER_REFUSED",
        "401, PROVIDER_UNAUTHORIZED",
        "500, PROVIDER_ERROR",
        "429, RATE_LIMITED",
        "404-model-ollama, MODEL_NOT_FOUND",
        "overflow-llama, CONTEXT_OVERFLOW",
        "overflow-nested, CONTEXT_OVERFLOW",
        "silent-before-headers, STALLED",
        "silent-after-headers, STALLED",
        "silent-midstream, STALLED",
        "only-keepalive, STALLED",
        "reset-before-headers, PROVIDER_UNREACHABLE",
        "drop-before-headers, PROVIDER_UNREACHABLE",
        "drop-midstream, TRUNCATED",
        "missing-finish, TRUNCATED",
        "cut-in-utf8, TRUNCATED",
        "cut-in-call, TRUNCATED",
        "length, LENGTH",
        "error-in-200, PROVIDER_ERROR",
        "error-midstream, PROVIDER_ERROR",
        "error-midstream-text, PROVIDER_ERROR",
        "html-in-200, PROVIDER_PROTOCOL",
        "html-as-stream, PROVIDER_PROTOCOL",
        "malformed, PROVIDER_PROTOCOL",
        "not-json, PROVIDER_PROTOCOL",
        "huge-line, PROVIDER_PROTOCOL",
        "long-line, STOP",
        "wrong-type, STOP",
        "gzip, STOP"
    })
    @DisplayName("F23 to F27: the same on Ollama's wire")
    void ollamaFaults(String fault, String end) {
        List<RoundEvent> events = faulty(ProviderType.OLLAMA, fault, end);
        assertThat(Rounds.end(events)).isEqualTo(end);
        assertThat(Rounds.ends(events)).isEqualTo(1);
        assertThat(Rounds.calls(events)).isEmpty();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "OPENAI, calls-whole",
        "OPENAI, calls-fragments",
        "OPENAI, calls-interleaved",
        "OPENAI, calls-same-id",
        "OPENAI, calls-together",
        "OPENAI, calls-with-the-end",
        "OPENAI, calls-no-index",
        "OPENAI, calls-no-id",
        "OLLAMA, calls-whole",
        "OLLAMA, calls-fragments",
        "OLLAMA, calls-together",
        "OLLAMA, calls-with-the-end",
        "OLLAMA, calls-no-index",
        "OLLAMA, calls-no-id",
        "OLLAMA, calls-same-id"
    })
    @DisplayName("F26: two calls stay two calls, whatever their ids and indexes, and are told whole")
    void calls(ProviderType type, String shape) {
        List<RoundEvent> events = Rounds.ask(server, type, "[[fault " + shape + "]]");
        assertThat(Rounds.calls(events))
                .extracting(ChatMessage.RequestedCall::name)
                .containsExactly("list_files", "find_files");
        assertThat(Rounds.calls(events))
                .extracting(ChatMessage.RequestedCall::arguments)
                .containsExactly("{\"path\":\".\"}", "{\"pattern\":\"*.md\"}");
        assertThat(Rounds.calls(events))
                .extracting(ChatMessage.RequestedCall::callId)
                .doesNotHaveDuplicates();
        assertThat(Rounds.end(events)).isEqualTo("TOOL_CALLS");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "OPENAI | calls-empty-arguments | {}",
                "OPENAI | calls-bad-arguments | {oops",
                "OLLAMA | calls-empty-arguments | {}"
            })
    @DisplayName("F26: no arguments are an empty object, garbled ones are told as they came")
    void arguments(ProviderType type, String shape, String expected) {
        List<RoundEvent> events = Rounds.ask(server, type, "[[fault " + shape + "]]");
        assertThat(Rounds.calls(events))
                .extracting(ChatMessage.RequestedCall::arguments)
                .containsExactly(expected);
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("F25: wherever a response is cut, it is truncated or whole, and half a call is never told")
    void everyCut(ProviderType type) {
        boolean whole = false;
        for (int cut = 0; !whole; cut += 11) {
            assertThat(cut).as("the response should be whole by now").isLessThan(20_000);
            List<RoundEvent> events = Rounds.ask(server, type, "[[tool cut=" + cut + "]]");
            assertThat(Rounds.ends(events)).isEqualTo(1);
            whole = Rounds.end(events).equals("TOOL_CALLS");
            assertThat(whole || Rounds.failedWith(events, FailureCode.TRUNCATED))
                    .as("cut after %d: %s", cut, events)
                    .isTrue();
            assertThat(Rounds.calls(events)).hasSize(whole ? 1 : 0);
        }
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("byte by byte it is the same")
    void byteByByte(ProviderType type) {
        assertThat(Rounds.text(Rounds.ask(server, type, "[[plain piece=1]]")))
                .isEqualTo(Rounds.text(Rounds.ask(server, type, "[[plain]]")))
                .contains("漢字 and a face 😀");
    }

    @Test
    @DisplayName("S0-10: thinking is understood in the field reasoning too")
    void reasoningField() {
        List<RoundEvent> events = Rounds.ask(server, ProviderType.OPENAI, "[[reason field=reasoning]]");
        assertThat(Rounds.thinking(events)).contains("Two come to mind");
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("S0-10: thinking in tags is told as thinking")
    void thinkTagsOnTheWire(ProviderType type) {
        List<RoundEvent> events = Rounds.ask(server, type, "[[fault think-tags]]");
        assertThat(Rounds.thinking(events)).isEqualTo("Told in the text itself. ");
        assertThat(Rounds.text(events)).isEqualTo("And this is the answer.");
    }

    @Test
    @DisplayName("F24: how long to wait is passed on")
    void retryAfter() {
        List<RoundEvent> events = Rounds.ask(server, ProviderType.OPENAI, "[[fault 429-retry]]");
        assertThat(((RoundEvent.Failed) events.getLast()).retryAfter()).contains(Duration.ofSeconds(1));
    }

    @Test
    @DisplayName("an endpoint that is not there is named, with what to check")
    void unreachable() {
        int port = ScriptedProvider.refusingPort();
        var spec = new ProviderSpec(ProviderType.OPENAI, "gone", "http://127.0.0.1:" + port + "/v1", null, null);
        List<RoundEvent> events = Rounds.ask(spec, "hello", new CancelSignal());
        assertThat(Rounds.failedWith(events, FailureCode.PROVIDER_UNREACHABLE)).isTrue();
        assertThat(((RoundEvent.Failed) events.getLast()).failure().message()).contains("127.0.0.1:" + port);
    }

    @ParameterizedTest(name = "{0} cancelled in {1}")
    @CsvSource({
        "OPENAI, silent-before-headers",
        "OPENAI, silent-after-headers",
        "OPENAI, endless",
        "OLLAMA, silent-before-headers",
        "OLLAMA, endless"
    })
    @DisplayName("F31: a cancel ends the response at once, before the first byte too, and closes the connection")
    void cancel(ProviderType type, String fault) throws Exception {
        try (var own = ScriptedProvider.start(Script.marked())) {
            var cancel = new CancelSignal();
            List<RoundEvent> events = new ArrayList<>();
            Thread.ofPlatform().daemon().start(() -> {
                while (own.chats().isEmpty()) {
                    Thread.onSpinWait();
                }
                cancel.cancel();
            });
            RoundRequest request = Rounds.request(Rounds.spec(own, type), "[[fault " + fault + "]]");
            Rounds.provider(type, Duration.ofSeconds(20), Duration.ofSeconds(20)).stream(request, events::add, cancel);
            assertThat(Rounds.end(events)).isEqualTo("CANCELLED");
            assertThat(own.chats().getFirst().awaitEnding(10)).isEqualTo(ReceivedRequest.Ending.CLIENT_LEFT);
        }
    }

    @Test
    @DisplayName("F31: after a cancel nothing is told but the end, also of what had come before")
    void cancelledFromTheSink() {
        var cancel = new CancelSignal();
        List<RoundEvent> events = new ArrayList<>();
        RoundRequest request = Rounds.request(Rounds.spec(server, ProviderType.OPENAI), "[[fault endless]]");
        Rounds.provider(ProviderType.OPENAI).stream(
                request,
                event -> {
                    events.add(event);
                    cancel.cancel();
                },
                cancel);
        assertThat(events).hasSize(2);
        assertThat(Rounds.end(events)).isEqualTo("CANCELLED");
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("S3: without streaming the result is the same")
    void blocking(ProviderType type) {
        var streaming = Rounds.spec(server, type);
        var blocking = new ProviderSpec(type, "b", streaming.baseUrl(), null, true);
        List<RoundEvent> one = Rounds.ask(streaming, "[[reason]]", new CancelSignal());
        List<RoundEvent> other = Rounds.ask(blocking, "[[reason]]", new CancelSignal());
        assertThat(Rounds.text(other)).isEqualTo(Rounds.text(one));
        assertThat(Rounds.thinking(other)).isEqualTo(Rounds.thinking(one));
        assertThat(Rounds.end(other)).isEqualTo(Rounds.end(one));
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("the models that an endpoint offers")
    void models(ProviderType type) throws ProviderException {
        assertThat(Rounds.provider(type).models(Rounds.spec(server, type))).contains("demo");
    }

    @Test
    @DisplayName("reasoning in tags is taken out of the content, however it is cut")
    void thinkTags() {
        String content = " <think>one </ two</think>\n\nthree <think>four";
        for (int size = 1; size <= content.length(); size++) {
            var thinking = new StringBuilder();
            var text = new StringBuilder();
            var tags = new ThinkTags(thinking::append, text::append);
            for (int at = 0; at < content.length(); at += size) {
                tags.take(content.substring(at, Math.min(content.length(), at + size)));
            }
            tags.end();
            assertThat(thinking.toString()).as("pieces of %d", size).isEqualTo("one </ two");
            assertThat(text.toString()).as("pieces of %d", size).isEqualTo("three <think>four");
        }
    }
}
