package dev.gadget.code.ide;

/** Why the service ends a page's connection. */
enum IdeClose {
    GOING_DOWN(1012, "the service goes down"),
    FRAME_INVALID(4400, "a message that is not one of the protocol"),
    SIGNED_OUT(4401, "the sign-in is over"),
    SLOW(4408, "the page does not take what it is sent; come back with the cursor"),
    NO_HELLO(4410, "no hello came"),
    PROTOCOL_MISMATCH(4501, "another protocol version; reload the page");

    private final int code;
    private final String reason;

    IdeClose(int code, String reason) {
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
