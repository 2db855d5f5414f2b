package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a reader has read in a turn; on the wire {@code epoch.revision.block.offset}.
 *
 * @param epoch which life of the document the rest counts in; another epoch means that the reader starts with a snapshot
 * @param revision the last change other than appended text that the reader has
 * @param block the index of the block that the reader is in
 * @param offset the characters (UTF-16 units) of that block's text that it has
 */
public record Cursor(String epoch, long revision, int block, int offset) {
    private static final Pattern SHAPE = Pattern.compile("([A-Za-z0-9]{1,16})\\.(\\d{1,18})\\.(\\d{1,9})\\.(\\d{1,9})");

    /** Reads the wire form; {@code IllegalArgumentException} when it is not one. */
    @JsonCreator
    public static Cursor parse(String text) {
        Matcher parts = SHAPE.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "a cursor looks like 'epoch.revision.block.offset', as the server gave it, but this one has "
                            + text.length() + " other characters");
        }
        return new Cursor(
                parts.group(1),
                Long.parseLong(parts.group(2)),
                Integer.parseInt(parts.group(3)),
                Integer.parseInt(parts.group(4)));
    }

    @Override
    @JsonValue
    public String toString() {
        return epoch + "." + revision + "." + block + "." + offset;
    }
}
