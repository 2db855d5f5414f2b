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

    /**
     * Tokens {@code ~1~ ~2~ …}, so that a reader can tell a lost, doubled or swapped one.
     *
     * @param first the number of the first one
     * @param perSecond their rate; 0 is as fast as the reader takes them
     */
    record Numbered(boolean thinking, long first, long count, double perSecond) implements Step {
        /** What the reader must have at the end. */
        public static String text(long from, long to) {
            StringBuilder out = new StringBuilder();
            for (long i = from; i < to; i++) {
                out.append('~').append(i).append("~ ");
            }
            return out.toString();
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

    /** Ends the body cleanly, here, whatever is missing. */
    record CleanEnd() implements Step {}

    /** Closes the connection inside the body. */
    record Drop() implements Step {}

    /** Aborts the connection (RST). */
    record Reset() implements Step {}
}
