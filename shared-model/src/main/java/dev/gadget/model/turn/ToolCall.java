package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One call of a tool, from the moment the model asked for it.
 *
 * @param callId unique in its turn
 * @param parameters what the model passed, by parameter name
 * @param output what the tool has printed so far
 * @param response what the model is told
 * @param approval what a person is asked, while it waits for one
 * @param diff the beginning of the unified diff of what it changed in files, where the parameters do not say it
 * @param askedAt when a person was asked first; null when nobody was, or when that was before this was kept
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ToolCall(
        String callId,
        String name,
        Map<String, Object> parameters,
        ToolCallState state,
        @Nullable String output,
        @Nullable String response,
        @Nullable String diff,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable ToolApproval approval,
        @Nullable Instant askedAt) {
    /** A call that nobody was asked about, and of which no diff is known. */
    public ToolCall(
            String callId,
            String name,
            Map<String, Object> parameters,
            ToolCallState state,
            @Nullable String output,
            @Nullable String response,
            @Nullable Instant startedAt,
            @Nullable Instant finishedAt,
            @Nullable ToolApproval approval) {
        this(callId, name, parameters, state, output, response, null, startedAt, finishedAt, approval, null);
    }
}
