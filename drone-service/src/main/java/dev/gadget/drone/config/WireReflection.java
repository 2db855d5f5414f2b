package dev.gadget.drone.config;

import dev.gadget.drone.policy.LocalPolicy;
import dev.gadget.drone.workspace.Credential;
import dev.gadget.drone.workspace.HeldOrder;
import dev.gadget.drone.workspace.RunningNote;
import dev.gadget.drone.workspace.WorkspaceState;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Limits;
import dev.gadget.model.ModelPrice;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ProjectId;
import dev.gadget.model.ProviderType;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.TerminalId;
import dev.gadget.model.ToolQueueMode;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.api.DroneApi;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.HeldWork;
import dev.gadget.model.drone.MachineLoad;
import dev.gadget.model.drone.ProjectAction;
import dev.gadget.model.drone.RecoveryAction;
import dev.gadget.model.drone.TurnFilesAction;
import dev.gadget.model.file.ChangedFile;
import dev.gadget.model.file.ContentKind;
import dev.gadget.model.file.EntryType;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.file.FileQuestion;
import dev.gadget.model.file.FileVersion;
import dev.gadget.model.file.FolderEntry;
import dev.gadget.model.file.GitStatus;
import dev.gadget.model.process.BackgroundProcess;
import dev.gadget.model.process.ProcessAction;
import dev.gadget.model.process.ProcessStatus;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.terminal.TerminalEvent;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.BlockMode;
import dev.gadget.model.turn.FileChange;
import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.ProjectState;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.model.work.WorkEntry;
import dev.gadget.model.work.WorkOrder;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** Tells the native image what is read and written as JSON. */
@RegisterForReflection(
        ignoreNested = false,
        targets = {
            Credential.class,
            HeldOrder.class,
            RunningNote.class,
            WorkspaceState.class,
            LocalPolicy.class,
            ApprovalRule.class,
            ModelPrice.class,
            TurnFiles.class,
            FileChange.class,
            TurnFilesAction.class,
            ProjectAction.class,
            ProcessAction.class,
            ProcessStatus.class,
            BackgroundProcess.class,
            DroneApi.class,
            DroneCommand.class,
            DroneEvent.class,
            HeldWork.class,
            MachineLoad.class,
            WorkEntry.class,
            WorkOrder.class,
            PastTurn.class,
            ProjectRef.class,
            ProjectState.class,
            ProviderSpec.class,
            Block.class,
            ToolCall.class,
            ToolApproval.class,
            Usage.class,
            Failure.class,
            FailureCode.class,
            Limits.class,
            ModelProfile.class,
            ApprovalPolicy.class,
            ApprovalDecision.class,
            ProviderType.class,
            ReasoningEffort.class,
            ToolQueueMode.class,
            WorkspaceMode.class,
            DroneStatus.class,
            RecoveryAction.class,
            FileQuestion.class,
            FileAnswer.class,
            FileVersion.class,
            FolderEntry.class,
            ChangedFile.class,
            EntryType.class,
            ContentKind.class,
            GitStatus.class,
            TerminalCommand.class,
            TerminalEvent.class,
            TerminalId.class,
            BlockMode.class,
            ToolCallState.class,
            TurnStatus.class,
            DroneId.class,
            ProjectId.class,
            SessionId.class,
            TurnId.class,
            WorkOrderId.class,
            WorkspaceId.class
        })
final class WireReflection {
    private WireReflection() {}
}
