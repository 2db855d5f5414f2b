package dev.gadget.drone.workspace;

import dev.gadget.model.DroneId;

/** What the drone proves itself with, and to whom; kept in {@code credential.json}. */
public record Credential(String server, DroneId droneId, String credential) {
    @Override
    public String toString() {
        return "Credential[" + droneId + " at " + server + "]";
    }
}
