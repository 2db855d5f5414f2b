package dev.gadget.model.turn;

/**
 * Tokens that one round of a turn used: one response of the model, and what it was told for it.
 *
 * @param round from 1; what a round cost that was cut and asked for again counts with it
 */
public record RoundUsage(int round, long inputTokens, long outputTokens, long thinkingTokens) {
    /** The same and as much more. */
    public RoundUsage plus(RoundUsage more) {
        return new RoundUsage(
                round,
                inputTokens + more.inputTokens,
                outputTokens + more.outputTokens,
                thinkingTokens + more.thinkingTokens);
    }
}
