package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What a turn may use up before it stops as {@code budget_reached}; a missing one is not limited.
 *
 * @param maxRounds model responses in one turn
 * @param maxOutputTokens output and thinking tokens in one turn
 * @param maxSeconds wall clock of one turn
 * @param maxEqualCalls the same tool call with the same parameters and the same answer in a row, or the same two to four calls in
 *     turn; ten times as many of one call whose answers differ
 * @param maxFilesChanged different files written in one turn
 * @param maxCost money, in the currency of the provider's prices
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Limits(
        @Nullable Integer maxRounds,
        @Nullable Integer maxOutputTokens,
        @Nullable Integer maxSeconds,
        @Nullable Integer maxEqualCalls,
        @Nullable Integer maxFilesChanged,
        @Nullable BigDecimal maxCost) {
    /** What a session starts with: 60 rounds, an hour, 4 equal calls in a row. */
    public static final Limits STANDARD = new Limits(60, null, 3600, 4, null, null);

    public Limits {
        positive("maxRounds", maxRounds);
        positive("maxOutputTokens", maxOutputTokens);
        positive("maxSeconds", maxSeconds);
        positive("maxEqualCalls", maxEqualCalls);
        positive("maxFilesChanged", maxFilesChanged);
        if (maxCost != null && Decimals.checked("maxCost", maxCost, 12, 9).signum() == 0) {
            throw new IllegalArgumentException("maxCost has to be above 0, but is " + maxCost);
        }
    }

    private static void positive(String name, @Nullable Integer value) {
        if (value != null && value < 1) {
            throw new IllegalArgumentException(name + " has to be at least 1, but is " + value);
        }
    }
}
