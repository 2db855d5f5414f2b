package dev.gadget.code.http;

import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.BusyPolicy;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Limits;
import dev.gadget.model.ModelPrice;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ProjectId;
import dev.gadget.model.ProviderId;
import dev.gadget.model.ProviderType;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.TerminalId;
import dev.gadget.model.ToolQueueMode;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.api.AccountApi;
import dev.gadget.model.api.AnalyticsApi;
import dev.gadget.model.api.AuditApi;
import dev.gadget.model.api.DroneApi;
import dev.gadget.model.api.FileApi;
import dev.gadget.model.api.Page;
import dev.gadget.model.api.Problem;
import dev.gadget.model.api.ProcessApi;
import dev.gadget.model.api.ProjectApi;
import dev.gadget.model.api.ProviderApi;
import dev.gadget.model.api.SessionApi;
import dev.gadget.model.api.SystemApi;
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
import dev.gadget.model.ide.IdeCommand;
import dev.gadget.model.ide.IdeEvent;
import dev.gadget.model.process.BackgroundProcess;
import dev.gadget.model.process.ProcessAction;
import dev.gadget.model.process.ProcessStatus;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.terminal.TerminalEvent;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.BlockMode;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.FileChange;
import dev.gadget.model.turn.RoundUsage;
import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.ToolEffect;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStats;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.ProjectState;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.model.work.WorkEntry;
import dev.gadget.model.work.WorkOrder;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** What a native program reads and writes as JSON by reflection: every message and every body. A test holds the list complete. */
@RegisterForReflection(
        targets = {
            ApprovalPolicy.class,
            ApprovalRule.class,
            ApprovalRule.Action.class,
            BusyPolicy.class,
            DroneId.class,
            Failure.class,
            FailureCode.class,
            Limits.class,
            ModelProfile.class,
            ModelProfile.Score.class,
            ModelProfile.ToolCalling.class,
            ModelPrice.class,
            ProjectId.class,
            ProviderId.class,
            ProviderType.class,
            ReasoningEffort.class,
            SessionId.class,
            ToolQueueMode.class,
            TurnId.class,
            UserId.class,
            WorkOrderId.class,
            WorkspaceId.class,
            WorkspaceMode.class,
            AnalyticsApi.Activity.class,
            AnalyticsApi.ActivityTimes.class,
            AnalyticsApi.Stretch.class,
            AnalyticsApi.ToolFigures.class,
            AnalyticsApi.TurnFigures.class,
            AnalyticsApi.TurnAnalytics.class,
            AnalyticsApi.SessionAnalytics.class,
            AuditApi.AuditKind.class,
            AuditApi.AuditView.class,
            SystemApi.StoreKind.class,
            SystemApi.DoorKind.class,
            SystemApi.SystemView.class,
            SystemApi.ProcessView.class,
            SystemApi.ServiceView.class,
            SystemApi.MemoryView.class,
            SystemApi.StoreView.class,
            SystemApi.TurnCounts.class,
            SystemApi.DoorView.class,
            SystemApi.ConnectedDrone.class,
            AccountApi.Role.class,
            AccountApi.LoginRequest.class,
            AccountApi.UserView.class,
            AccountApi.CreateUser.class,
            AccountApi.UpdateUser.class,
            AccountApi.CreateToken.class,
            AccountApi.TokenView.class,
            AccountApi.CreatedToken.class,
            DroneApi.DroneView.class,
            DroneApi.WorkspaceView.class,
            DroneApi.ChangeWorkspaceMode.class,
            DroneApi.EnrolmentView.class,
            DroneApi.EnrolDrone.class,
            DroneApi.EnrolledDrone.class,
            FileApi.FolderView.class,
            FileApi.FoundView.class,
            FileApi.FileView.class,
            FileApi.SaveFile.class,
            FileApi.CreateEntry.class,
            FileApi.RenameEntry.class,
            FileApi.FileProblem.class,
            FileApi.ChangesView.class,
            FileApi.DiffView.class,
            FileApi.CommitChanges.class,
            FileApi.CommitView.class,
            Page.class,
            Problem.class,
            ProjectApi.CreateProject.class,
            ProjectApi.UpdateProject.class,
            ProjectApi.ProjectView.class,
            ProjectApi.SessionProject.class,
            ProviderApi.CreateProvider.class,
            ProviderApi.UpdateProvider.class,
            ProviderApi.ProviderView.class,
            ProviderApi.ModelView.class,
            ProviderApi.ProfileView.class,
            ProviderApi.StartExam.class,
            ProviderApi.ExamView.class,
            ProviderApi.ExamStatus.class,
            SessionApi.CreateSession.class,
            SessionApi.BranchSession.class,
            SessionApi.UpdateSession.class,
            SessionApi.SessionView.class,
            SessionApi.SessionDetail.class,
            SessionApi.SubmitTurn.class,
            SessionApi.ChangePrompt.class,
            SessionApi.TurnAccepted.class,
            SessionApi.TurnEvents.class,
            SessionApi.UndoTurn.class,
            SessionApi.TurnDiff.class,
            SessionApi.DecideToolCall.class,
            DroneCommand.class,
            DroneCommand.Welcome.class,
            DroneCommand.Refused.class,
            DroneCommand.Heartbeat.class,
            DroneCommand.OfferWorkOrder.class,
            DroneCommand.StartWorkOrder.class,
            DroneCommand.AcknowledgeWork.class,
            DroneCommand.ResendWork.class,
            DroneCommand.ReleaseWorkOrder.class,
            DroneCommand.CancelWorkOrder.class,
            DroneCommand.StopCall.class,
            DroneCommand.DecideApproval.class,
            DroneCommand.SteerTurn.class,
            DroneCommand.RecoverWorkOrder.class,
            DroneCommand.RequestSessionLock.class,
            DroneCommand.RequestWorkspaceMode.class,
            DroneCommand.RequestTurnFiles.class,
            DroneCommand.FileText.class,
            DroneCommand.AskFiles.class,
            DroneCommand.ExamineModel.class,
            DroneCommand.CancelExam.class,
            DroneCommand.RequestProject.class,
            DroneCommand.RequestProcesses.class,
            DroneCommand.ForgetSession.class,
            DroneEvent.class,
            DroneEvent.Hello.class,
            DroneEvent.Heartbeat.class,
            DroneEvent.StatusChanged.class,
            DroneEvent.WorkOrderAccepted.class,
            DroneEvent.WorkOrderRejected.class,
            DroneEvent.WorkReported.class,
            DroneEvent.CrashRecoveryRequested.class,
            DroneEvent.SessionLockAnswered.class,
            DroneEvent.WorkspaceModeAnswered.class,
            DroneEvent.WorkspaceModeChanged.class,
            DroneEvent.TurnFilesAnswered.class,
            TurnFilesAction.class,
            DroneEvent.FileText.class,
            DroneEvent.FilesAnswered.class,
            DroneEvent.ExamProgressed.class,
            DroneEvent.ModelExamined.class,
            DroneEvent.ProjectAnswered.class,
            DroneEvent.ProcessesAnswered.class,
            ProcessAction.class,
            ProcessStatus.class,
            BackgroundProcess.class,
            ProcessApi.ProcessOutput.class,
            DroneEvent.SessionTitled.class,
            DroneEvent.SessionForgotten.class,
            ProjectAction.class,
            DroneStatus.class,
            HeldWork.class,
            MachineLoad.class,
            RecoveryAction.class,
            ChangedFile.class,
            ContentKind.class,
            EntryType.class,
            FileVersion.class,
            FolderEntry.class,
            GitStatus.class,
            TerminalCommand.class,
            TerminalCommand.Open.class,
            TerminalCommand.Input.class,
            TerminalCommand.Resize.class,
            TerminalCommand.Acknowledge.class,
            TerminalCommand.Close.class,
            TerminalCommand.TerminalPing.class,
            TerminalEvent.class,
            TerminalEvent.Opened.class,
            TerminalEvent.Output.class,
            TerminalEvent.Closed.class,
            TerminalEvent.TerminalRefused.class,
            TerminalEvent.TerminalPong.class,
            TerminalId.class,
            DroneCommand.TellTerminal.class,
            DroneCommand.LeaveTerminal.class,
            DroneEvent.TerminalSaid.class,
            FileQuestion.class,
            FileQuestion.ListFolder.class,
            FileQuestion.FindFiles.class,
            FileQuestion.ReadFile.class,
            FileQuestion.WriteFile.class,
            FileQuestion.CreateEntry.class,
            FileQuestion.RenameEntry.class,
            FileQuestion.DeleteEntry.class,
            FileQuestion.ListChanges.class,
            FileQuestion.ReadDiff.class,
            FileQuestion.CommitChanges.class,
            FileAnswer.class,
            FileAnswer.FolderListed.class,
            FileAnswer.FilesFound.class,
            FileAnswer.FileRead.class,
            FileAnswer.FileWritten.class,
            FileAnswer.FileConflict.class,
            FileAnswer.EntriesChanged.class,
            FileAnswer.ChangesListed.class,
            FileAnswer.DiffRead.class,
            FileAnswer.ChangesCommitted.class,
            FileAnswer.Refused.class,
            IdeCommand.class,
            IdeCommand.Hello.class,
            IdeCommand.Ping.class,
            IdeCommand.OpenSession.class,
            IdeCommand.CloseSession.class,
            IdeCommand.FollowTurn.class,
            IdeCommand.SubmitPrompt.class,
            IdeCommand.CancelTurn.class,
            IdeCommand.DecideApproval.class,
            IdeEvent.class,
            IdeEvent.Welcome.class,
            IdeEvent.Refused.class,
            IdeEvent.Pong.class,
            IdeEvent.Answer.class,
            IdeEvent.TurnStarted.class,
            IdeEvent.TurnChanged.class,
            IdeEvent.SessionChanged.class,
            IdeEvent.DroneChanged.class,
            IdeEvent.WorkspaceModeChanged.class,
            IdeEvent.ListsChanged.class,
            IdeEvent.DurabilityChanged.class,
            ApprovalDecision.class,
            Block.class,
            Block.Thinking.class,
            Block.Responding.class,
            Block.Tool.class,
            Block.Prompt.class,
            BlockMode.class,
            Cursor.class,
            ToolApproval.class,
            ToolCall.class,
            FileChange.class,
            FileChange.Kind.class,
            TurnFiles.class,
            RoundUsage.class,
            ToolCallState.class,
            ToolEffect.class,
            Turn.class,
            TurnChange.class,
            TurnChange.Snapshot.class,
            TurnChange.TextDelta.class,
            TurnChange.BlockClosed.class,
            TurnChange.BlockSuperseded.class,
            TurnChange.ToolState.class,
            TurnChange.ToolOutput.class,
            TurnChange.AwaitingConfirmation.class,
            TurnChange.StatusChanged.class,
            TurnChange.UsageChanged.class,
            TurnChange.Retrying.class,
            TurnChange.CallGrows.class,
            TurnChange.FilesChanged.class,
            TurnChange.Done.class,
            TurnChange.Error.class,
            TurnStats.class,
            TurnStatus.class,
            Usage.class,
            PastTurn.class,
            ProjectRef.class,
            ProjectState.class,
            ProviderSpec.class,
            WorkEntry.class,
            WorkEntry.Thinking.class,
            WorkEntry.Response.class,
            WorkEntry.RoundStarted.class,
            WorkEntry.RoundSuperseded.class,
            WorkEntry.Prompted.class,
            WorkEntry.CallGrows.class,
            WorkEntry.ToolCalled.class,
            WorkEntry.ToolAwaitsApproval.class,
            WorkEntry.ToolStarted.class,
            WorkEntry.ToolOutput.class,
            WorkEntry.ToolEnded.class,
            WorkEntry.UsageReported.class,
            WorkEntry.Retrying.class,
            WorkEntry.FilesChanged.class,
            WorkEntry.WorkOrderComplete.class,
            WorkOrder.class
        })
final class NativeMessages {
    private NativeMessages() {}
}
