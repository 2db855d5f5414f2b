package dev.gadget.drone.agent;

import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.drone.tool.Arguments;
import dev.gadget.drone.tool.AskPersonTool;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool call of this turn.
 *
 * @param callId unique in the turn
 * @param malformed why the arguments cannot be taken, when they cannot, as a sentence
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
    private static final int KEPT_OF_NAME = 200;

    /** The longest arguments, in bytes of JSON: with what is around them they are reported at once. */
    static final int MAX_BYTES = WorkReport.MAX_BYTES - (4 << 10);

    TurnCall {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** As the model made it just now. */
    static TurnCall requested(String callId, RequestedCall call) {
        String name = start(call.name(), KEPT_OF_NAME);
        try {
            Map<String, Object> parameters = AskPersonTool.ofModel(name, Arguments.read(call.arguments()));
            int size = Arguments.size(parameters);
            return size <= MAX_BYTES
                    ? new TurnCall(callId, name, parameters, null, false, null)
                    : malformed(
                            callId,
                            name,
                            call,
                            "The arguments are " + size + " bytes of JSON, and one call takes " + MAX_BYTES
                                    + " at most. Do it in parts: write the first part of a file, then add to it with further calls.");
        } catch (Arguments.MalformedException e) {
            return malformed(callId, name, call, "The arguments are not a JSON object: " + e.getMessage() + ".");
        }
    }

    private static TurnCall malformed(String callId, String name, RequestedCall call, String why) {
        return new TurnCall(
                callId, name, Map.of("arguments", start(call.arguments(), KEPT_OF_MALFORMED)), why, false, null);
    }

    private static String start(String text, int most) {
        return text.length() > most ? text.substring(0, most) + "…" : text;
    }

    /** As it is told back to the model: always well-formed, because endpoints refuse whole conversations over it. */
    RequestedCall toRequested() {
        return new RequestedCall(callId, CallNames.sent(name), Arguments.write(parameters));
    }
}
