package dev.gadget.model.work;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.Limits;
import dev.gadget.model.ModelPrice;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.ToolQueueMode;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a drone needs to work on one turn.
 *
 * @param workspaceId the workspace that the turn belongs to; a drone in another one refuses it
 * @param price what the model costs, when the person said so
 * @param rules what is done with some calls, whatever the policy says; empty when absent
 * @param history the earlier turns of the session, oldest first
 * @param toolQueue how the calls of one response are run; parallel when absent
 * @param wantsTitle whether the session wants a title for what the turn is about; not when absent
 * @param profile what an exam found the model to do, when there was one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WorkOrder(
        WorkOrderId workOrderId,
        TurnId turnId,
        SessionId chatSessionId,
        String sessionName,
        @Nullable ProjectRef project,
        WorkspaceId workspaceId,
        String prompt,
        List<PastTurn> history,
        ProviderSpec provider,
        String model,
        @Nullable ModelProfile profile,
        @Nullable ModelPrice price,
        ReasoningEffort reasoningEffort,
        Limits limits,
        ApprovalPolicy approvalPolicy,
        @Nullable List<ApprovalRule> rules,
        @Nullable ToolQueueMode toolQueue,
        @Nullable Boolean wantsTitle,
        Instant createdAt) {
    public WorkOrder {
        history = List.copyOf(history);
        rules = rules == null ? List.of() : List.copyOf(rules);
    }

    /** The same for a model of which this is known. */
    public WorkOrder with(ModelProfile other) {
        return new WorkOrder(
                workOrderId,
                turnId,
                chatSessionId,
                sessionName,
                project,
                workspaceId,
                prompt,
                history,
                provider,
                model,
                other,
                price,
                reasoningEffort,
                limits,
                approvalPolicy,
                rules,
                toolQueue,
                wantsTitle,
                createdAt);
    }
}
