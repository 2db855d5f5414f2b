package dev.gadget.scripted;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One thing that a scripted response does, in order. */
public sealed interface Step {
    /** Text that the model reasons with, a token a chunk. */
    record Thinking(String text) implements Step {}

    /** Text that the model says, a token a chunk. */
    record Text(String text) implements Step {}

    /** Tokens {@code ~1~ ~2~ …}, numbered through the reply, so that a reader can tell a lost, doubled or swapped one. */
    record Numbered(boolean thinking, long count) implements Step {
        /** What the reader must have at the end, from the first number to the last. */
        public static String text(long first, long last) {
            StringBuilder out = new StringBuilder();
            for (long i = first; i <= last; i++) {
                out.append(token(i));
            }
            return out.toString();
        }

        static String token(long number) {
            return "~" + number + "~ ";
        }
    }

    /** Tool calls, told in one of the ways that servers tell them. */
    record Tools(List<ToolCall> calls, ToolShape shape) implements Step {
        public Tools {
            calls = List.copyOf(calls);
        }
    }

    /**
     * The regular end: finish reason, usage, end mark.
     *
     * @param reason the wire's word; absent means the one that fits what was said
     * @param usage absent means counted from what was said
     */
    record End(@Nullable String reason, @Nullable TokenUsage usage) implements Step {}

    /** Waits, and goes on. */
    record Pause(Duration time) implements Step {}

    /** Says nothing more until the client leaves or the provider is closed. */
    record Silence() implements Step {}

    /** Bytes that keep a connection busy and mean nothing: SSE comments, empty lines. */
    record KeepAlive(long count, Duration every) implements Step {}

    /** A chunk of the wire with this JSON (or whatever it is) in it, framed as the wire frames chunks. */
    record Chunk(String json) implements Step {}

    /** Bytes as they are, into the body. */
    record Raw(String text) implements Step {}

    /**
     * Text or tool calls whose last chunk is torn: inside its last character of several bytes, or in its last quarter; then the
     * body ends cleanly.
     */
    record Torn(Step said) implements Step {}

    /** Ends the body cleanly, here, whatever is missing. */
    record CleanEnd() implements Step {}

    /** Closes the connection inside the body. */
    record Drop() implements Step {}

    /** Aborts the connection (RST). */
    record Reset() implements Step {}
}
