package dev.gadget.drone.agent;

/** Knows whether the end of a text that comes in pieces stands in code, as Markdown marks it: between fences, or between backticks in a line. */
final class CodeMarks {
    private static final int LEAST_OF_A_FENCE = 3;

    private char mark;
    private int run;
    private boolean atLineStart = true;
    private boolean runAtLineStart;
    private char fenceMark;
    private int fence;
    private int inline;

    void pass(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            pass(text.charAt(i));
        }
    }

    private void pass(char c) {
        if (run > 0 && c != mark) {
            endRun();
        }
        if (c == '`' || c == '~') {
            runAtLineStart = run == 0 ? atLineStart : runAtLineStart;
            mark = c;
            run++;
            atLineStart = false;
        } else if (c == '\n') {
            atLineStart = true;
            // A backtick that nothing closes is no code.
            inline = 0;
        } else if (!Character.isWhitespace(c)) {
            atLineStart = false;
        }
    }

    private void endRun() {
        if (runAtLineStart && run >= LEAST_OF_A_FENCE && fence == 0) {
            fenceMark = mark;
            fence = run;
        } else if (runAtLineStart && fence > 0 && mark == fenceMark && run >= fence) {
            fence = 0;
        } else if (fence == 0 && mark == '`') {
            inline = inline == 0 ? run : inline == run ? 0 : inline;
        }
        run = 0;
    }

    /** Whether what follows, which is none of the marks, is code. */
    boolean open() {
        if (run > 0) {
            endRun();
        }
        return fence > 0 || inline > 0;
    }
}
