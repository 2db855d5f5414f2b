package dev.gadget.code.session;

import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.Limits;
import dev.gadget.model.ProjectId;
import dev.gadget.model.ProviderId;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One session of a person, as it is stored.
 *
 * @param workspaceId where its turns run; set by the first turn when the person did not choose
 * @param runningTurnId the turn that holds the session's lock, or null
 */
public record ChatSession(
        SessionId id,
        UserId ownerId,
        ProjectId projectId,
        String name,
        ProviderId providerId,
        String model,
        ReasoningEffort reasoningEffort,
        @Nullable WorkspaceId workspaceId,
        Limits limits,
        ApprovalPolicy approvalPolicy,
        @Nullable TurnId runningTurnId,
        Instant createdAt,
        Instant updatedAt,
        long version) {
    /** The same, bound to this workspace. */
    public ChatSession in(WorkspaceId workspace) {
        return new ChatSession(
                id,
                ownerId,
                projectId,
                name,
                providerId,
                model,
                reasoningEffort,
                workspace,
                limits,
                approvalPolicy,
                runningTurnId,
                createdAt,
                updatedAt,
                version);
    }
}
