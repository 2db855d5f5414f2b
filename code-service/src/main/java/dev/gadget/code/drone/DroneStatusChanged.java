package dev.gadget.code.drone;

import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import dev.gadget.model.drone.DroneStatus;

/** Fired inside the service when a drone came, went or changed what it does. */
public record DroneStatusChanged(UserId owner, DroneId drone, DroneStatus status) {}
