package dev.gadget.code.store.mongo;

import dev.gadget.model.turn.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** What a model used, as it is stored in a session; the cost as text, so that it stays exact. */
public class UsageDocument {
    public long inputTokens;
    public long outputTokens;
    public long thinkingTokens;
    public @Nullable String cost;
    public @Nullable Long cachedTokens;

    static UsageDocument from(Usage usage) {
        var document = new UsageDocument();
        document.inputTokens = usage.inputTokens();
        document.outputTokens = usage.outputTokens();
        document.thinkingTokens = usage.thinkingTokens();
        BigDecimal cost = usage.cost();
        document.cost = cost == null ? null : cost.toPlainString();
        document.cachedTokens = usage.cachedTokens();
        return document;
    }

    Usage toUsage() {
        return new Usage(
                inputTokens,
                outputTokens,
                thinkingTokens,
                cost == null ? null : new BigDecimal(cost),
                null,
                cachedTokens);
    }
}
