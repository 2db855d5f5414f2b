package dev.gadget.model.terminal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.gadget.model.Failure;
import org.jspecify.annotations.Nullable;

/** What a terminal says to the page that shows it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(TerminalEvent.Opened.class),
    @JsonSubTypes.Type(TerminalEvent.Output.class),
    @JsonSubTypes.Type(TerminalEvent.Closed.class),
    @JsonSubTypes.Type(TerminalEvent.TerminalRefused.class),
    @JsonSubTypes.Type(TerminalEvent.TerminalPong.class)
})
public sealed interface TerminalEvent {
    /**
     * The terminal is there.
     *
     * @param fresh whether it was started just now
     * @param offset where the output that follows begins; later than asked for when what was before is not kept any more
     * @param end up to where it was printed before: a question in there, where the cursor is for example, was answered once
     */
    @JsonTypeName("opened")
    record Opened(boolean fresh, long offset, long end) implements TerminalEvent {}

    /** What it printed, from this offset on. */
    @JsonTypeName("output")
    record Output(long offset, String text) implements TerminalEvent {
        @Override
        public String toString() {
            return "Output[" + offset + "]";
        }
    }

    /** It is over; without an exit code it was ended. Nothing follows. */
    @JsonTypeName("closed")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Closed(@Nullable Integer exitCode) implements TerminalEvent {}

    /** There is no terminal for this page, or not any more, and why. Nothing follows. */
    @JsonTypeName("refused")
    record TerminalRefused(Failure failure) implements TerminalEvent {}

    /** The answer to a ping. */
    @JsonTypeName("pong")
    record TerminalPong() implements TerminalEvent {}
}
