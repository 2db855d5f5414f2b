package dev.gadget.drone.process;

/** Takes out of what a program prints all that steers a terminal: escape sequences, and control characters but line breaks and tabs. */
public final class PlainText {
    private enum In {
        TEXT,
        ESCAPE,
        SEQUENCE,
        COMMAND,
        COMMAND_ESCAPE
    }

    private In in = In.TEXT;
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
            case COMMAND -> in = c == 7 ? In.TEXT : c == 27 ? In.COMMAND_ESCAPE : In.COMMAND;
            case COMMAND_ESCAPE -> in = In.TEXT;
        }
    }

    private void text(char c, StringBuilder plain) {
        // A return that no line break follows starts the line anew: progress bars become lines.
        if (returned && c != '\n' && c != '\r') {
            plain.append('\n');
        }
        returned = c == '\r';
        if (c == 27) {
            in = In.ESCAPE;
        } else if (c == 0x9b) {
            in = In.SEQUENCE;
        } else if (c == '\n' || c == '\t' || !Character.isISOControl(c)) {
            plain.append(c);
        }
    }
}
