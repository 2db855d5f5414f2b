package dev.gadget.model.ide;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.Cursor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a page says to the code service. A {@code requestId} comes back in the answer. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(IdeCommand.Hello.class),
    @JsonSubTypes.Type(IdeCommand.Ping.class),
    @JsonSubTypes.Type(IdeCommand.OpenSession.class),
    @JsonSubTypes.Type(IdeCommand.CloseSession.class),
    @JsonSubTypes.Type(IdeCommand.FollowTurn.class),
    @JsonSubTypes.Type(IdeCommand.SubmitPrompt.class),
    @JsonSubTypes.Type(IdeCommand.CancelTurn.class),
    @JsonSubTypes.Type(IdeCommand.DecideApproval.class)
})
public sealed interface IdeCommand {
    /** The first message. */
    @JsonTypeName("hello")
    record Hello(int protocolVersion) implements IdeCommand {}

    /** Answered by a pong. */
    @JsonTypeName("ping")
    record Ping() implements IdeCommand {}

    /** Show me this session: its running turn follows by itself, and every later one. Replaces an earlier open. */
    @JsonTypeName("open_session")
    record OpenSession(String requestId, SessionId sessionId) implements IdeCommand {}

    /** No more of this session. */
    @JsonTypeName("close_session")
    record CloseSession(String requestId, SessionId sessionId) implements IdeCommand {}

    /** Show me this turn from the cursor on, or from its start. */
    @JsonTypeName("follow_turn")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record FollowTurn(
            String requestId, TurnId turnId, @Nullable Cursor cursor) implements IdeCommand {}

    /** Start a turn; the request id makes a repeated submission the same one. */
    @JsonTypeName("submit_prompt")
    record SubmitPrompt(String requestId, SessionId sessionId, String prompt) implements IdeCommand {}

    /** Stop this turn. */
    @JsonTypeName("cancel_turn")
    record CancelTurn(String requestId, TurnId turnId) implements IdeCommand {}

    /** Decide on a tool call that waits. */
    @JsonTypeName("decide_approval")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record DecideApproval(
            String requestId,
            TurnId turnId,
            String callId,
            ApprovalDecision decision,
            @Nullable String reason,
            @Nullable String shown,
            @Nullable Map<String, Object> parameters,
            @Nullable List<String> patterns)
            implements IdeCommand {}
}
