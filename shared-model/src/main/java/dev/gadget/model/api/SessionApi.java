package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.BusyPolicy;
import dev.gadget.model.Limits;
import dev.gadget.model.ProjectId;
import dev.gadget.model.ProviderId;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.ToolQueueMode;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bodies about sessions and their turns. */
public final class SessionApi {
    private SessionApi() {}

    /** POST /sessions; what is absent gets a sensible value, the model that of its provider. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record CreateSession(
            ProjectId projectId,
            @Nullable String name,
            ProviderId providerId,
            @Nullable String model,
            @Nullable ReasoningEffort reasoningEffort,
            @Nullable WorkspaceId workspaceId,
            @Nullable Limits limits,
            @Nullable ApprovalPolicy approvalPolicy,
            @Nullable List<ApprovalRule> rules,
            @Nullable BusyPolicy whenBusy,
            @Nullable ToolQueueMode toolQueue,
            @Nullable Boolean worktree) {}

    /**
     * PATCH /sessions/{id}: what is absent stays.
     *
     * @param workspaceId moves the session to the workspace of another drone of the person; the files there are other ones
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record UpdateSession(
            @Nullable String name,
            @Nullable ProviderId providerId,
            @Nullable String model,
            @Nullable ReasoningEffort reasoningEffort,
            @Nullable WorkspaceId workspaceId,
            @Nullable Limits limits,
            @Nullable ApprovalPolicy approvalPolicy,
            @Nullable List<ApprovalRule> rules,
            @Nullable BusyPolicy whenBusy,
            @Nullable ToolQueueMode toolQueue,
            @Nullable Boolean worktree,
            @Nullable Boolean pinned,
            @Nullable Boolean archived) {}

    /**
     * One session, as the list shows it.
     *
     * @param worktree whether it works on a branch and in a working tree of its own
     * @param turnStatus of the turn that runs, else of the one that ran last
     * @param turnEndedAt when the last turn ended; absent while one runs
     * @param titleUsage what the model used to name it, which no turn counts; absent where that was not counted
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SessionView(
            SessionId id,
            ProjectId projectId,
            String name,
            ProviderId providerId,
            String model,
            ReasoningEffort reasoningEffort,
            @Nullable WorkspaceId workspaceId,
            Limits limits,
            ApprovalPolicy approvalPolicy,
            List<ApprovalRule> rules,
            BusyPolicy whenBusy,
            ToolQueueMode toolQueue,
            boolean worktree,
            boolean pinned,
            boolean archived,
            @Nullable TurnId runningTurnId,
            @Nullable TurnStatus turnStatus,
            @Nullable Instant turnEndedAt,
            @Nullable Usage titleUsage,
            Instant createdAt,
            Instant updatedAt) {}

    /**
     * GET /sessions/{id}: the session with its turns, oldest first, for restoration.
     *
     * @param earlier where {@code GET /sessions/{id}/turns} goes on with the turns before these; absent when there are none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SessionDetail(
            @JsonUnwrapped SessionView session,
            List<Turn> turns,
            @Nullable String earlier) {}

    /**
     * POST /sessions/{id}/branches.
     *
     * @param turnId the turn of the session before which the branch begins; the turns that ended before it are copied
     */
    public record BranchSession(TurnId turnId) {}

    /** POST /sessions/{id}/turns. */
    public record SubmitTurn(String prompt) {}

    /**
     * PATCH /turns/{id}: other words for a prompt that still waits, or another place among those that wait.
     *
     * @param prompt the words; without them the prompt moves
     * @param before the prompt that it moves in front of; without it, and without words, it moves to the end
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ChangePrompt(
            @Nullable String prompt, @Nullable TurnId before) {}

    /** The answer to a turn that was submitted with {@code Prefer: respond-async}. */
    public record TurnAccepted(TurnId turnId, TurnStatus status) {}

    /** GET /turns/{id}/events as JSON. */
    public record TurnEvents(TurnStatus status, List<TurnChange> events, Cursor cursor) {}

    /** POST /turns/{id}/undo and /redo; with {@code force} also files that were changed since. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record UndoTurn(@Nullable Boolean force) {}

    /** GET /turns/{id}/diff. */
    public record TurnDiff(String diff) {}

    /**
     * POST /turns/{id}/approvals/{callId}.
     *
     * @param shown the hash that came with the question; when it is given, only what was shown is approved
     * @param parameters to run the call with instead, a changed command for example
     * @param patterns with {@code approve_for_session} those that came with the question: all that they cover is allowed in this session
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DecideToolCall(
            ApprovalDecision decision,
            @Nullable String reason,
            @Nullable String shown,
            @Nullable Map<String, Object> parameters,
            @Nullable List<String> patterns) {}
}
