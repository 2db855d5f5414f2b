package dev.gadget.drone.terminal;

/** The last of what a terminal printed, with its place in all that it printed, in UTF-16 units. */
final class OutputRing {
    static final int CAPACITY = 256 << 10;
    private static final int LONGEST_LINE_SKIPPED = 4096;

    private final char[] ring = new char[CAPACITY];
    private long end;

    /** A piece of it. */
    record Part(long offset, String text) {}

    void append(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            ring[(int) (end++ % CAPACITY)] = text.charAt(i);
        }
    }

    long end() {
        return end;
    }

    /** Where what is kept begins. */
    long start() {
        return Math.max(0, end - CAPACITY);
    }

    /**
     * From where on a reader that has everything up to this offset is told. One that is too late begins with a whole line, so that it
     * does not begin inside of a character or of a colour.
     */
    long from(long offset) {
        if (offset >= start() && offset <= end) {
            return splitsCharacter(offset) ? offset - 1 : offset;
        }
        long first = start();
        for (long at = first; first > 0 && at < Math.min(end, first + LONGEST_LINE_SKIPPED); at++) {
            if (at(at) == '\n') {
                return at + 1;
            }
        }
        return first > 0 && Character.isLowSurrogate(at(first)) ? first + 1 : first;
    }

    private boolean splitsCharacter(long offset) {
        return offset > start()
                && offset < end
                && Character.isLowSurrogate(at(offset))
                && Character.isHighSurrogate(at(offset - 1));
    }

    /** What stands from there on, at most so much of it, and no character cut in two. */
    Part since(long offset, int atMost) {
        long to = Math.min(end, offset + atMost);
        if (to < end && Character.isHighSurrogate(at(to - 1))) {
            to--;
        }
        var text = new StringBuilder((int) (to - offset));
        for (long at = offset; at < to; at++) {
            text.append(at(at));
        }
        return new Part(offset, text.toString());
    }

    private char at(long offset) {
        return ring[(int) (offset % CAPACITY)];
    }
}
