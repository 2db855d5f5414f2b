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
    public @Nullable Integer maxSessionOutputTokens;
    public @Nullable String maxSessionCost;

    static LimitsDocument from(Limits limits) {
        var document = new LimitsDocument();
        document.maxRounds = limits.maxRounds();
        document.maxOutputTokens = limits.maxOutputTokens();
        document.maxSeconds = limits.maxSeconds();
        document.maxEqualCalls = limits.maxEqualCalls();
        document.maxFilesChanged = limits.maxFilesChanged();
        document.maxCost = stored(limits.maxCost());
        document.maxSessionOutputTokens = limits.maxSessionOutputTokens();
        document.maxSessionCost = stored(limits.maxSessionCost());
        return document;
    }

    private static @Nullable String stored(@Nullable BigDecimal money) {
        return money == null ? null : money.toPlainString();
    }

    Limits toLimits() {
        return new Limits(
                maxRounds,
                maxOutputTokens,
                maxSeconds,
                maxEqualCalls,
                maxFilesChanged,
                money(maxCost),
                maxSessionOutputTokens,
                money(maxSessionCost));
    }

    private static @Nullable BigDecimal money(@Nullable String stored) {
        return stored == null ? null : new BigDecimal(stored);
    }
}
