package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * What a turn, and what all turns of its session together, may use up before a turn stops as {@code budget_reached}; a missing one is
 * not limited. What the two of a session say in a work order is what the turns before have left of them.
 *
 * @param maxRounds model responses in one turn
 * @param maxOutputTokens output and thinking tokens in one turn
 * @param maxSeconds wall clock of one turn
 * @param maxEqualCalls the same tool call with the same parameters and the same answer in a row, or the same two to four calls in
 *     turn; ten times as many of one call whose answers differ
 * @param maxFilesChanged different files written in one turn
 * @param maxCost money in one turn, in the currency of the provider's prices
 * @param maxSessionOutputTokens output and thinking tokens in all turns of the session; with 0 no turn begins to work
 * @param maxSessionCost money in all turns of the session, and for its name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Limits(
        @Nullable Integer maxRounds,
        @Nullable Integer maxOutputTokens,
        @Nullable Integer maxSeconds,
        @Nullable Integer maxEqualCalls,
        @Nullable Integer maxFilesChanged,
        @Nullable BigDecimal maxCost,
        @Nullable Integer maxSessionOutputTokens,
        @Nullable BigDecimal maxSessionCost) {
    private static final int FRACTION = 9;

    /** What a session starts with: 60 rounds, an hour, 4 equal calls in a row. */
    public static final Limits STANDARD = new Limits(60, null, 3600, 4, null, null);

    public Limits {
        positive("maxRounds", maxRounds);
        positive("maxOutputTokens", maxOutputTokens);
        positive("maxSeconds", maxSeconds);
        positive("maxEqualCalls", maxEqualCalls);
        positive("maxFilesChanged", maxFilesChanged);
        if (maxCost != null
                && Decimals.checked("maxCost", maxCost, 12, FRACTION).signum() == 0) {
            throw new IllegalArgumentException("maxCost has to be above 0, but is " + maxCost);
        }
        if (maxSessionOutputTokens != null && maxSessionOutputTokens < 0) {
            throw new IllegalArgumentException(
                    "maxSessionOutputTokens has to be at least 0, but is " + maxSessionOutputTokens);
        }
        if (maxSessionCost != null) {
            Decimals.checked("maxSessionCost", maxSessionCost, 12, FRACTION);
        }
    }

    /** Of each turn, whatever the others use. */
    public Limits(
            @Nullable Integer maxRounds,
            @Nullable Integer maxOutputTokens,
            @Nullable Integer maxSeconds,
            @Nullable Integer maxEqualCalls,
            @Nullable Integer maxFilesChanged,
            @Nullable BigDecimal maxCost) {
        this(maxRounds, maxOutputTokens, maxSeconds, maxEqualCalls, maxFilesChanged, maxCost, null, null);
    }

    /** What is left for a turn where others of the session used so much. */
    public Limits after(long outputTokens, @Nullable BigDecimal cost) {
        return new Limits(
                maxRounds,
                maxOutputTokens,
                maxSeconds,
                maxEqualCalls,
                maxFilesChanged,
                maxCost,
                maxSessionOutputTokens == null ? null : (int) Math.max(0, maxSessionOutputTokens - outputTokens),
                maxSessionCost == null || cost == null
                        ? maxSessionCost
                        : maxSessionCost
                                .subtract(cost)
                                .max(BigDecimal.ZERO)
                                .setScale(FRACTION, RoundingMode.UP)
                                .stripTrailingZeros());
    }

    private static void positive(String name, @Nullable Integer value) {
        if (value != null && value < 1) {
            throw new IllegalArgumentException(name + " has to be at least 1, but is " + value);
        }
    }
}
