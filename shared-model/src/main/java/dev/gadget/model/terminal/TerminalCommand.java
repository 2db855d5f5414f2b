package dev.gadget.model.terminal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.TerminalId;

/** What a page says to a terminal. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(TerminalCommand.Open.class),
    @JsonSubTypes.Type(TerminalCommand.Input.class),
    @JsonSubTypes.Type(TerminalCommand.Resize.class),
    @JsonSubTypes.Type(TerminalCommand.Acknowledge.class),
    @JsonSubTypes.Type(TerminalCommand.Close.class),
    @JsonSubTypes.Type(TerminalCommand.TerminalPing.class)
})
public sealed interface TerminalCommand {
    /**
     * The first message: start this terminal in the workspace of the session, or go on with it where there is one of this id.
     *
     * @param offset how much of its output the page has, in UTF-16 units
     */
    @JsonTypeName("open")
    record Open(int protocolVersion, SessionId sessionId, TerminalId terminalId, int columns, int rows, long offset)
            implements TerminalCommand {
        public Open {
            TerminalSize.check(columns, rows);
        }
    }

    /** What a person typed or pasted. */
    @JsonTypeName("input")
    record Input(String text) implements TerminalCommand {
        public Input {
            if (text.length() > Protocol.TEXT_PART_CHARS) {
                throw new IllegalArgumentException("one input has at most " + Protocol.TEXT_PART_CHARS
                        + " characters, but this one " + text.length() + "; send it in parts");
            }
        }

        @Override
        public String toString() {
            return "Input[]";
        }
    }

    /** The page shows so many columns and rows now. */
    @JsonTypeName("resize")
    record Resize(int columns, int rows) implements TerminalCommand {
        public Resize {
            TerminalSize.check(columns, rows);
        }
    }

    /** All output up to this offset is shown. */
    @JsonTypeName("acknowledge")
    record Acknowledge(long offset) implements TerminalCommand {}

    /** End the terminal and all that runs in it. */
    @JsonTypeName("close")
    record Close() implements TerminalCommand {}

    /** Answered by a pong. */
    @JsonTypeName("ping")
    record TerminalPing() implements TerminalCommand {}
}
