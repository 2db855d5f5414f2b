package dev.gadget.code.socket;

import dev.gadget.code.account.Caller;

/** One address under {@code /ws} and what is done with the sockets that are opened there. */
public interface SocketEndpoint {
    /** The address, {@code /ws/ide} for example. */
    String path();

    /** The role without which nobody is let in. */
    String role();

    /** A socket is open. Runs on its event loop, as all that its listener is told, so that nothing here may wait. */
    SocketListener opened(SocketHandle socket, Caller caller);
}
