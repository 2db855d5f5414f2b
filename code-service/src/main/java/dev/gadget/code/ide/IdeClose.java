package dev.gadget.code.ide;

import dev.gadget.code.socket.CloseReason;

/** Why the service ends a page's connection. */
final class IdeClose {
    static final CloseReason GOING_DOWN = new CloseReason(1012, "the service goes down");
    static final CloseReason FRAME_INVALID = new CloseReason(4400, "a message that is not one of the protocol");
    static final CloseReason SIGNED_OUT = new CloseReason(4401, "the sign-in is over");
    static final CloseReason SLOW =
            new CloseReason(4408, "the page does not take what it is sent; come back with the cursor");
    static final CloseReason NO_HELLO = new CloseReason(4410, "no hello came");
    static final CloseReason PROTOCOL_MISMATCH = new CloseReason(4501, "another protocol version; reload the page");

    private IdeClose() {}
}
