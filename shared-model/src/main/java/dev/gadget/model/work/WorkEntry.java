package dev.gadget.model.work;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.gadget.model.Failure;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a drone says of a work order. Entries are numbered from 1 without a gap; text that came in several
 * pieces may travel as one entry, which then stands for {@code count} numbers and carries the last of them. What a subagent says
 * and calls names in {@code parent} the call that it works for; what the turn itself says has none. Other entries of a subagent's
 * calls name only the call, whose id no other call of the turn has.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(WorkEntry.Thinking.class),
    @JsonSubTypes.Type(WorkEntry.Response.class),
    @JsonSubTypes.Type(WorkEntry.RoundStarted.class),
    @JsonSubTypes.Type(WorkEntry.RoundSuperseded.class),
    @JsonSubTypes.Type(WorkEntry.Prompted.class),
    @JsonSubTypes.Type(WorkEntry.CallGrows.class),
    @JsonSubTypes.Type(WorkEntry.ToolCalled.class),
    @JsonSubTypes.Type(WorkEntry.ToolAwaitsApproval.class),
    @JsonSubTypes.Type(WorkEntry.ToolStarted.class),
    @JsonSubTypes.Type(WorkEntry.ToolOutput.class),
    @JsonSubTypes.Type(WorkEntry.ToolEnded.class),
    @JsonSubTypes.Type(WorkEntry.UsageReported.class),
    @JsonSubTypes.Type(WorkEntry.Retrying.class),
    @JsonSubTypes.Type(WorkEntry.FilesChanged.class),
    @JsonSubTypes.Type(WorkEntry.WorkOrderComplete.class)
})
public sealed interface WorkEntry {
    /** That were sent as one with others. */
    int MOST_EMPTY_PIECES = 100_000;

    /** The number of the entry, or of the last piece in it. */
    long seq();

    /** The number of the first piece in it. */
    default long firstSeq() {
        return seq();
    }

    /** Pieces hold a character each, but for some that are empty: another number would be made up. */
    private static void requireCount(@Nullable Integer count, String content) {
        int most = content.length() + MOST_EMPTY_PIECES;
        if (count != null && (count < 1 || count > most)) {
            throw new IllegalArgumentException(
                    "a text of " + content.length() + " characters comes in 1 to " + most + " pieces, not in " + count);
        }
    }

    /** Text that the model reasons with. */
    @JsonTypeName("thinking")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Thinking(
            long seq,
            @Nullable Integer count,
            String content,
            @Nullable String parent) implements WorkEntry {
        public Thinking {
            requireCount(count, content);
        }

        /** What the turn itself says. */
        public Thinking(long seq, @Nullable Integer count, String content) {
            this(seq, count, content, null);
        }

        @Override
        public long firstSeq() {
            return count == null ? seq : seq - count + 1;
        }
    }

    /** Text that the model says. */
    @JsonTypeName("response")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Response(
            long seq,
            @Nullable Integer count,
            String content,
            @Nullable String parent) implements WorkEntry {
        public Response {
            requireCount(count, content);
        }

        /** What the turn itself says. */
        public Response(long seq, @Nullable Integer count, String content) {
            this(seq, count, content, null);
        }

        @Override
        public long firstSeq() {
            return count == null ? seq : seq - count + 1;
        }
    }

    /** The model is asked for its next response; rounds count from 1, those of a subagent by themselves. */
    @JsonTypeName("round_started")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record RoundStarted(long seq, int round, @Nullable String parent) implements WorkEntry {
        /** A round of the turn itself. */
        public RoundStarted(long seq, int round) {
            this(seq, round, null);
        }
    }

    /** The text of this round, and of any later one, was cut and will be said again: it is kept, and marked. */
    @JsonTypeName("round_superseded")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record RoundSuperseded(long seq, int round, @Nullable String parent) implements WorkEntry {
        /** A round of the turn itself. */
        public RoundSuperseded(long seq, int round) {
            this(seq, round, null);
        }
    }

    /**
     * Between two rounds the drone took what the person said meanwhile; the model is told next.
     *
     * @param promptId the prompt that waited with these words, and does no more
     */
    @JsonTypeName("prompted")
    record Prompted(long seq, TurnId promptId, String content) implements WorkEntry {
        public Prompted {
            Objects.requireNonNull(promptId, "promptId");
            Objects.requireNonNull(content, "content");
        }
    }

    /**
     * The model writes a call, which takes a while: told at most twice a second, and no part of the turn.
     *
     * @param chars how much of its parameters came so far
     */
    @JsonTypeName("call_grows")
    record CallGrows(long seq, String name, int chars) implements WorkEntry {}

    /** The model called a tool; the call is queued. */
    @JsonTypeName("tool_call")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ToolCalled(
            long seq,
            String callId,
            String name,
            Map<String, Object> parameters,
            @Nullable String parent) implements WorkEntry {
        /** A call of the turn itself. */
        public ToolCalled(long seq, String callId, String name, Map<String, Object> parameters) {
            this(seq, callId, name, parameters, null);
        }
    }

    /**
     * The call waits for a person, and why.
     *
     * @param preview what would come of it, as a unified diff, where that can be told
     * @param shown the SHA-256 of what is shown, in hexadecimal: a decision that names another one is for something else
     * @param patterns the commands, as those of rules, that an approval for the session may cover beyond this very call; absent for none,
     *     else 1 to 5, each 1 to 200 printable characters of ASCII, so that a person reads what is allowed
     */
    @JsonTypeName("tool_awaits_approval")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ToolAwaitsApproval(
            long seq,
            String callId,
            String reason,
            @Nullable String preview,
            @Nullable String shown,
            @Nullable List<String> patterns)
            implements WorkEntry {
        private static final int MOST_PATTERNS = 5;
        private static final Pattern PATTERN = Pattern.compile("[ -~]{1,200}");

        public ToolAwaitsApproval {
            if (patterns != null) {
                if (patterns.isEmpty() || patterns.size() > MOST_PATTERNS) {
                    throw new IllegalArgumentException("a question comes with 1 to " + MOST_PATTERNS
                            + " patterns or without any, but this one with " + patterns.size());
                }
                for (String pattern : patterns) {
                    requirePattern(pattern);
                }
                patterns = List.copyOf(patterns);
            }
        }

        private static void requirePattern(@Nullable String pattern) {
            if (pattern == null
                    || pattern.isBlank()
                    || !PATTERN.matcher(pattern).matches()) {
                throw new IllegalArgumentException(
                        "a pattern is 1 to 200 printable characters of ASCII, but this one is "
                                + (pattern == null
                                        ? "null"
                                        : "of " + pattern.length() + " characters, blank or with others"));
            }
        }

        /** One that can be approved for this very call only. */
        public ToolAwaitsApproval(
                long seq, String callId, String reason, @Nullable String preview, @Nullable String shown) {
            this(seq, callId, reason, preview, shown, null);
        }
    }

    /**
     * The call runs now.
     *
     * @param parameters those that it runs with, when the person changed them
     */
    @JsonTypeName("tool_started")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ToolStarted(long seq, String callId, @Nullable Map<String, Object> parameters) implements WorkEntry {}

    /** More of what the running call prints. */
    @JsonTypeName("tool_output")
    record ToolOutput(long seq, String callId, String text) implements WorkEntry {}

    /**
     * The call ended as {@code done}, {@code failed}, {@code denied} or {@code unknown}.
     *
     * @param response what the model is told
     * @param diff the beginning of the unified diff of what it changed in files, where its parameters do not say it
     */
    @JsonTypeName("tool_result")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ToolEnded(
            long seq,
            String callId,
            ToolCallState state,
            String response,
            @Nullable String diff) implements WorkEntry {
        /** The end of a call that changed no files, or of which the parameters say how. */
        public ToolEnded(long seq, String callId, ToolCallState state, String response) {
            this(seq, callId, state, response, null);
        }
    }

    /** What the turn has used so far, summed over its rounds. */
    @JsonTypeName("usage")
    record UsageReported(long seq, Usage usage) implements WorkEntry {}

    /** The provider failed before it said anything and is asked again after a while. */
    @JsonTypeName("retrying")
    record Retrying(long seq, Failure failure, int attempt, long delayMillis) implements WorkEntry {}

    /** What the turn changed in the workspace; said once, before its end. */
    @JsonTypeName("files_changed")
    record FilesChanged(long seq, TurnFiles files) implements WorkEntry {}

    /** The end of the turn: nothing follows. */
    @JsonTypeName("work_order_complete")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record WorkOrderComplete(
            long seq, TurnStatus status, @Nullable Failure failure, Usage usage) implements WorkEntry {}
}
