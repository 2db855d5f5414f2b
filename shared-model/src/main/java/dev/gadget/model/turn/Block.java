package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One piece of a turn in the order of time: thinking, response or a tool call; {@code mode} on the wire tells which. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "mode")
@JsonSubTypes({
    @JsonSubTypes.Type(Block.Thinking.class),
    @JsonSubTypes.Type(Block.Responding.class),
    @JsonSubTypes.Type(Block.Tool.class),
    @JsonSubTypes.Type(Block.Prompt.class)
})
public sealed interface Block {
    /** Its place in the turn, from 0. */
    int index();

    /** When its first token or its call came. */
    Instant createdAt();

    /** When nothing more was added; absent while it is open. */
    @Nullable
    Instant closedAt();

    /** True when the round it belongs to was cut and said again; such text is kept but not sent to the model. */
    @Nullable
    Boolean superseded();

    /** The call whose subagent said or called this, by its id; absent for the turn's own. */
    @Nullable
    String parent();

    /** Which of the four it is. */
    @JsonIgnore
    BlockMode mode();

    /** Text that the model reasons with. */
    @JsonTypeName("thinking")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Thinking(
            int index,
            Instant createdAt,
            @Nullable Instant closedAt,
            @Nullable Boolean superseded,
            String content,
            @Nullable String parent)
            implements Block {
        /** What the turn itself thinks. */
        public Thinking(
                int index,
                Instant createdAt,
                @Nullable Instant closedAt,
                @Nullable Boolean superseded,
                String content) {
            this(index, createdAt, closedAt, superseded, content, null);
        }

        @Override
        public BlockMode mode() {
            return BlockMode.THINKING;
        }
    }

    /** Text that the model says. */
    @JsonTypeName("responding")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Responding(
            int index,
            Instant createdAt,
            @Nullable Instant closedAt,
            @Nullable Boolean superseded,
            String content,
            @Nullable String parent)
            implements Block {
        /** What the turn itself says. */
        public Responding(
                int index,
                Instant createdAt,
                @Nullable Instant closedAt,
                @Nullable Boolean superseded,
                String content) {
            this(index, createdAt, closedAt, superseded, content, null);
        }

        @Override
        public BlockMode mode() {
            return BlockMode.RESPONDING;
        }
    }

    /** One tool call. */
    @JsonTypeName("tool")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Tool(
            int index,
            Instant createdAt,
            @Nullable Instant closedAt,
            @Nullable Boolean superseded,
            ToolCall content,
            @Nullable String parent)
            implements Block {
        /** A call of the turn itself. */
        public Tool(
                int index,
                Instant createdAt,
                @Nullable Instant closedAt,
                @Nullable Boolean superseded,
                ToolCall content) {
            this(index, createdAt, closedAt, superseded, content, null);
        }

        @Override
        public BlockMode mode() {
            return BlockMode.TOOL;
        }
    }

    /** What the person said while the turn ran, from which it goes on. */
    @JsonTypeName("prompt")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Prompt(
            int index,
            Instant createdAt,
            @Nullable Instant closedAt,
            @Nullable Boolean superseded,
            String content) implements Block {
        /** The person speaks to the turn, not to a subagent. */
        @Override
        @JsonIgnore
        public @Nullable String parent() {
            return null;
        }

        @Override
        public BlockMode mode() {
            return BlockMode.PROMPT;
        }
    }
}
