package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.gadget.model.Failure;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One prompt and all that followed from it.
 *
 * @param provider the name of the provider that answered
 * @param files what it changed in its workspace, when it changed something
 * @param error why it ended, for the statuses that have a reason
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Turn(
        TurnId id,
        SessionId sessionId,
        String prompt,
        TurnStatus status,
        String provider,
        String model,
        ReasoningEffort reasoningEffort,
        List<Block> blocks,
        Usage usage,
        TurnStats stats,
        @Nullable TurnFiles files,
        @Nullable Failure error,
        Instant createdAt,
        @Nullable Instant finishedAt) {
    public Turn {
        blocks = List.copyOf(blocks);
    }

    /** The tool calls among the blocks, in their order: a view, stored nowhere else. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public List<ToolCall> toolCalls() {
        return blocks.stream()
                .filter(Block.Tool.class::isInstance)
                .map(block -> ((Block.Tool) block).content())
                .toList();
    }
}
