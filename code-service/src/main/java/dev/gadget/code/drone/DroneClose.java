package dev.gadget.code.drone;

import dev.gadget.model.Protocol;

/** Why the service ends a drone's connection. Codes from 4500 on tell the drone not to come back by itself. */
enum DroneClose {
    GOING_DOWN(1012, "the service goes down"),
    FRAME_INVALID(4400, "a message that is not one of the protocol"),
    SILENT(4408, "nothing was heard for " + Protocol.LEASE_SECONDS + " s"),
    SLOW(4409, "the drone does not take what it is told"),
    NO_HELLO(4410, "no hello came"),
    STORE_AWAY(4411, "the store does not answer now"),
    PROTOCOL_MISMATCH(4501, "another protocol version"),
    WORKSPACE_LOCKED(4502, "another drone is connected for this workspace"),
    REPLACED(4503, "a newer connection of the same drone took over"),
    REVOKED(4505, "the credential was revoked");

    private final int code;
    private final String reason;

    DroneClose(int code, String reason) {
        this.code = code;
        this.reason = reason;
    }

    int code() {
        return code;
    }

    String reason() {
        return reason;
    }
}
