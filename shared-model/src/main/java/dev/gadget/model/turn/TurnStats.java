package dev.gadget.model.turn;

/**
 * Counts over a turn's blocks.
 *
 * @param thinkingTokenCount thinking deltas received, or what the provider reported when it does
 * @param rounds model responses so far
 * @param modeTransitions how often the mode changed
 */
public record TurnStats(
        int rounds, int toolCallCount, int toolFailures, int modeTransitions, long thinkingTokenCount, long textChars) {
    public static final TurnStats NONE = new TurnStats(0, 0, 0, 0, 0, 0);
}
