package dev.gadget.code.drone;

import dev.gadget.code.system.Door;
import dev.gadget.model.DroneId;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.api.SystemApi.ConnectedDrone;
import dev.gadget.model.api.SystemApi.DoorKind;
import dev.gadget.model.api.SystemApi.DoorView;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.MachineLoad;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The drones that are connected now, each once, and the turn that each works on. */
@ApplicationScoped
class DroneConnections implements DroneRoster, Door {
    private final ConcurrentHashMap<DroneId, DroneConnection> connections = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<DroneId, Assignment> assignments = new ConcurrentHashMap<>();
    private final Event<DroneStatusChanged> changes;

    DroneConnections(Event<DroneStatusChanged> changes) {
        this.changes = changes;
    }

    /** What stands in the way of a connection that said hello. */
    sealed interface Entry {
        /** It is in; the one that it replaces, if any, is to be closed. */
        record In(@Nullable DroneConnection replaced) implements Entry {}

        /** Another drone of the same person is connected for that workspace, or this one from another place. */
        record Locked(DroneConnection by) implements Entry {}

        /** It says another workspace than the one that it was enrolled for. */
        record Foreign() implements Entry {}
    }

    /**
     * Lets a connection in, for the workspace that its drone was enrolled for. The same drone in the same place replaces itself, for
     * example when its old connection hangs. Workspaces are told apart within one person's only: their ids are made by the drones.
     */
    Entry enter(DroneConnection connection, DroneEvent.Hello hello) {
        if (!hello.workspaceId().equals(connection.workspace())) {
            return new Entry.Foreign();
        }
        synchronized (connections) {
            for (DroneConnection other : connections.values()) {
                DroneEvent.Hello known = other.hello();
                boolean same = other.id().equals(connection.id());
                boolean samePlace = known != null
                        && known.hostname().equals(hello.hostname())
                        && known.workspaceDir().equals(hello.workspaceDir());
                if (other != connection && (same || sameWorkspace(other, connection)) && !(same && samePlace)) {
                    return new Entry.Locked(other);
                }
            }
            connection.greeted(hello);
            return new Entry.In(connections.put(connection.id(), connection));
        }
    }

    private static boolean sameWorkspace(DroneConnection one, DroneConnection other) {
        return one.owner().equals(other.owner()) && one.workspace().equals(other.workspace());
    }

    /** Lets it out; false when another connection of the drone has taken its place before. */
    boolean leave(DroneConnection connection) {
        return connections.remove(connection.id(), connection);
    }

    Optional<DroneConnection> of(DroneId drone) {
        return Optional.ofNullable(connections.get(drone));
    }

    Optional<DroneConnection> of(UserId owner, WorkspaceId workspace) {
        return ofOwner(owner).stream()
                .filter(connection -> connection.workspace().equals(workspace))
                .findFirst();
    }

    List<DroneConnection> ofOwner(UserId owner) {
        return connections.values().stream()
                .filter(connection -> connection.owner().equals(owner))
                .toList();
    }

    Collection<DroneConnection> all() {
        return List.copyOf(connections.values());
    }

    /** Keeps a drone for one turn; the assignment that has it already when there is one, else null. */
    @Nullable
    Assignment assign(Assignment assignment) {
        Assignment other = assignments.putIfAbsent(assignment.drone(), assignment);
        if (other == null) {
            announce(assignment.owner(), assignment.drone());
        }
        return other;
    }

    void unassign(Assignment assignment) {
        if (assignments.remove(assignment.drone(), assignment)) {
            announce(assignment.owner(), assignment.drone());
        }
    }

    @Nullable
    Assignment assignment(DroneId drone) {
        return assignments.get(drone);
    }

    Collection<Assignment> assignments() {
        return List.copyOf(assignments.values());
    }

    void announce(UserId owner, DroneId drone) {
        changes.fire(new DroneStatusChanged(owner, drone, status(drone)));
    }

    @Override
    public DroneStatus status(DroneId drone) {
        DroneConnection connection = connections.get(drone);
        if (connection == null) {
            return DroneStatus.OFFLINE;
        }
        if (assignments.containsKey(drone)) {
            return DroneStatus.BUSY;
        }
        return connection.status() == DroneStatus.STARTING ? DroneStatus.STARTING : DroneStatus.AVAILABLE;
    }

    @Override
    public Optional<WorkspaceMode> mode(DroneId drone) {
        return of(drone).map(DroneConnection::mode);
    }

    @Override
    public Optional<MachineLoad> load(DroneId drone) {
        return of(drone).map(DroneConnection::load);
    }

    @Override
    public List<ConnectedDrone> connected() {
        return connections.values().stream()
                .map(this::view)
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(ConnectedDrone::name)
                        .thenComparing(one -> one.id().value()))
                .toList();
    }

    private Optional<ConnectedDrone> view(DroneConnection connection) {
        return Optional.ofNullable(connection.hello())
                .map(said -> new ConnectedDrone(
                        connection.id(),
                        connection.drone().name(),
                        connection.owner(),
                        said.hostname(),
                        status(connection.id()),
                        said.droneVersion(),
                        said.platform(),
                        connection.load()));
    }

    @Override
    public DoorView inUse() {
        return new DoorView(DoorKind.DRONE, connections.size());
    }

    @Override
    public Optional<SessionId> currentSession(DroneId drone) {
        Assignment assignment = assignments.get(drone);
        return assignment == null ? Optional.empty() : Optional.of(assignment.session());
    }
}
