package dev.gadget.model.drone;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.gadget.model.Failure;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.SessionId;
import dev.gadget.model.TerminalId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.process.BackgroundProcess;
import dev.gadget.model.terminal.TerminalEvent;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProjectState;
import dev.gadget.model.work.WorkEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a drone says to the code service. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(DroneEvent.Hello.class),
    @JsonSubTypes.Type(DroneEvent.Heartbeat.class),
    @JsonSubTypes.Type(DroneEvent.StatusChanged.class),
    @JsonSubTypes.Type(DroneEvent.WorkOrderAccepted.class),
    @JsonSubTypes.Type(DroneEvent.WorkOrderRejected.class),
    @JsonSubTypes.Type(DroneEvent.WorkReported.class),
    @JsonSubTypes.Type(DroneEvent.CrashRecoveryRequested.class),
    @JsonSubTypes.Type(DroneEvent.SessionLockAnswered.class),
    @JsonSubTypes.Type(DroneEvent.WorkspaceModeAnswered.class),
    @JsonSubTypes.Type(DroneEvent.WorkspaceModeChanged.class),
    @JsonSubTypes.Type(DroneEvent.TurnFilesAnswered.class),
    @JsonSubTypes.Type(DroneEvent.FileText.class),
    @JsonSubTypes.Type(DroneEvent.FilesAnswered.class),
    @JsonSubTypes.Type(DroneEvent.ExamProgressed.class),
    @JsonSubTypes.Type(DroneEvent.ModelExamined.class),
    @JsonSubTypes.Type(DroneEvent.ProjectAnswered.class),
    @JsonSubTypes.Type(DroneEvent.ProcessesAnswered.class),
    @JsonSubTypes.Type(DroneEvent.SessionTitled.class),
    @JsonSubTypes.Type(DroneEvent.SessionForgotten.class),
    @JsonSubTypes.Type(DroneEvent.TerminalSaid.class)
})
public sealed interface DroneEvent {
    /**
     * The first message: who is there and what it still holds.
     *
     * @param protocolVersion the version that the drone speaks
     */
    @JsonTypeName("hello")
    record Hello(
            int protocolVersion,
            String droneVersion,
            WorkspaceId workspaceId,
            String hostname,
            String workspaceDir,
            String platform,
            DroneStatus status,
            List<HeldWork> held)
            implements DroneEvent {}

    /**
     * Alive, and still working on these; renews their leases.
     *
     * @param load how busy its machine is; drones from before that was told say nothing
     */
    @JsonTypeName("heartbeat")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Heartbeat(
            DroneStatus status,
            List<HeldWork> held,
            @Nullable MachineLoad load) implements DroneEvent {}

    /** Starting, available or busy. */
    @JsonTypeName("status_changed")
    record StatusChanged(DroneStatus status) implements DroneEvent {}

    /** The order is journaled and will be worked on. */
    @JsonTypeName("work_order_accepted")
    record WorkOrderAccepted(WorkOrderId workOrderId, int attempt, long fence) implements DroneEvent {}

    /** The order is not taken; nothing of it was kept. */
    @JsonTypeName("work_order_rejected")
    record WorkOrderRejected(WorkOrderId workOrderId, int attempt, long fence, Failure failure) implements DroneEvent {}

    /** A batch of what happened in a work order, in order, without a gap inside. */
    @JsonTypeName("work_reported")
    record WorkReported(WorkOrderId workOrderId, int attempt, long fence, List<WorkEntry> entries)
            implements DroneEvent {}

    /** After a start: this order was found in the workspace; the drone deletes nothing before it is told. */
    @JsonTypeName("request_crash_recovery")
    record CrashRecoveryRequested(HeldWork held) implements DroneEvent {}

    /**
     * What the model would call a session whose order {@code wantsTitle}, after that turn was released.
     *
     * @param title empty when it said nothing of use
     * @param usage what it used for that, which is no part of the turn; absent where its endpoint did not count
     */
    @JsonTypeName("session_titled")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SessionTitled(
            SessionId sessionId, String title, @Nullable Usage usage) implements DroneEvent {}

    /** The answer to {@code forget_session}: its working tree is gone, or stays for what is not committed in it. */
    @JsonTypeName("session_forgotten")
    record SessionForgotten(SessionId sessionId) implements DroneEvent {}

    /** The answer to {@code request_session_lock}. */
    @JsonTypeName("session_lock_answered")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SessionLockAnswered(
            String requestId, boolean granted, @Nullable SessionId holder) implements DroneEvent {}

    /** The answer to {@code request_workspace_mode}: who may write now. */
    @JsonTypeName("workspace_mode_answered")
    record WorkspaceModeAnswered(String requestId, boolean granted, WorkspaceMode mode) implements DroneEvent {}

    /** Who may write in the workspace now: said after each welcome, and whenever it changes. */
    @JsonTypeName("workspace_mode_changed")
    record WorkspaceModeChanged(WorkspaceMode mode) implements DroneEvent {}

    /**
     * The answer to {@code request_turn_files}.
     *
     * @param failure why it was not done
     * @param files the files that were written or removed, or that stood in the way
     * @param diff the unified diff of the turn, when it was asked for
     */
    @JsonTypeName("turn_files_answered")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record TurnFilesAnswered(
            String requestId,
            @Nullable Failure failure,
            List<String> files,
            @Nullable String diff) implements DroneEvent {
        public TurnFilesAnswered {
            files = List.copyOf(files);
        }
    }

    /** The next part of the text that belongs to the answer with this id. */
    @JsonTypeName("file_text")
    record FileText(String requestId, String text) implements DroneEvent {
        @Override
        public String toString() {
            return "FileText[" + requestId + "]";
        }
    }

    /**
     * The answer to {@code ask_files}.
     *
     * @param textLength how long the text before it is, in UTF-16 units
     */
    @JsonTypeName("files_answered")
    record FilesAnswered(String requestId, FileAnswer answer, int textLength) implements DroneEvent {}

    /**
     * Where an exam stands.
     *
     * @param done how many of its probes are over, {@code of} how many there are
     * @param text what was found last, or is tried now
     */
    @JsonTypeName("exam_progressed")
    record ExamProgressed(String requestId, int done, int of, String text) implements DroneEvent {}

    /** The answer to {@code examine_model}: the profile, or why there is none. */
    @JsonTypeName("model_examined")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ModelExamined(
            String requestId,
            @Nullable ModelProfile profile,
            @Nullable Failure failure) implements DroneEvent {}

    /** The answer to {@code request_project}: how it stands, or why that cannot be told or done. */
    @JsonTypeName("project_answered")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ProjectAnswered(
            String requestId,
            @Nullable Failure failure,
            @Nullable ProjectState state) implements DroneEvent {}

    /**
     * The answer to {@code request_processes}.
     *
     * @param failure why it was not done
     * @param processes all of the session, oldest first; for {@code stop} the one that was meant, and none for {@code output}
     * @param output what it printed last, for {@code output}
     * @param complete whether that is all that it printed
     */
    @JsonTypeName("processes_answered")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ProcessesAnswered(
            String requestId,
            @Nullable Failure failure,
            List<BackgroundProcess> processes,
            @Nullable String output,
            @Nullable Boolean complete)
            implements DroneEvent {
        public ProcessesAnswered {
            processes = List.copyOf(processes);
        }
    }

    /**
     * What a terminal says.
     *
     * @param viewId which page's connection it is for; absent when nobody looks, and then it says only that it is closed
     */
    @JsonTypeName("terminal_said")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record TerminalSaid(@Nullable String viewId, TerminalId terminalId, TerminalEvent event) implements DroneEvent {}
}
