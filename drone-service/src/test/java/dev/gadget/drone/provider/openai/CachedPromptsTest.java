package dev.gadget.drone.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.drone.provider.http.Refusals;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProviderType;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.work.ProviderSpec;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Where an endpoint caches prompts only of those who ask for it. */
class CachedPromptsTest {
    private final Refusals refusals = new Refusals();
    private final OpenAiRequests requests = new OpenAiRequests(new ObjectMapper());

    private static RoundRequest request(String baseUrl, String model) {
        return new RoundRequest(
                new ProviderSpec(ProviderType.OPENAI, "p", baseUrl, null, null),
                model,
                ReasoningEffort.LOW,
                List.of(new ChatMessage.User("Hello.")),
                List.of(),
                null);
    }

    private ObjectNode body(String baseUrl, String model) {
        RoundRequest request = request(baseUrl, model);
        return requests.body(request, new Terms(refusals, request));
    }

    @Test
    @DisplayName("it is asked for of Claude at OpenRouter, and of nobody else")
    void asked() {
        assertThat(body("https://openrouter.ai/api/v1", "anthropic/claude-sonnet")
                        .path("cache_control")
                        .toString())
                .isEqualTo("{\"type\":\"ephemeral\"}");
        assertThat(body("https://openrouter.ai/api/v1", "openai/gpt").has("cache_control"))
                .isFalse();
        assertThat(body("http://127.0.0.1:8080/v1", "anthropic/claude-sonnet").has("cache_control"))
                .isFalse();
    }

    @Test
    @DisplayName("an endpoint that refuses the field by its name is asked without it from then on")
    void refused() {
        RoundRequest request = request("https://openrouter.ai/api/v1", "anthropic/claude-sonnet");
        var terms = new Terms(refusals, request);
        var no = new ProviderException(FailureCode.PROVIDER_REFUSED, "cache_control: Extra inputs are not permitted");
        assertThat(terms.giveWay(requests.body(request, terms), no)).isTrue();
        assertThat(body("https://openrouter.ai/api/v1", "anthropic/claude-sonnet")
                        .has("cache_control"))
                .isFalse();
        assertThat(body("https://openrouter.ai/api/v1", "anthropic/claude-opus").has("cache_control"))
                .isTrue();
    }
}
