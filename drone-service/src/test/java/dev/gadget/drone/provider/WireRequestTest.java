package dev.gadget.drone.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gadget.model.ProviderType;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.scripted.ReceivedRequest;
import dev.gadget.scripted.Reply;
import dev.gadget.scripted.Script;
import dev.gadget.scripted.ScriptedProvider;
import dev.gadget.scripted.Step;
import dev.gadget.scripted.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What endpoints are asked, and how it is asked otherwise when they refuse a part of it. */
class WireRequestTest {
    private static RoundRequest request(ProviderSpec spec, ReasoningEffort effort, @Nullable Integer most) {
        var call = new ChatMessage.RequestedCall("call_1", "list_files", "{\"path\":\".\"}");
        var garbled = new ChatMessage.RequestedCall("call_2", "list_files", "{oops");
        return new RoundRequest(
                spec,
                "some-model",
                effort,
                List.of(
                        new ChatMessage.Instructions("Be short."),
                        new ChatMessage.User("What is here?"),
                        new ChatMessage.Assistant("I look.", "Let me see.", List.of(call, garbled)),
                        new ChatMessage.ToolAnswer("call_1", "list_files", "README.md")),
                List.of(new ToolSpec("list_files", "Lists files.", Map.of("type", "object"))),
                most);
    }

    private static JsonNode sent(ProviderType type, ReasoningEffort effort, @Nullable Integer most, boolean blocking) {
        try (var server = ScriptedProvider.start(Script.always(Reply.text("fine")))) {
            ProviderSpec spec = Rounds.spec(server, type);
            var asked = new ProviderSpec(type, "own", spec.baseUrl() + "/", "sk-secret-key", blocking);
            assertThat(Rounds.end(run(Rounds.provider(type), request(asked, effort, most))))
                    .isEqualTo("STOP");
            ReceivedRequest received = server.chats().getFirst();
            assertThat(received.header("Authorization")).isEqualTo("Bearer sk-secret-key");
            return received.body();
        }
    }

    private static List<RoundEvent> run(ModelProvider provider, RoundRequest request) {
        List<RoundEvent> events = new ArrayList<>();
        provider.stream(request, events::add, new CancelSignal());
        return events;
    }

    @Test
    @DisplayName("S0-02, S0-04: an OpenAI request says model, messages, tools, effort, limit, and wants usage")
    void openAi() {
        JsonNode body = sent(ProviderType.OPENAI, ReasoningEffort.HIGH, 500, false);
        assertThat(body.path("model").asText()).isEqualTo("some-model");
        assertThat(body.path("stream").asBoolean()).isTrue();
        assertThat(body.at("/stream_options/include_usage").asBoolean()).isTrue();
        assertThat(body.path("reasoning_effort").asText()).isEqualTo("high");
        assertThat(body.has("chat_template_kwargs")).isFalse();
        assertThat(body.path("max_tokens").asInt()).isEqualTo(500);
        assertThat(body.path("messages"))
                .extracting(message -> message.path("role").asText())
                .containsExactly("system", "user", "assistant", "tool");
        assertThat(body.at("/messages/2/tool_calls/0/id").asText()).isEqualTo("call_1");
        assertThat(body.at("/messages/2/tool_calls/0/function/arguments").asText())
                .isEqualTo("{\"path\":\".\"}");
        assertThat(body.at("/messages/2/tool_calls/1/function/arguments").asText())
                .as("garbled arguments would have the whole conversation refused")
                .isEqualTo("{}");
        assertThat(body.at("/messages/3/tool_call_id").asText()).isEqualTo("call_1");
        assertThat(body.path("parallel_tool_calls").asBoolean()).isTrue();
        assertThat(body.at("/tools/0/function/name").asText()).isEqualTo("list_files");
        assertThat(body.at("/tools/0/function/parameters/type").asText()).isEqualTo("object");
    }

    @Test
    @DisplayName("S0-03: off asks for no thinking, in both ways that are known; without streaming nothing of streams is"
            + " asked")
    void openAiOff() {
        JsonNode body = sent(ProviderType.OPENAI, ReasoningEffort.OFF, null, true);
        assertThat(body.path("reasoning_effort").asText()).isEqualTo("none");
        assertThat(body.at("/chat_template_kwargs/enable_thinking").isBoolean()).isTrue();
        assertThat(body.at("/chat_template_kwargs/enable_thinking").asBoolean()).isFalse();
        assertThat(body.has("max_tokens")).isFalse();
        assertThat(body.path("stream").asBoolean()).isFalse();
        assertThat(body.has("stream_options")).isFalse();
    }

    @Test
    @DisplayName("S0-03, S0-04: an Ollama request says how to think, and never goes without a limit")
    void ollama() {
        JsonNode body = sent(ProviderType.OLLAMA, ReasoningEffort.MEDIUM, 700, false);
        assertThat(body.path("think").asText()).isEqualTo("medium");
        assertThat(body.at("/options/num_predict").asInt()).isEqualTo(700);
        assertThat(body.at("/messages/2/tool_calls/0/function/arguments/path").asText())
                .isEqualTo(".");
        assertThat(body.at("/messages/3/tool_name").asText()).isEqualTo("list_files");
        assertThat(body.at("/messages/2/thinking").asText()).isEqualTo("Let me see.");
        JsonNode off = sent(ProviderType.OLLAMA, ReasoningEffort.OFF, null, false);
        assertThat(off.path("think").isBoolean()).isTrue();
        assertThat(off.path("think").asBoolean()).isFalse();
        assertThat(off.at("/options/num_predict").asInt()).isPositive();
    }

    @Test
    @DisplayName(
            "S0-04: levels that Ollama refuses become yes, what cannot think is not asked to, and that is remembered")
    void thinkLevels() {
        Script script = asked -> {
            JsonNode think = asked.body().path("think");
            if (think.isTextual()) {
                return refusal("think value \\\"low\\\" is not supported for this model");
            }
            return think.isMissingNode() ? Reply.text("fine") : refusal("\\\"some-model\\\" does not support thinking");
        };
        try (var server = ScriptedProvider.start(script)) {
            ModelProvider provider = Rounds.provider(ProviderType.OLLAMA);
            RoundRequest request = request(Rounds.spec(server, ProviderType.OLLAMA), ReasoningEffort.LOW, null);
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(server.chats())
                    .extracting(chat -> chat.body().path("think").toString())
                    .containsExactly("\"low\"", "true", "", "");
        }
    }

    @Test
    @DisplayName("S0-04: an endpoint that knows no effort is asked without, and that is remembered")
    void effortRefused() {
        Script script = asked -> asked.body().has("reasoning_effort")
                ? refusal("Unrecognized request argument supplied: reasoning_effort")
                : Reply.text("fine");
        try (var server = ScriptedProvider.start(script)) {
            ModelProvider provider = Rounds.provider(ProviderType.OPENAI);
            RoundRequest request = request(Rounds.spec(server, ProviderType.OPENAI), ReasoningEffort.LOW, null);
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(server.chats())
                    .extracting(chat -> chat.body().has("reasoning_effort"))
                    .containsExactly(true, false, false);
        }
    }

    @Test
    @DisplayName(
            "S0-03: a model that cannot be without thinking thinks as little as it says that it can; other efforts are"
                    + " not touched")
    void leastEffort() {
        Script script = asked -> switch (asked.body().path("reasoning_effort").asText()) {
            case "none" ->
                refusal("Unsupported value: 'reasoning_effort' does not support 'none' with this model."
                        + " Supported values are: 'minimal', 'low', 'medium', and 'high'.");
            default -> Reply.text("fine");
        };
        try (var server = ScriptedProvider.start(script)) {
            ModelProvider provider = Rounds.provider(ProviderType.OPENAI);
            ProviderSpec spec = Rounds.spec(server, ProviderType.OPENAI);
            for (ReasoningEffort effort : List.of(ReasoningEffort.OFF, ReasoningEffort.OFF, ReasoningEffort.HIGH)) {
                assertThat(Rounds.end(run(provider, request(spec, effort, null))))
                        .isEqualTo("STOP");
            }
            assertThat(server.chats())
                    .extracting(chat -> chat.body().path("reasoning_effort").asText())
                    .containsExactly("none", "minimal", "minimal", "high");
        }
    }

    @Test
    @DisplayName("S0-03: an endpoint that knows one of the ways only is asked in that one, and that is remembered")
    void offRefused() {
        Script script = asked -> asked.body().has("chat_template_kwargs")
                ? refusal("Extra inputs are not permitted, field: 'chat_template_kwargs'")
                : Reply.text("fine");
        try (var server = ScriptedProvider.start(script)) {
            ModelProvider provider = Rounds.provider(ProviderType.OPENAI);
            RoundRequest request = request(Rounds.spec(server, ProviderType.OPENAI), ReasoningEffort.OFF, null);
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(server.chats())
                    .extracting(chat -> chat.body().has("chat_template_kwargs"))
                    .containsExactly(true, false, false);
            assertThat(server.chats())
                    .allMatch(chat ->
                            chat.body().path("reasoning_effort").asText().equals("none"));
        }
    }

    @Test
    @DisplayName(
            "S0-03: a model that always thinks is let think, whatever words it refuses in; a refusal that stays is not"
                    + " blamed on that")
    void alwaysThinks() {
        Script script = asked -> {
            boolean wished =
                    asked.body().has("reasoning_effort") || asked.body().has("chat_template_kwargs");
            boolean bad = asked.lastUserText().equals("bad");
            return wished || bad
                    ? refusal(bad ? "No such thing." : "Budget 0 is invalid. This model only works in thinking mode.")
                    : Reply.text("fine");
        };
        try (var server = ScriptedProvider.start(script)) {
            ModelProvider provider = Rounds.provider(ProviderType.OPENAI);
            ProviderSpec spec = Rounds.spec(server, ProviderType.OPENAI);
            RoundRequest request = request(spec, ReasoningEffort.OFF, null);
            RoundRequest bad = new RoundRequest(
                    spec, "some-model", ReasoningEffort.OFF, List.of(new ChatMessage.User("bad")), List.of(), null);
            assertThat(Rounds.end(run(provider, bad))).isEqualTo("PROVIDER_REFUSED");
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(server.chats())
                    .extracting(chat -> chat.body().has("reasoning_effort"))
                    .containsExactly(true, true, false, false);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Unsupported parameter: `max_tokens` is not supported with this model. Use `max_completion_tokens` instead., 500",
        "max_tokens is too large: 500. This model supports at most 256 completion tokens., 0"
    })
    @DisplayName(
            "S0-02: a limit that an endpoint refuses is asked for by its other name, or not at all, and that is remembered")
    void limitRefused(String words, int newer) {
        Script script = asked -> asked.body().has("max_tokens") ? refusal(words) : Reply.text("fine");
        try (var server = ScriptedProvider.start(script)) {
            ModelProvider provider = Rounds.provider(ProviderType.OPENAI);
            RoundRequest request = request(Rounds.spec(server, ProviderType.OPENAI), ReasoningEffort.HIGH, 500);
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(server.chats())
                    .extracting(chat -> chat.body().path("max_tokens").asInt())
                    .containsExactly(500, 0, 0);
            assertThat(server.chats())
                    .extracting(
                            chat -> chat.body().path("max_completion_tokens").asInt())
                    .containsExactly(0, newer, newer);
        }
    }

    @Test
    @DisplayName(
            "S0-02: where conversation and limit together are too much, it is asked without, and with it the next time")
    void limitTooMuchNow() {
        String words = "The max_tokens is too large: 500. The maximum context length is 256 tokens.";
        Script script = asked -> asked.body().has("max_tokens") ? refusal(words) : Reply.text("fine");
        try (var server = ScriptedProvider.start(script)) {
            ModelProvider provider = Rounds.provider(ProviderType.OPENAI);
            RoundRequest request = request(Rounds.spec(server, ProviderType.OPENAI), ReasoningEffort.HIGH, 500);
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(server.chats())
                    .extracting(chat -> chat.body().path("max_tokens").asInt())
                    .containsExactly(500, 0, 500, 0);
        }
    }

    @Test
    @DisplayName("S0-04: an effort that is refused in place of another one is left out, and nothing is asked for ever")
    void effortRefusedTwice() {
        Script script = asked -> switch (asked.body().path("reasoning_effort").asText()) {
            case "none" -> refusal("reasoning_effort must be one of `minimal`, `low`");
            case "minimal" -> refusal("reasoning_effort: minimal is not supported");
            default -> Reply.text("fine");
        };
        try (var server = ScriptedProvider.start(script)) {
            ModelProvider provider = Rounds.provider(ProviderType.OPENAI);
            RoundRequest request = request(Rounds.spec(server, ProviderType.OPENAI), ReasoningEffort.OFF, null);
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(server.chats())
                    .extracting(chat -> chat.body().path("reasoning_effort").asText())
                    .containsExactly("none", "minimal", "");
        }
    }

    private static RoundRequest afterACall(ProviderSpec spec, @Nullable String thinking, @Nullable String later) {
        var call = new ChatMessage.RequestedCall("call_1", "list_files", "{}");
        return new RoundRequest(
                spec,
                "some-model",
                ReasoningEffort.HIGH,
                List.of(
                        new ChatMessage.User("What is here?"),
                        new ChatMessage.Assistant("", thinking, List.of(call)),
                        new ChatMessage.ToolAnswer("call_1", "list_files", "README.md"),
                        new ChatMessage.Assistant("", later, List.of(call)),
                        new ChatMessage.ToolAnswer("call_1", "list_files", "README.md")),
                List.of(),
                null);
    }

    private static List<String> thoughts(ReceivedRequest request, String field) {
        List<String> thoughts = new ArrayList<>();
        for (JsonNode message : request.body().path("messages")) {
            if (message.path("role").asText().equals("assistant")) {
                thoughts.add(message.path(field).asText("-"));
            }
        }
        return thoughts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"reasoning_content", "reasoning"})
    @DisplayName("S0-11: what was thought goes back in the field in which thinking comes, and nowhere before it came")
    void thinkingGoesBack(String field) {
        Reply reply = Reply.of(new Step.Thinking("Hm. "), new Step.Text("Yes.")).reasoningIn(field);
        try (var server = ScriptedProvider.start(Script.always(reply))) {
            ModelProvider provider = Rounds.provider(ProviderType.OPENAI);
            RoundRequest request = afterACall(Rounds.spec(server, ProviderType.OPENAI), "Let me see.", null);
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(server.chats())
                    .extracting(chat -> thoughts(chat, field))
                    .containsExactly(List.of("-", "-"), List.of("Let me see.", "-"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "thinking is enabled but reasoning_content is missing in assistant tool call message at index 3",
                "The `reasoning_content` in the thinking mode must be passed back to the API.",
                "Missing `reasoning_content` field in the assistant message at message index 1"
            })
    @DisplayName("S0-11: an endpoint that wants the thinking with each message is given it, and that is remembered")
    void thinkingIsWanted(String words) {
        Script script =
                asked -> thoughts(asked, "reasoning_content").contains("-") ? refusal(words) : Reply.text("fine");
        try (var server = ScriptedProvider.start(script)) {
            ModelProvider provider = Rounds.provider(ProviderType.OPENAI);
            RoundRequest request = afterACall(Rounds.spec(server, ProviderType.OPENAI), "Let me see.", null);
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            assertThat(server.chats())
                    .extracting(chat -> thoughts(chat, "reasoning_content"))
                    .containsExactly(List.of("-", "-"), List.of("Let me see.", " "), List.of("Let me see.", " "));
        }
    }

    @Test
    @DisplayName("S0-11: an endpoint that tells thinking but takes none back is asked without, and that is remembered")
    void thinkingIsRefused() {
        Script script = asked -> thoughts(asked, "reasoning_content").contains("-")
                ? Reply.of(new Step.Thinking("Hm. "), new Step.Text("Yes."))
                : refusal(
                        "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]");
        try (var server = ScriptedProvider.start(script)) {
            ModelProvider provider = Rounds.provider(ProviderType.OPENAI);
            RoundRequest request = afterACall(Rounds.spec(server, ProviderType.OPENAI), "Let me see.", "And now.");
            for (int i = 0; i < 3; i++) {
                assertThat(Rounds.end(run(provider, request))).isEqualTo("STOP");
            }
            assertThat(server.chats())
                    .extracting(chat -> thoughts(chat, "reasoning_content").getFirst())
                    .containsExactly("-", "Let me see.", "-", "-");
        }
    }

    private static Reply refusal(String message) {
        return Reply.body(400, "application/json", "{\"error\":{\"message\":\"" + message + "\"}}");
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("S1-26: tokens are counted as the endpoint counts them, thinking too where it tells")
    void reasoningTokens(ProviderType type) {
        Reply reply = Reply.exactly(
                new Step.Thinking("Hm. "), new Step.Text("Yes."), new Step.End(null, new TokenUsage(10, 20, 7)));
        try (var server = ScriptedProvider.start(Script.always(reply))) {
            long thinking = type == ProviderType.OPENAI ? 7 : 0;
            assertThat(Rounds.ask(server, type, "hello"))
                    .contains(new RoundEvent.UsageCounted(new Usage(10, 20, thinking, null)));
        }
    }
}
