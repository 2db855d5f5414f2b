package dev.gadget.code.store.mongo;

import dev.gadget.model.ModelPrice;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The price of a model as it is stored in its provider; numbers as text, so that they stay exact. */
public class PriceDocument {
    public String model = "";
    public String input = "0";
    public String output = "0";
    public @Nullable String cachedInput;

    static PriceDocument from(ModelPrice price) {
        var document = new PriceDocument();
        document.model = price.model();
        document.input = price.input().toPlainString();
        document.output = price.output().toPlainString();
        BigDecimal cached = price.cachedInput();
        document.cachedInput = cached == null ? null : cached.toPlainString();
        return document;
    }

    ModelPrice toPrice() {
        return new ModelPrice(
                model,
                new BigDecimal(input),
                new BigDecimal(output),
                cachedInput == null ? null : new BigDecimal(cachedInput));
    }
}
