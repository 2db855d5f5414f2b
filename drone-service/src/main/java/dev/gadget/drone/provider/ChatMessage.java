package dev.gadget.drone.provider;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One message of the conversation that a model is given. */
public sealed interface ChatMessage {
    /** Instructions that stand above the conversation. */
    record Instructions(String text) implements ChatMessage {}

    /** What the person said. */
    record User(String text) implements ChatMessage {}

    /** What the model said before, and the tools it called. */
    record Assistant(String text, @Nullable String thinking, List<RequestedCall> calls) implements ChatMessage {
        public Assistant {
            calls = List.copyOf(calls);
        }
    }

    /** What a called tool answered. */
    record ToolAnswer(String callId, String name, String text) implements ChatMessage {}

    /**
     * A tool call as the model made it.
     *
     * @param arguments the JSON text of the arguments, which may be malformed
     */
    record RequestedCall(String callId, String name, String arguments) {}
}
