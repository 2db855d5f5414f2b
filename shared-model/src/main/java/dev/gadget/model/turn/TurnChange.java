package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.gadget.model.Failure;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step that brings a reader's copy of a turn closer to the document. The same steps go through all three doors; an SSE
 * event is named by {@code kind}. Applying a step twice changes nothing, because each says where it belongs.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(TurnChange.Snapshot.class),
    @JsonSubTypes.Type(TurnChange.TextDelta.class),
    @JsonSubTypes.Type(TurnChange.BlockClosed.class),
    @JsonSubTypes.Type(TurnChange.BlockSuperseded.class),
    @JsonSubTypes.Type(TurnChange.ToolState.class),
    @JsonSubTypes.Type(TurnChange.ToolOutput.class),
    @JsonSubTypes.Type(TurnChange.AwaitingConfirmation.class),
    @JsonSubTypes.Type(TurnChange.StatusChanged.class),
    @JsonSubTypes.Type(TurnChange.UsageChanged.class),
    @JsonSubTypes.Type(TurnChange.Retrying.class),
    @JsonSubTypes.Type(TurnChange.CallGrows.class),
    @JsonSubTypes.Type(TurnChange.FilesChanged.class),
    @JsonSubTypes.Type(TurnChange.Done.class),
    @JsonSubTypes.Type(TurnChange.Error.class)
})
public sealed interface TurnChange {
    /** The whole turn as it stands; replaces what the reader has. */
    @JsonTypeName("snapshot")
    record Snapshot(Turn turn) implements TurnChange {}

    /**
     * Text to append to block {@code index}, which is made when it is not there yet.
     *
     * @param offset where the text starts in the block, in UTF-16 units; a reader skips what it already has
     * @param createdAt when the block began; only with its beginning
     * @param parent the call whose subagent says it; only with the beginning of the block
     */
    @JsonTypeName("text_delta")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record TextDelta(
            int index,
            BlockMode mode,
            int offset,
            String text,
            @Nullable Instant createdAt,
            @Nullable String parent) implements TurnChange {
        /** What the turn itself says. */
        public TextDelta(int index, BlockMode mode, int offset, String text, @Nullable Instant createdAt) {
            this(index, mode, offset, text, createdAt, null);
        }
    }

    /** Nothing more will be appended to this text block. */
    @JsonTypeName("block_closed")
    record BlockClosed(int index, Instant closedAt) implements TurnChange {}

    /** The round of this block was cut and is said again in later blocks. */
    @JsonTypeName("block_superseded")
    record BlockSuperseded(int index) implements TurnChange {}

    /**
     * The tool block {@code index} as it stands, without its output, which comes by itself.
     *
     * @param parent the call whose subagent made this one
     */
    @JsonTypeName("tool_state")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ToolState(
            int index,
            Instant createdAt,
            @Nullable Instant closedAt,
            ToolCall content,
            @Nullable String parent) implements TurnChange {
        /** A call of the turn itself. */
        public ToolState(int index, Instant createdAt, @Nullable Instant closedAt, ToolCall content) {
            this(index, createdAt, closedAt, content, null);
        }
    }

    /** Output to append to the tool block {@code index}. */
    @JsonTypeName("tool_output")
    record ToolOutput(int index, int offset, String text) implements TurnChange {}

    /**
     * A tool call waits for a person; what is shown is exactly what will run.
     *
     * @param preview what would come of it, as a unified diff
     * @param shown the hash of what is shown, which a decision gives back
     * @param patterns the commands, as those of rules, that an approval for the session may cover beyond this very call
     * @param decided what the person said to it already, of which the drone has not told yet
     */
    @JsonTypeName("awaiting_confirmation")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record AwaitingConfirmation(
            int index,
            String callId,
            String reason,
            @Nullable String preview,
            @Nullable String shown,
            @Nullable List<String> patterns,
            @Nullable ApprovalDecision decided)
            implements TurnChange {}

    /**
     * The turn's status, of one that goes on or may; told again when a retry or a call that was written is over and nothing else says so.
     *
     * @param error why it is interrupted; nothing else has one
     * @param finishedAt since when it is interrupted
     */
    @JsonTypeName("status")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record StatusChanged(
            TurnStatus status,
            @Nullable Failure error,
            @Nullable Instant finishedAt) implements TurnChange {
        /** Nothing is wrong with it. */
        public StatusChanged(TurnStatus status) {
            this(status, null, null);
        }
    }

    /** What the turn has used so far. */
    @JsonTypeName("usage")
    record UsageChanged(Usage usage, TurnStats stats) implements TurnChange {}

    /** The provider failed before it said anything and is asked again. */
    @JsonTypeName("retrying")
    record Retrying(Failure failure, int attempt, long delayMillis) implements TurnChange {}

    /** The model writes a call of this tool, of which so many characters came; over with text, a call, a retry, a status or the end. */
    @JsonTypeName("call_grows")
    record CallGrows(String name, int chars) implements TurnChange {}

    /** What the turn changed in the workspace, or that this was undone or done again. */
    @JsonTypeName("files_changed")
    record FilesChanged(TurnFiles files) implements TurnChange {}

    /** The turn ended as it should: finished, cancelled or at a limit. The last step of a turn, or {@code error} is. */
    @JsonTypeName("done")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Done(
            TurnStatus status,
            Usage usage,
            TurnStats stats,
            @Nullable Failure error,
            Instant finishedAt) implements TurnChange {}

    /** The turn failed, or was interrupted and will not be taken up again. The last step of a turn, or {@code done} is. */
    @JsonTypeName("error")
    record Error(TurnStatus status, Usage usage, TurnStats stats, Failure error, Instant finishedAt)
            implements TurnChange {}
}
