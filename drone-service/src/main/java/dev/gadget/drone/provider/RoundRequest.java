package dev.gadget.drone.provider;

import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.work.ProviderSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is needed for one model response.
 *
 * @param contextTokens how long prompt and answer may be together, for endpoints that make room for it when they are told
 */
public record RoundRequest(
        ProviderSpec provider,
        String model,
        ReasoningEffort reasoningEffort,
        List<ChatMessage> messages,
        List<ToolSpec> tools,
        @Nullable Integer maxOutputTokens,
        @Nullable Integer contextTokens) {
    public RoundRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }
    /** With the context that the endpoint has by itself. */
    public RoundRequest(
            ProviderSpec provider,
            String model,
            ReasoningEffort reasoningEffort,
            List<ChatMessage> messages,
            List<ToolSpec> tools,
            @Nullable Integer maxOutputTokens) {
        this(provider, model, reasoningEffort, messages, tools, maxOutputTokens, null);
    }
}
