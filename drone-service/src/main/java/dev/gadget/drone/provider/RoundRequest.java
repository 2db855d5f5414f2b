package dev.gadget.drone.provider;

import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.work.ProviderSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that is needed for one model response. */
public record RoundRequest(
        ProviderSpec provider,
        String model,
        ReasoningEffort reasoningEffort,
        List<ChatMessage> messages,
        List<ToolSpec> tools,
        @Nullable Integer maxOutputTokens) {
    public RoundRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }
}
