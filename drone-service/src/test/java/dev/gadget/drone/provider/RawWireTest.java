package dev.gadget.drone.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.model.FailureCode;
import dev.gadget.model.ProviderType;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.scripted.Reply;
import dev.gadget.scripted.Script;
import dev.gadget.scripted.ScriptedProvider;
import dev.gadget.scripted.Step;
import dev.gadget.scripted.ToolCall;
import dev.gadget.scripted.ToolShape;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What needs an endpoint of its own: sockets, time-outs, keys, and shapes that few servers send. */
class RawWireTest {
    private static final String KEY = "sk-secret-key";
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final String STREAM = "Content-Type: text/event-stream\r\n";
    private static final String END =
            "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

    private static ProviderSpec spec(String baseUrl) {
        return new ProviderSpec(ProviderType.OPENAI, "raw", baseUrl, KEY, null);
    }

    private static List<RoundEvent> ask(String baseUrl) {
        return Rounds.ask(spec(baseUrl), "hello", new CancelSignal());
    }

    private static List<RoundEvent> scripted(Reply reply, Duration first, Duration next) {
        try (var server = ScriptedProvider.start(Script.always(reply))) {
            List<RoundEvent> events = new ArrayList<>();
            Rounds.provider(ProviderType.OPENAI, first, next).stream(
                    Rounds.request(spec(server.openAiUrl()), "hello"), events::add, new CancelSignal());
            return events;
        }
    }

    private static Step.Chunk toolPart(String part) {
        return new Step.Chunk("{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[" + part + "]}}]}");
    }

    @Test
    @DisplayName("F23: time that the reader takes is not the endpoint's silence")
    void slowReader() throws IOException {
        try (var server = ScriptedProvider.start(Script.marked())) {
            List<RoundEvent> events = new ArrayList<>();
            Rounds.provider(ProviderType.OPENAI, LONG, SHORT).stream(
                    Rounds.request(spec(server.openAiUrl()), "[[reason]]"),
                    event -> {
                        if (events.isEmpty()) {
                            awaitInVain(SHORT.multipliedBy(2));
                        }
                        events.add(event);
                    },
                    new CancelSignal());
            assertThat(Rounds.end(events)).isEqualTo("STOP");
            assertThat(Rounds.text(events)).contains("**42**");
        }
    }

    private static void awaitInVain(Duration time) {
        try {
            assertThat(new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS))
                    .isFalse();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("F23: a model may take longer to begin than to go on, also when headers came at once")
    void slowToBegin() {
        var reply = Reply.of(
                new Step.Chunk("{\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}]}"),
                new Step.Pause(SHORT.multipliedBy(2)),
                new Step.Text("at last"));
        List<RoundEvent> events = scripted(reply, LONG, SHORT);
        assertThat(Rounds.end(events)).isEqualTo("STOP");
        assertThat(Rounds.text(events)).isEqualTo("at last");
    }

    @Test
    @DisplayName("F23: once it began, the shorter time counts, and the text so far is kept")
    void stallsAfterBeginning() {
        List<RoundEvent> events =
                scripted(Reply.exactly(new Step.Text("begun"), new Step.Silence()), LONG, Duration.ofMillis(1500));
        assertThat(Rounds.end(events)).isEqualTo("STALLED");
        assertThat(Rounds.text(events)).isEqualTo("begun");
        assertThat(Rounds.message(events)).contains("1.5 s");
    }

    @Test
    @DisplayName(
            "F23: Ollama may be as silent while it writes a call as before it begins; without tools the shorter time counts")
    void ollamaWritesACall() {
        var reply = Reply.of(
                new Step.Text("I write it."),
                new Step.Pause(SHORT.multipliedBy(2)),
                new Step.Tools(List.of(ToolCall.of("list_files", "{}")), ToolShape.WHOLE));
        try (var server = ScriptedProvider.start(Script.always(reply))) {
            var spec = Rounds.spec(server, ProviderType.OLLAMA);
            RoundRequest request = Rounds.request(spec, "hello");
            var bare = new RoundRequest(
                    spec, request.model(), request.reasoningEffort(), request.messages(), List.of(), null);
            var provider = Rounds.provider(ProviderType.OLLAMA, LONG, SHORT);
            List<RoundEvent> events = new ArrayList<>();
            provider.stream(request, events::add, new CancelSignal());
            assertThat(Rounds.end(events)).isEqualTo("TOOL_CALLS");
            List<RoundEvent> silent = new ArrayList<>();
            provider.stream(bare, silent::add, new CancelSignal());
            assertThat(Rounds.end(silent)).isEqualTo("STALLED");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} |",
                "{'model_info':{'x.context_length':131072}} | 16384",
                "{'model_info':{'x.context_length':8192}} | 8192",
                "{'parameters':'stop <x>\\nnum_ctx   65536\\ntop_k 20','model_info':{'x.context_length':131072}} | 65536",
                "{'remote_host':'https://ollama.com','model_info':{'x.context_length':131072}} | 131072",
                "{'models':[{'name':'demo:latest','context_length':40000}],'model_info':{'x.context_length':131072}} | 40000",
                "{'models':[{'name':'demo','context_length':4096}],'model_info':{'x.context_length':131072}} | 16384",
            })
    @DisplayName("a model of Ollama that nobody examined has the context that was set or loaded, or a usual one")
    void ollamaContext(String answer, Integer tokens) throws Exception {
        try (var server =
                RawServer.answering("200 OK", "Content-Type: application/json\r\n", answer.replace('\'', '"'))) {
            var spec = new ProviderSpec(ProviderType.OLLAMA, "raw", server.url(), KEY, null);
            assertThat(Rounds.provider(ProviderType.OLLAMA).usualContext(spec, "demo", new CancelSignal()))
                    .isEqualTo(Optional.ofNullable(tokens));
        }
    }

    @Test
    @DisplayName("F25: an aborted connection is a truncated response, and the text so far is kept")
    void aborted() {
        // A reset overtakes what was sent just before, so that comes first.
        var reply = Reply.exactly(new Step.Text("begun"), new Step.Pause(SHORT), new Step.Reset());
        List<RoundEvent> events = scripted(reply, LONG, LONG);
        assertThat(Rounds.end(events)).isEqualTo("TRUNCATED");
        assertThat(Rounds.text(events)).isEqualTo("begun");
    }

    @Test
    @DisplayName("S0-21, F25: what came in the moment in which the connection broke is kept, to the last token")
    void brokenRightAfterTheLastToken() throws IOException {
        String token = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"token \"}}]}\n\n";
        String answer = "HTTP/1.1 200 OK\r\n" + STREAM + "Transfer-Encoding: chunked\r\n\r\n"
                + "%x\r\n%s\r\n".formatted(token.length(), token).repeat(20);
        try (var server = RawServer.hangingUp(answer.getBytes(StandardCharsets.US_ASCII))) {
            for (int i = 0; i < 50; i++) {
                List<RoundEvent> events = ask(server.url());
                assertThat(Rounds.end(events)).isEqualTo("TRUNCATED");
                assertThat(Rounds.text(events)).isEqualTo("token ".repeat(20));
            }
        }
    }

    @Test
    @DisplayName("F26: a character whose halves come apart is one, and a half that nothing follows is told as lost")
    void characterInHalves() throws IOException {
        String chunks = Stream.of("a\\ud83c", "\\udf89b\\ud83c")
                .map("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"}}]}\n\n"::formatted)
                .collect(Collectors.joining());
        try (var server = RawServer.answering("200 OK", STREAM, chunks + END)) {
            assertThat(ask(server.url()))
                    .startsWith(
                            new RoundEvent.TextDelta("a"),
                            new RoundEvent.TextDelta("\ud83c\udf89b"),
                            new RoundEvent.TextDelta("\ufffd"));
        }
    }

    @ParameterizedTest
    @DisplayName(
            "F25, F26: a last line that was cut is a truncated response, and one that was wrong before its end is none")
    @CsvSource(quoteCharacter = '`', textBlock = """
            {malformed json: <<<chaos>>>, PROVIDER_PROTOCOL
            {"message":{"content":"a, TRUNCATED
            {"message":{"content":"a\\u00, TRUNCATED
            {"done":fal, TRUNCATED
            {, TRUNCATED
            """)
    void lastLineOfOllama(String line, String end) throws IOException {
        try (var server = RawServer.answering("200 OK", "Content-Type: application/json\r\n", line)) {
            var spec = new ProviderSpec(ProviderType.OLLAMA, "raw", server.url(), KEY, null);
            assertThat(Rounds.end(Rounds.ask(spec, "hello", new CancelSignal())))
                    .isEqualTo(end);
        }
    }

    @ParameterizedTest
    @DisplayName(
            "F24: what endpoints say of a refusal is found in each shape, and told apart from a prompt that is too long")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [{"error":{"code":400,"message":"The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}] | CONTEXT_OVERFLOW | (1048576)
            {"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 139000 tokens."} | CONTEXT_OVERFLOW | 139000
            [{"error":{"code":400,"message":"Unknown name x.","status":"INVALID_ARGUMENT"}}] | PROVIDER_REFUSED | Unknown name
            {"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","x"]}]},"type":"invalid_request_error"} | PROVIDER_REFUSED | extra_forbidden
            {"detail":"Something is not right"} | PROVIDER_REFUSED | Something is not right
            """)
    void refusals(String body, String end, String said) throws IOException {
        try (var server = RawServer.answering("400 Bad Request", "Content-Type: application/json\r\n", body)) {
            List<RoundEvent> events = ask(server.url());
            assertThat(Rounds.end(events)).isEqualTo(end);
            assertThat(Rounds.message(events)).contains(said);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"prompt_tokens_details\":{\"cached_tokens\":6} | 6",
                "\"prompt_cache_hit_tokens\":7 | 7",
                "\"cache_read_input_tokens\":0 | 0",
                "\"prompt_tokens_details\":{\"cached_tokens\":99} | 10",
                "\"prompt_tokens_details\":{\"cached_tokens\":\"many\"} |",
                "\"prompt_tokens_details\":null |"
            })
    @DisplayName("what of the prompt an endpoint had read before is counted, in each of the ways that endpoints say it")
    void cached(String said, @Nullable Long tokens) throws IOException {
        String usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":2,%s}}\n\n"
                .formatted(said);
        try (var server = RawServer.answering("200 OK", STREAM, usage + END)) {
            assertThat(ask(server.url()))
                    .contains(new RoundEvent.UsageCounted(new Usage(10, 2, 0, null, null, tokens)));
        }
    }

    @ParameterizedTest
    @DisplayName("S1-26: what an endpoint itself says that a response cost is counted; 0, words and nonsense are not")
    @CsvSource(
            delimiter = '|',
            value = {"0.00014 | 0.00014", "3 | 3", "0 |", "'{}' |", "-1 |", "1e300 |", "1e-300 | 0", "'\"much\"' |"})
    void cost(String said, BigDecimal cost) throws IOException {
        String usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":2,\"cost\":%s}}\n\n"
                .formatted(said);
        try (var server = RawServer.answering("200 OK", STREAM, usage + END)) {
            assertThat(ask(server.url())).contains(new RoundEvent.UsageCounted(new Usage(10, 2, 0, cost)));
        }
    }

    @Test
    @DisplayName("F26: calls that all have the index 0 and no id stay two")
    void sameIndexForAll() {
        List<RoundEvent> events = scripted(
                Reply.of(
                        toolPart("{\"index\":0,\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"a\\\":1}\"}}"),
                        toolPart("{\"index\":0,\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"a\\\":2}\"}}")),
                LONG,
                LONG);
        assertThat(Rounds.calls(events))
                .extracting(ChatMessage.RequestedCall::arguments)
                .containsExactly("{\"a\":1}", "{\"a\":2}");
    }

    @Test
    @DisplayName("F26: a name that comes with every fragment does not make more calls; arguments may be an object")
    void nameWithEveryFragment() {
        List<RoundEvent> events = scripted(
                Reply.of(
                        toolPart(
                                "{\"index\":0,\"id\":\"x\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"a\\\"\"}}"),
                        toolPart("{\"index\":0,\"id\":\"x\",\"function\":{\"name\":\"read\",\"arguments\":\":{}}\"}}"),
                        toolPart(
                                "{\"index\":1,\"id\":\"y\",\"function\":{\"name\":\"list\",\"arguments\":{\"b\":2}}}")),
                LONG,
                LONG);
        assertThat(Rounds.calls(events))
                .containsExactly(
                        new ChatMessage.RequestedCall("x", "read", "{\"a\":{}}"),
                        new ChatMessage.RequestedCall("y", "list", "{\"b\":2}"));
    }

    @Test
    @DisplayName("F24: Retry-After may be a date")
    void retryAfterDate() throws IOException {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(90));
        try (var server = RawServer.answering("429 Slow down", "Retry-After: " + date + "\r\n", "{}")) {
            List<RoundEvent> events = ask(server.url());
            assertThat(Rounds.end(events)).isEqualTo("RATE_LIMITED");
            assertThat(((RoundEvent.Failed) events.getLast()).retryAfter().orElseThrow())
                    .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(91));
        }
    }

    @Test
    @DisplayName("F24: the status counts, also when the explanation never ends")
    void endlessExplanation() throws IOException {
        byte[] head = "HTTP/1.1 500 Broken\r\nContent-Length: 1000\r\n\r\nhalf".getBytes(StandardCharsets.US_ASCII);
        try (var server = new RawServer(head)) {
            // The status may take its time; what is not waited for is the rest of the explanation.
            List<RoundEvent> events = new ArrayList<>();
            Rounds.provider(ProviderType.OPENAI, LONG, Rounds.SILENCE).stream(
                    Rounds.request(spec(server.url()), "hello"), events::add, new CancelSignal());
            assertThat(Rounds.end(events)).isEqualTo("PROVIDER_ERROR");
        }
    }

    @Test
    @DisplayName("F24: a host that is not known is named as that")
    void unknownHost() {
        List<RoundEvent> events = ask("http://no-such-host.invalid/v1");
        assertThat(Rounds.failedWith(events, FailureCode.PROVIDER_UNREACHABLE)).isTrue();
        assertThat(Rounds.message(events)).contains("no-such-host.invalid").contains("name is not known");
    }

    @Test
    @DisplayName("F24: TLS towards a server without it is named as that")
    void noTls() throws IOException {
        byte[] plain = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (var server = RawServer.talkingFirst(plain)) {
            List<RoundEvent> events = ask(server.url().replace("http:", "https:"));
            assertThat(Rounds.failedWith(events, FailureCode.PROVIDER_UNREACHABLE))
                    .isTrue();
            assertThat(Rounds.message(events)).contains("no safe connection").contains("https://");
        }
    }

    @Test
    @DisplayName("a key never gets into what is told, neither echoed nor malformed")
    void secrets() throws IOException {
        String echo = "{\"error\":{\"message\":\"Incorrect API key provided: " + KEY + "\"}}";
        try (var server = RawServer.answering("401 No", "", echo)) {
            List<RoundEvent> events = ask(server.url());
            assertThat(Rounds.end(events)).isEqualTo("PROVIDER_UNAUTHORIZED");
            assertThat(Rounds.message(events)).contains("Incorrect API key").doesNotContain(KEY);
            var malformed = new ProviderSpec(ProviderType.OPENAI, "raw", server.url(), "sk-secret\nkey", null);
            List<RoundEvent> refused = Rounds.ask(malformed, "hello", new CancelSignal());
            assertThat(Rounds.end(refused)).isEqualTo("PROVIDER_UNAUTHORIZED");
            assertThat(Rounds.message(refused)).doesNotContain("sk-secret");
        }
    }

    @Test
    @DisplayName("F26: half a character inside a whole chunk does not spoil the rest")
    void halfCharacter() throws IOException {
        byte[] begun = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a_b\"}}]}\n\n"
                .getBytes(StandardCharsets.US_ASCII);
        begun[new String(begun, StandardCharsets.US_ASCII).indexOf('_')] = (byte) 0xE6;
        byte[] end = END.getBytes(StandardCharsets.US_ASCII);
        byte[] body = new byte[begun.length + end.length];
        System.arraycopy(begun, 0, body, 0, begun.length);
        System.arraycopy(end, 0, body, begun.length, end.length);
        try (var server = RawServer.answering("200 OK", STREAM, body)) {
            List<RoundEvent> events = ask(server.url());
            assertThat(Rounds.text(events)).isEqualTo("a\uFFFDb");
            assertThat(Rounds.end(events)).isEqualTo("STOP");
        }
    }

    @Test
    @DisplayName("connections are used again")
    void keepsConnections() throws IOException {
        try (var server = RawServer.answering("200 OK", STREAM, END)) {
            int rounds = 0;
            while (server.connections() == rounds && rounds < 100) {
                assertThat(Rounds.end(ask(server.url()))).isEqualTo("STOP");
                rounds++;
            }
            assertThat(server.connections()).isLessThan(rounds);
        }
    }

    @Test
    @DisplayName("an answer that is no list of models is told as that")
    void noModels() throws IOException {
        try (var server = RawServer.answering("200 OK", "", "{\"hello\":1}")) {
            ProviderSpec spec = spec(server.url());
            assertThatThrownBy(() -> Rounds.provider(ProviderType.OPENAI).models(spec))
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            refused -> assertThat(refused.failure().code()).isEqualTo(FailureCode.PROVIDER_PROTOCOL))
                    .hasMessageContaining("no list of models");
        }
    }
}
