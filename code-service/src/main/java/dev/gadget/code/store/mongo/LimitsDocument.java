package dev.gadget.code.store.mongo;

import dev.gadget.model.Limits;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The limits of a session as they are stored in it. */
public class LimitsDocument {
    public @Nullable Integer maxRounds;
    public @Nullable Integer maxOutputTokens;
    public @Nullable Integer maxSeconds;
    public @Nullable Integer maxEqualCalls;
    public @Nullable Integer maxFilesChanged;
    public @Nullable String maxCost;

    static LimitsDocument from(Limits limits) {
        var document = new LimitsDocument();
        document.maxRounds = limits.maxRounds();
        document.maxOutputTokens = limits.maxOutputTokens();
        document.maxSeconds = limits.maxSeconds();
        document.maxEqualCalls = limits.maxEqualCalls();
        document.maxFilesChanged = limits.maxFilesChanged();
        BigDecimal cost = limits.maxCost();
        document.maxCost = cost == null ? null : cost.toPlainString();
        return document;
    }

    Limits toLimits() {
        return new Limits(
                maxRounds,
                maxOutputTokens,
                maxSeconds,
                maxEqualCalls,
                maxFilesChanged,
                maxCost == null ? null : new BigDecimal(maxCost));
    }
}
