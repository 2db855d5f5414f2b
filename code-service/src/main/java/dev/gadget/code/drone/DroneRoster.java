package dev.gadget.code.drone;

import dev.gadget.model.DroneId;
import dev.gadget.model.SessionId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.api.SystemApi.ConnectedDrone;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.MachineLoad;
import java.util.List;
import java.util.Optional;

/** Which drones are connected, and what they do. */
public interface DroneRoster {
    /** {@code OFFLINE} when it has no connection. */
    DroneStatus status(DroneId drone);

    /** Who may write in its workspace; empty while it is away. */
    Optional<WorkspaceMode> mode(DroneId drone);

    /** How busy its machine is, as far as it said. */
    Optional<MachineLoad> load(DroneId drone);

    /** Everybody's drones that are connected, by name. */
    List<ConnectedDrone> connected();

    /** The session that it works for at the moment. */
    Optional<SessionId> currentSession(DroneId drone);
}
