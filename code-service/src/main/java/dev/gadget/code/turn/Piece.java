package dev.gadget.code.turn;

import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.TurnChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Steps of blocks, in the order of these, until they are as many characters as one message is to bring. */
final class Piece {
    /** Of each block, its ids, times and names. */
    private static final int AROUND_A_BLOCK = 250;

    final List<TurnChange> changes = new ArrayList<>();
    private final List<Part> parts;
    private long room;
    private boolean whole = true;
    private boolean begun;
    private int block;
    private int offset;

    Piece(List<Part> parts, int most) {
        this.parts = parts;
        room = most;
    }

    /** Whether all of each block that it was given is in it. */
    boolean whole() {
        return whole;
    }

    /** Up to which block a reader has everything that is in it, when it is not whole; nothing of those after it counts as told. */
    int block() {
        return block;
    }

    /** How far the text or output of that block is in it. */
    int offset() {
        return offset;
    }

    /**
     * Takes what a reader lacks of this block, of its text or output what comes after {@code from}; false when there was no room for all
     * of it, so that nothing is to follow. Something of the first one that lacks any always fits.
     */
    boolean add(int index, boolean state, int from, boolean closed, boolean superseded, boolean awaits) {
        Part part = parts.get(index);
        long own = state ? size(part) - grown(part).length() : 0;
        int length = grown(part).length();
        if (begun && room - own <= 0 && (state || from < length)) {
            whole = false;
            block = index - 1;
            offset = grown(parts.get(block)).length();
            return false;
        }
        begun |= state || from < length;
        room -= own;
        int until = from < length ? cut(grown(part), from, Math.max(room, 2)) : length;
        switch (part) {
            case Part.Text text -> addText(text, from, until, closed && until == length);
            case Part.Tool tool -> addTool(tool, state, from, until, awaits);
        }
        if (superseded && part.superseded) {
            changes.add(new TurnChange.BlockSuperseded(index));
        }
        room -= Math.max(0, until - from);
        block = index;
        offset = until;
        whole = until == length;
        return whole;
    }

    /** Never through the middle of a character. */
    private static int cut(CharSequence text, int from, long most) {
        if (text.length() - from <= most) {
            return text.length();
        }
        int end = from + (int) most;
        return Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
    }

    private void addText(Part.Text text, int from, int until, boolean closed) {
        // One that is there and empty is told as well: those after it count on it.
        if (from < until || (from == 0 && closed)) {
            changes.add(more(text, from, until));
        }
        if (closed && text.closedAt != null) {
            changes.add(new TurnChange.BlockClosed(text.index, text.closedAt));
        }
    }

    private void addTool(Part.Tool tool, boolean state, int from, int until, boolean awaits) {
        if (state) {
            changes.add(new TurnChange.ToolState(
                    tool.index, tool.createdAt, tool.closedAt, tool.toCall(null), tool.parent));
        }
        if (from < until) {
            changes.add(new TurnChange.ToolOutput(tool.index, from, tool.output.substring(from, until)));
        }
        if (awaits && tool.asked() instanceof ToolApproval asked) {
            changes.add(awaiting(tool, asked));
        }
    }

    static TurnChange more(Part.Text text, int from, int until) {
        Instant createdAt = from == 0 ? text.createdAt : null;
        String parent = from == 0 ? text.parent : null;
        return new TurnChange.TextDelta(
                text.index, text.mode(), from, text.content.substring(from, until), createdAt, parent);
    }

    static TurnChange awaiting(Part.Tool tool, ToolApproval approval) {
        return new TurnChange.AwaitingConfirmation(
                tool.index,
                tool.callId,
                approval.reason(),
                approval.preview(),
                approval.shown(),
                approval.patterns(),
                approval.decided());
    }

    /** What grows of a block while it is open. */
    static CharSequence grown(Part part) {
        return switch (part) {
            case Part.Text text -> text.content;
            case Part.Tool tool -> tool.output;
        };
    }

    /** About how many characters it takes to tell all of it. */
    static long size(Part part) {
        return AROUND_A_BLOCK
                + grown(part).length()
                + switch (part) {
                    case Part.Text _ -> 0;
                    case Part.Tool tool ->
                        size(tool.parameters)
                                + size(tool.response)
                                + size(tool.diff)
                                + (tool.asked() instanceof ToolApproval asked
                                        ? size(asked.preview()) + size(asked.shown())
                                        : 0);
                };
    }

    private static long size(@Nullable Object value) {
        return switch (value) {
            case String text -> text.length();
            case List<?> list -> list.stream().mapToLong(Piece::size).sum();
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .mapToLong(entry -> size(entry.getKey()) + size(entry.getValue()))
                        .sum();
            case null, default -> 4;
        };
    }
}
