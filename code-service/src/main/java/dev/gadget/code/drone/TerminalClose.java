package dev.gadget.code.drone;

/** Why the service ends the connection of a page to a terminal. */
enum TerminalClose {
    DONE(1000, "nothing follows"),
    GOING_DOWN(1012, "the service goes down"),
    FRAME_INVALID(4400, "a message that is not one of the protocol"),
    SIGNED_OUT(4401, "the sign-in is over"),
    SLOW(4408, "the page does not take what it is sent"),
    NOT_OPENED(4410, "no terminal was asked for");

    private final int code;
    private final String reason;

    TerminalClose(int code, String reason) {
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
