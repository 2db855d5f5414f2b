package dev.gadget.model.ide;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.TurnChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the code service says to a page. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(IdeEvent.Welcome.class),
    @JsonSubTypes.Type(IdeEvent.Refused.class),
    @JsonSubTypes.Type(IdeEvent.Pong.class),
    @JsonSubTypes.Type(IdeEvent.Answer.class),
    @JsonSubTypes.Type(IdeEvent.TurnStarted.class),
    @JsonSubTypes.Type(IdeEvent.TurnChanged.class),
    @JsonSubTypes.Type(IdeEvent.SessionChanged.class),
    @JsonSubTypes.Type(IdeEvent.DroneChanged.class),
    @JsonSubTypes.Type(IdeEvent.WorkspaceModeChanged.class),
    @JsonSubTypes.Type(IdeEvent.ListsChanged.class),
    @JsonSubTypes.Type(IdeEvent.DurabilityChanged.class)
})
public sealed interface IdeEvent {
    /** The answer to a hello that is accepted. */
    @JsonTypeName("welcome")
    record Welcome(int protocolVersion, UserId userId, String serviceVersion, int heartbeatSeconds)
            implements IdeEvent {}

    /** The connection is not wanted, and why; it is closed next. */
    @JsonTypeName("refused")
    record Refused(Failure failure) implements IdeEvent {}

    /** The answer to a ping. */
    @JsonTypeName("pong")
    record Pong() implements IdeEvent {}

    /** The outcome of the command with this request id; no failure means that it was done. */
    @JsonTypeName("answer")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Answer(
            String requestId,
            @Nullable Failure failure,
            @Nullable TurnId turnId) implements IdeEvent {}

    /** A turn of the open session began, in this tab or elsewhere; its changes follow, a snapshot first. */
    @JsonTypeName("turn_started")
    record TurnStarted(SessionId sessionId, TurnId turnId) implements IdeEvent {}

    /** Steps since the reader's last cursor, and the cursor after them. */
    @JsonTypeName("turn_changed")
    record TurnChanged(TurnId turnId, Cursor cursor, List<TurnChange> changes) implements IdeEvent {}

    /** The session was renamed, reconfigured or deleted: read it again. */
    @JsonTypeName("session_changed")
    record SessionChanged(SessionId sessionId, boolean deleted) implements IdeEvent {}

    /** A drone of the person came, went or changed. */
    @JsonTypeName("drone_changed")
    record DroneChanged(DroneId droneId, DroneStatus status) implements IdeEvent {}

    /** Who may write in a workspace of the person. */
    @JsonTypeName("workspace_mode_changed")
    record WorkspaceModeChanged(WorkspaceId workspaceId, WorkspaceMode mode) implements IdeEvent {}

    /** More of the person's sessions and drones changed than is told one by one: read the lists again. */
    @JsonTypeName("lists_changed")
    record ListsChanged() implements IdeEvent {}

    /** Whether what the page shows is stored; false while the store is away. */
    @JsonTypeName("durability_changed")
    record DurabilityChanged(boolean saved) implements IdeEvent {}
}
