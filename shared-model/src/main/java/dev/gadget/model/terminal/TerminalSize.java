package dev.gadget.model.terminal;

/** How large a terminal may be. */
final class TerminalSize {
    private static final int SMALLEST = 2;
    private static final int LARGEST = 1000;

    private TerminalSize() {}

    static void check(int columns, int rows) {
        if (Math.min(columns, rows) < SMALLEST || Math.max(columns, rows) > LARGEST) {
            throw new IllegalArgumentException("a terminal has " + SMALLEST + " to " + LARGEST
                    + " columns and rows, not " + columns + " by " + rows);
        }
    }
}
