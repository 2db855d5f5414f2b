package dev.gadget.code.drone;

import dev.gadget.model.DroneId;
import dev.gadget.model.SessionId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.drone.DroneStatus;
import java.util.Optional;

/** Which drones are connected, and what they do. */
public interface DroneRoster {
    /** {@code OFFLINE} when it has no connection. */
    DroneStatus status(DroneId drone);

    /** Who may write in its workspace; empty while it is away. */
    Optional<WorkspaceMode> mode(DroneId drone);

    /** The session that it works for at the moment. */
    Optional<SessionId> currentSession(DroneId drone);
}
