package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.Decimals;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Tokens that a turn used so far, summed over its rounds.
 *
 * @param thinkingTokens part of {@code outputTokens} where the provider tells it, else counted as it comes
 * @param cost money, when the provider's prices are known
 * @param contextTokens no sum: what the model was told and said in its latest round, which is how full its context is; absent where its
 *     endpoint did not count, and after the conversation was made short
 * @param cachedTokens those of {@code inputTokens} that the endpoint had read before; absent where it says nothing of it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Usage(
        long inputTokens,
        long outputTokens,
        long thinkingTokens,
        @Nullable BigDecimal cost,
        @Nullable Long contextTokens,
        @Nullable Long cachedTokens) {
    public static final Usage NONE = new Usage(0, 0, 0, null);

    public Usage {
        if (cost != null) {
            // More than any number of tokens comes to at a price that there can be.
            Decimals.checked("cost", cost, 40, 20);
        }
    }

    /** Both together, without a word on the context; a cost that is not known is left out. */
    public Usage plus(Usage other) {
        return new Usage(
                inputTokens + other.inputTokens,
                outputTokens + other.outputTokens,
                thinkingTokens + other.thinkingTokens,
                cost == null ? other.cost : other.cost == null ? cost : cost.add(other.cost),
                null,
                sum(cachedTokens, other.cachedTokens));
    }

    /** The same, with no number of tokens below zero or above this. */
    public Usage within(long most) {
        return new Usage(
                Math.clamp(inputTokens, 0, most),
                Math.clamp(outputTokens, 0, most),
                Math.clamp(thinkingTokens, 0, most),
                cost,
                contextTokens == null ? null : Long.valueOf(Math.clamp(contextTokens, 0, most)),
                cachedTokens == null ? null : Long.valueOf(Math.clamp(cachedTokens, 0, most)));
    }

    /** The same with this said of how full the context is. */
    public Usage withContext(@Nullable Long tokens) {
        return new Usage(inputTokens, outputTokens, thinkingTokens, cost, tokens, cachedTokens);
    }

    private static @Nullable Long sum(@Nullable Long one, @Nullable Long other) {
        return one == null ? other : other == null ? one : Long.valueOf(one + other);
    }

    /** Without a word on the context. */
    public Usage(long inputTokens, long outputTokens, long thinkingTokens, @Nullable BigDecimal cost) {
        this(inputTokens, outputTokens, thinkingTokens, cost, null, null);
    }

    /** Without a word on what was read before. */
    public Usage(
            long inputTokens,
            long outputTokens,
            long thinkingTokens,
            @Nullable BigDecimal cost,
            @Nullable Long contextTokens) {
        this(inputTokens, outputTokens, thinkingTokens, cost, contextTokens, null);
    }
}
