package dev.gadget.code.drone;

import dev.gadget.code.RefusedException;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.store.DroneArchive;
import dev.gadget.code.store.ProjectArchive;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.api.DroneApi.WorkspaceView;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.work.ProjectRef;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Who may write in a workspace: its drone decides, this asks it and waits for the answer. */
@ApplicationScoped
class WorkspaceDesk {
    private static final Logger LOG = Logger.getLogger(WorkspaceDesk.class);

    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(5);

    private final SessionArchive sessions;
    private final ProjectArchive projects;
    private final DroneArchive drones;
    private final DroneConnections connections;
    private final DroneQuestions questions;
    private final Event<WorkspaceModeChanged> changes;

    WorkspaceDesk(
            SessionArchive sessions,
            ProjectArchive projects,
            DroneArchive drones,
            DroneConnections connections,
            DroneQuestions questions,
            Event<WorkspaceModeChanged> changes) {
        this.sessions = sessions;
        this.projects = projects;
        this.drones = drones;
        this.connections = connections;
        this.questions = questions;
        this.changes = changes;
    }

    /** Where a session works. */
    record Place(DroneConnection drone, @Nullable ProjectRef project) {}

    WorkspaceView look(UserId owner, SessionId id) {
        ChatSession session = session(owner, id);
        WorkspaceId workspace = workspace(session);
        var connection = connections.of(owner, workspace);
        if (connection.isEmpty()) {
            return new WorkspaceView(workspace, DroneStatus.OFFLINE, null, false, null, null);
        }
        var lock = ask(
                connection.get(),
                request -> new DroneCommand.RequestSessionLock(request, id, session.name()),
                DroneEvent.SessionLockAnswered.class);
        return new WorkspaceView(
                workspace,
                connections.status(connection.get().id()),
                connection.get().mode(),
                lock.granted(),
                lock.holder(),
                null);
    }

    WorkspaceView change(UserId owner, SessionId id, WorkspaceMode wanted) {
        if (wanted == WorkspaceMode.AGENT) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "mode has to be 'user' or 'idle'; the agent gets a workspace by a prompt.",
                    "mode");
        }
        WorkspaceId workspace = workspace(session(owner, id));
        DroneConnection connection = drone(owner, workspace);
        var answer = ask(
                connection,
                request -> new DroneCommand.RequestWorkspaceMode(request, wanted, Protocol.LEASE_SECONDS),
                DroneEvent.WorkspaceModeAnswered.class);
        if (!answer.granted()) {
            throw new RefusedException(
                    FailureCode.WORKSPACE_LOCKED,
                    "The agent works in this workspace. Wait for the end of its turn, or cancel it.");
        }
        return new WorkspaceView(
                workspace,
                connections.status(connection.id()),
                answer.mode(),
                true,
                null,
                answer.mode() == WorkspaceMode.USER ? Protocol.LEASE_SECONDS : null);
    }

    private <E extends DroneEvent> E ask(
            DroneConnection connection, Function<String, DroneCommand> question, Class<E> kind) {
        return questions
                .ask(connection, ANSWERS_WITHIN, request -> List.of(question.apply(request)))
                .as(kind);
    }

    /**
     * Has the drone of this workspace do something, told at once and whenever it comes until it has answered: it may be away.
     *
     * @param kept how that is noted with the drone
     * @param unheard what follows when the note cannot be stored and the drone does not hear it now, after "a drone that does not hear now
     *     that", for the log
     */
    void owe(UserId owner, WorkspaceId workspace, DroneCommand command, UnaryOperator<Drone> kept, String unheard) {
        try {
            drones.ofWorkspace(owner, workspace).ifPresent(drone -> drones.change(owner, drone.id(), kept));
        } catch (StoreException e) {
            LOG.warnf("a drone that does not hear now that %s: %s", unheard, e.getMessage());
        }
        connections.of(owner, workspace).ifPresent(drone -> drone.send(command));
    }

    /** The connected drone of a session's workspace; refused when there is none. */
    DroneConnection drone(UserId owner, SessionId id) {
        return drone(owner, workspace(session(owner, id)));
    }

    /** Where a session works: its connected drone, and what that is to be told of its project; without one that was deleted. */
    Place place(UserId owner, SessionId id) {
        ChatSession session = session(owner, id);
        return new Place(
                drone(owner, workspace(session)),
                projects.find(owner, session.projectId())
                        .map(project -> project.in(session.worktree()))
                        .orElse(null));
    }

    private DroneConnection drone(UserId owner, WorkspaceId workspace) {
        return connections
                .of(owner, workspace)
                .orElseThrow(
                        () -> new RefusedException(
                                FailureCode.NO_DRONE,
                                "The drone of this session's workspace is not connected. Start it there with 'gadget-drone run'."));
    }

    void changed(DroneConnection from, WorkspaceMode mode) {
        if (from.mode() != mode) {
            from.mode(mode);
            changes.fire(new WorkspaceModeChanged(from.owner(), from.workspace(), mode));
        }
    }

    private ChatSession session(UserId owner, SessionId id) {
        return sessions.find(owner, id)
                .orElseThrow(() -> new RefusedException(FailureCode.NOT_FOUND, "There is no session " + id + "."));
    }

    private static WorkspaceId workspace(ChatSession session) {
        WorkspaceId workspace = session.workspaceId();
        if (workspace == null) {
            throw new RefusedException(
                    FailureCode.CONFLICT, "The session has no workspace yet; its first prompt gives it one.");
        }
        return workspace;
    }
}
