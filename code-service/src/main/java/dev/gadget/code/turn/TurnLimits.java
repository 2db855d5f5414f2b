package dev.gadget.code.turn;

/**
 * How much of one turn is kept, in memory and in the store: a drone is a program of somebody else's, and says what it likes.
 *
 * @param chars of all texts, calls and what came of them
 * @param blocks of the turn and its subagents
 */
record TurnLimits(long chars, int blocks) {
    static final TurnLimits STANDARD = new TurnLimits(50_000_000, 20_000);

    TurnLimits {
        if (chars < 1 || blocks < 1) {
            throw new IllegalArgumentException(
                    "a turn has room for 1 character and 1 block at least, not for " + chars + " and " + blocks);
        }
    }
}
