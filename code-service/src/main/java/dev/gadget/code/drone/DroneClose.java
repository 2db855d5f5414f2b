package dev.gadget.code.drone;

import dev.gadget.code.socket.CloseReason;
import dev.gadget.model.Protocol;

/** Why the service ends a drone's connection. Codes from 4500 on tell the drone not to come back by itself. */
final class DroneClose {
    static final CloseReason GOING_DOWN = new CloseReason(1012, "the service goes down");
    static final CloseReason FRAME_INVALID = new CloseReason(4400, "a message that is not one of the protocol");
    static final CloseReason SILENT = new CloseReason(4408, "nothing was heard for " + Protocol.LEASE_SECONDS + " s");
    static final CloseReason SLOW = new CloseReason(4409, "the drone does not take what it is told");
    static final CloseReason NO_HELLO = new CloseReason(4410, "no hello came in time, or not as the first message");
    static final CloseReason STORE_AWAY = new CloseReason(4411, "the store does not answer now");
    static final CloseReason PROTOCOL_MISMATCH = new CloseReason(4501, "another protocol version");
    static final CloseReason WORKSPACE_LOCKED = new CloseReason(4502, "another drone is connected for this workspace");
    static final CloseReason REPLACED = new CloseReason(4503, "a newer connection of the same drone took over");
    static final CloseReason FOREIGN_WORKSPACE = new CloseReason(4504, "this drone was enrolled for another workspace");
    static final CloseReason REVOKED = new CloseReason(4505, "this drone is not enrolled any more");

    private DroneClose() {}
}
