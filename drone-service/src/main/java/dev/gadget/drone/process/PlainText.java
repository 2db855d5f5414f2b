package dev.gadget.drone.process;

/** Takes out of what a program prints all that steers a terminal: escape sequences, and control characters but line breaks and tabs. */
public final class PlainText {
    private enum In {
        TEXT,
        ESCAPE,
        SEQUENCE,
        COMMAND
    }

    private static final char BELL = 7;
    private static final char CANCEL = 0x18;
    private static final char SUBSTITUTE = 0x1a;
    private static final char START = 0x1b;
    private static final int LONGEST = 4096;

    private In in = In.TEXT;
    private int hidden;
    private boolean returned;

    /** The plain part of the next piece; sequences may be cut between pieces. */
    public String plain(CharSequence piece) {
        StringBuilder plain = new StringBuilder(piece.length());
        for (int i = 0; i < piece.length(); i++) {
            take(piece.charAt(i), plain);
        }
        return plain.toString();
    }

    private void take(char c, StringBuilder plain) {
        // Of a sequence that does not end, or that was none, no more than its line is lost.
        if (c == '\n' || c == CANCEL || c == SUBSTITUTE || c == START || hidden == LONGEST) {
            in = In.TEXT;
        }
        hidden = in == In.TEXT ? 0 : hidden + 1;
        switch (in) {
            case TEXT -> text(c, plain);
            case ESCAPE ->
                in = switch (c) {
                    case '[' -> In.SEQUENCE;
                    case ']', 'P', '^', '_', 'X' -> In.COMMAND;
                    case '(', ')', '#', '%', ' ' -> In.ESCAPE;
                    default -> In.TEXT;
                };
            case SEQUENCE -> in = c >= '@' && c <= '~' ? In.TEXT : In.SEQUENCE;
            // The other end that it may have, ESC and a backslash, is an escape like others.
            case COMMAND -> in = c == BELL ? In.TEXT : In.COMMAND;
        }
    }

    private void text(char c, StringBuilder plain) {
        // A return that no line break follows starts the line anew: progress bars become lines.
        if (returned && c != '\n' && c != '\r') {
            plain.append('\n');
        }
        returned = c == '\r';
        if (c == START) {
            in = In.ESCAPE;
        } else if (c == 0x9b) {
            in = In.SEQUENCE;
        } else if (c == '\n' || c == '\t' || !Character.isISOControl(c)) {
            plain.append(c);
        }
    }
}
