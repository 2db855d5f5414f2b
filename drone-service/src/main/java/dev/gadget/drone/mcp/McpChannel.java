package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.provider.CancelSignal;
import java.time.Duration;

/** One connection to a server, over which messages go to it and come back. */
interface McpChannel extends AutoCloseable {
    /** What a message may be long; longer ones are thrown away. */
    int MAX_MESSAGE_BYTES = 8 << 20;

    /** Asks, and waits for the result; not longer than the limit, and not when cancelled. */
    JsonNode request(String method, ObjectNode params, Duration limit, CancelSignal cancel)
            throws McpException, InterruptedException;

    /** Tells; whether it arrives is not known. */
    void tell(String method, ObjectNode params) throws McpException, InterruptedException;

    /** Both sides speak this version from now on. */
    void agreed(String version);

    /** Whether something can still be asked. */
    boolean alive();

    /** Ends it, and with it what was started for it; what waits for an answer fails. */
    @Override
    void close();
}
