package dev.gadget.code.turn;

import java.util.ArrayList;
import java.util.List;

/** What changed in a document besides text appended to its last block, in order; the number of entries is its revision. */
final class ChangeLog {
    /** Past this many the log begins anew, and readers with it. */
    static final int MAX_ENTRIES = 200_000;

    private final List<Entry> entries = new ArrayList<>();

    /** What kind of thing changed. */
    enum Kind {
        TEXT,
        BLOCK_CLOSED,
        BLOCK_SUPERSEDED,
        TOOL_STATE,
        TOOL_OUTPUT,
        TOOL_AWAITS,
        STATUS,
        USAGE,
        RETRYING,
        CALL_GROWS,
        FILES,
        END
    }

    /**
     * One change.
     *
     * @param index the block, or -1 for the turn as a whole
     * @param offset where appended text or output begins
     */
    record Entry(Kind kind, int index, int offset) {}

    void add(Kind kind, int index) {
        add(kind, index, 0);
    }

    void add(Kind kind, int index, int offset) {
        entries.add(new Entry(kind, index, offset));
    }

    int revision() {
        return entries.size();
    }

    List<Entry> since(long revision) {
        return entries.subList((int) revision, entries.size());
    }

    boolean full() {
        return entries.size() >= MAX_ENTRIES;
    }

    void clear() {
        entries.clear();
    }
}
