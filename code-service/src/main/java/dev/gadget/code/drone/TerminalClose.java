package dev.gadget.code.drone;

import dev.gadget.code.socket.CloseReason;

/** Why the service ends the connection of a page to a terminal. */
final class TerminalClose {
    static final CloseReason DONE = new CloseReason(1000, "nothing follows");
    static final CloseReason GOING_DOWN = new CloseReason(1012, "the service goes down");
    static final CloseReason FRAME_INVALID = new CloseReason(4400, "a message that is not one of the protocol");
    static final CloseReason SIGNED_OUT = new CloseReason(4401, "the sign-in is over");
    static final CloseReason SLOW = new CloseReason(4408, "the page does not take what it is sent");
    static final CloseReason NOT_OPENED = new CloseReason(4410, "no terminal was asked for");

    private TerminalClose() {}
}
