package dev.gadget.drone.agent;

import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.drone.tool.Arguments;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool call of this turn.
 *
 * @param callId unique in the turn
 * @param malformed why the arguments could not be read, when they could not
 * @param started whether its intent is in the journal
 * @param answer what the model was told, when it has ended already
 */
record TurnCall(
        String callId,
        String name,
        Map<String, Object> parameters,
        @Nullable String malformed,
        boolean started,
        @Nullable String answer) {
    private static final int KEPT_OF_MALFORMED = 4000;

    TurnCall {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** As the model made it just now. */
    static TurnCall requested(String callId, RequestedCall call) {
        try {
            return new TurnCall(callId, call.name(), Arguments.read(call.arguments()), null, false, null);
        } catch (Arguments.MalformedException e) {
            String kept = call.arguments();
            kept = kept.length() > KEPT_OF_MALFORMED ? kept.substring(0, KEPT_OF_MALFORMED) + "…" : kept;
            return new TurnCall(
                    callId, call.name(), Map.of("arguments", kept), String.valueOf(e.getMessage()), false, null);
        }
    }

    /** As it is told back to the model: always well-formed, because endpoints refuse whole conversations over it. */
    RequestedCall toRequested() {
        return new RequestedCall(callId, name, Arguments.write(parameters));
    }
}
