package dev.gadget.model.drone;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.file.FileQuestion;
import dev.gadget.model.process.ProcessAction;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.model.work.WorkOrder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the code service says to a drone. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(DroneCommand.Welcome.class),
    @JsonSubTypes.Type(DroneCommand.Refused.class),
    @JsonSubTypes.Type(DroneCommand.Heartbeat.class),
    @JsonSubTypes.Type(DroneCommand.OfferWorkOrder.class),
    @JsonSubTypes.Type(DroneCommand.StartWorkOrder.class),
    @JsonSubTypes.Type(DroneCommand.AcknowledgeWork.class),
    @JsonSubTypes.Type(DroneCommand.ResendWork.class),
    @JsonSubTypes.Type(DroneCommand.ReleaseWorkOrder.class),
    @JsonSubTypes.Type(DroneCommand.CancelWorkOrder.class),
    @JsonSubTypes.Type(DroneCommand.StopCall.class),
    @JsonSubTypes.Type(DroneCommand.DecideApproval.class),
    @JsonSubTypes.Type(DroneCommand.SteerTurn.class),
    @JsonSubTypes.Type(DroneCommand.RecoverWorkOrder.class),
    @JsonSubTypes.Type(DroneCommand.RequestSessionLock.class),
    @JsonSubTypes.Type(DroneCommand.RequestWorkspaceMode.class),
    @JsonSubTypes.Type(DroneCommand.RequestTurnFiles.class),
    @JsonSubTypes.Type(DroneCommand.FileText.class),
    @JsonSubTypes.Type(DroneCommand.AskFiles.class),
    @JsonSubTypes.Type(DroneCommand.ExamineModel.class),
    @JsonSubTypes.Type(DroneCommand.CancelExam.class),
    @JsonSubTypes.Type(DroneCommand.RequestProject.class),
    @JsonSubTypes.Type(DroneCommand.RequestProcesses.class),
    @JsonSubTypes.Type(DroneCommand.ForgetSession.class),
    @JsonSubTypes.Type(DroneCommand.TellTerminal.class),
    @JsonSubTypes.Type(DroneCommand.LeaveTerminal.class)
})
public sealed interface DroneCommand {
    /** The answer to a hello that is accepted, with the pace that both keep. */
    @JsonTypeName("welcome")
    record Welcome(
            int protocolVersion,
            DroneId droneId,
            String serviceVersion,
            Instant serverTime,
            int heartbeatSeconds,
            int leaseSeconds)
            implements DroneCommand {}

    /** The connection is not wanted, and why; it is closed next. */
    @JsonTypeName("refused")
    record Refused(Failure failure) implements DroneCommand {}

    /** Alive. */
    @JsonTypeName("heartbeat")
    record Heartbeat() implements DroneCommand {}

    /** Step one of two: will you take this? The drone journals it and answers accepted, or rejects it. */
    @JsonTypeName("process_work_order")
    record OfferWorkOrder(WorkOrder workOrder, int attempt, long fence) implements DroneCommand {}

    /** Step two of two: it is yours under this fence; begin. */
    @JsonTypeName("start_work_order")
    record StartWorkOrder(WorkOrderId workOrderId, int attempt, long fence) implements DroneCommand {}

    /** Everything up to this number is stored durably and need not be kept. */
    @JsonTypeName("acknowledge_work")
    record AcknowledgeWork(WorkOrderId workOrderId, int attempt, long ackedSeq) implements DroneCommand {}

    /** A gap was seen, or the connection is new: send again from this number on. */
    @JsonTypeName("resend_work")
    record ResendWork(WorkOrderId workOrderId, int attempt, long fromSeq) implements DroneCommand {}

    /** The end of the turn is stored: the work order and its journal may be removed. */
    @JsonTypeName("release_work_order")
    record ReleaseWorkOrder(WorkOrderId workOrderId) implements DroneCommand {}

    /** Stop the model and the tools of this order, and report its end as cancelled. */
    @JsonTypeName("cancel_work_order")
    record CancelWorkOrder(WorkOrderId workOrderId) implements DroneCommand {}

    /**
     * Stop this one tool call, also one of a subagent; the turn goes on, and the model is told. Of a call that does not run nothing
     * changes. A drone from before this message goes on with the call.
     */
    @JsonTypeName("stop_call")
    record StopCall(WorkOrderId workOrderId, String callId) implements DroneCommand {}

    /**
     * A person decided on a tool call that waits.
     *
     * @param shown the hash of what the person saw; absent where the asker knew of none
     * @param parameters what the call is to run with instead of what the model wanted
     * @param patterns those that were proposed, when the approval for the session is for all that they cover
     */
    @JsonTypeName("decide_approval")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record DecideApproval(
            WorkOrderId workOrderId,
            String callId,
            ApprovalDecision decision,
            @Nullable String reason,
            @Nullable String shown,
            @Nullable Map<String, Object> parameters,
            @Nullable List<String> patterns)
            implements DroneCommand {}

    /**
     * The person wants this prompt, which waits, in the turn that runs: taken after its present round, unless the turn ends with that.
     * A drone from before this message goes on without it, and the prompt goes on waiting.
     *
     * @param prompt its words; said again they take the place of those that were not taken yet, and absent they are taken back
     */
    @JsonTypeName("steer_turn")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SteerTurn(
            WorkOrderId workOrderId,
            long fence,
            TurnId promptId,
            @Nullable String prompt) implements DroneCommand {}

    /**
     * What to do with a work order that the drone reported after a start.
     *
     * @param fromSeq for {@code resume}: send from this number on
     * @param attempt the attempt and the fence to go on with, for {@code resume} and {@code retry}
     */
    @JsonTypeName("crash_recovery_response")
    record RecoverWorkOrder(WorkOrderId workOrderId, RecoveryAction action, int attempt, long fence, long fromSeq)
            implements DroneCommand {}

    /** May this session have the workspace? */
    @JsonTypeName("request_session_lock")
    record RequestSessionLock(String requestId, SessionId sessionId, String sessionName) implements DroneCommand {}

    /**
     * A person wants to write in the workspace, or is done with it; asked again it goes on.
     *
     * @param mode {@code user} or {@code idle}; {@code agent} is taken by a work order only
     * @param leaseSeconds after how long it ends by itself
     */
    @JsonTypeName("request_workspace_mode")
    record RequestWorkspaceMode(String requestId, WorkspaceMode mode, int leaseSeconds) implements DroneCommand {}

    /**
     * What a turn did to files: show it, undo it, or do it again.
     *
     * @param force also where a file was changed since; what it holds then is lost
     */
    @JsonTypeName("request_turn_files")
    record RequestTurnFiles(String requestId, TurnId turnId, TurnFilesAction action, boolean force)
            implements DroneCommand {}
    /** The next part of the text that the question with this id will need. */
    @JsonTypeName("file_text")
    record FileText(String requestId, String text) implements DroneCommand {
        @Override
        public String toString() {
            return "FileText[" + requestId + "]";
        }
    }

    /**
     * A person asks about files of the workspace, or wants one changed.
     *
     * @param textLength how long the text before it is, in UTF-16 units
     * @param project of the session in which it is asked: paths begin where that works. Without it they begin at the workspace, as on a
     *     drone from before this field
     */
    @JsonTypeName("ask_files")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record AskFiles(
            String requestId,
            FileQuestion question,
            int textLength,
            @Nullable ProjectRef project,
            @Nullable SessionId sessionId)
            implements DroneCommand {}

    /** Find out what this model can do, unless a turn is worked on; a turn that begins meanwhile goes first. */
    @JsonTypeName("examine_model")
    record ExamineModel(String requestId, ProviderSpec provider, String model, int maxSeconds)
            implements DroneCommand {}

    /** The exam is not wanted any more. */
    @JsonTypeName("cancel_exam")
    record CancelExam(String requestId) implements DroneCommand {}

    /** How does the project of this session stand in the workspace, or sync it first; refused as {@code drone_busy} while a turn is worked on. */
    @JsonTypeName("request_project")
    record RequestProject(String requestId, ProjectRef project, SessionId sessionId, ProjectAction action)
            implements DroneCommand {}
    /**
     * What a page says to a terminal.
     *
     * @param viewId names the page's connection; the first thing that comes by it is {@code open}
     * @param project with {@code open}, of its session: a terminal starts where that works
     */
    @JsonTypeName("tell_terminal")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record TellTerminal(
            String viewId,
            TerminalCommand command,
            @Nullable ProjectRef project) implements DroneCommand {}

    /**
     * What runs in the background of this session: list it, read it, or stop it. A drone from before this message does not answer.
     *
     * @param process which one, for {@code output} and {@code stop}
     */
    @JsonTypeName("request_processes")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record RequestProcesses(
            String requestId,
            SessionId sessionId,
            ProcessAction action,
            @Nullable String process) implements DroneCommand {}

    /**
     * The session was deleted: what runs in its background ends, and a working tree of its own goes, too, unless something in it is not
     * committed.
     *
     * @param project null when its project was deleted before it: the drone finds the tree by the session
     */
    @JsonTypeName("forget_session")
    record ForgetSession(SessionId sessionId, @Nullable ProjectRef project) implements DroneCommand {}

    /** The page that showed a terminal by this name is gone. */
    @JsonTypeName("leave_terminal")
    record LeaveTerminal(String viewId) implements DroneCommand {}
}
