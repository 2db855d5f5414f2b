package dev.gadget.code.store.mongo;

import dev.gadget.model.ModelPrice;
import java.math.BigDecimal;

/** The price of a model as it is stored in its provider; numbers as text, so that they stay exact. */
public class PriceDocument {
    public String model = "";
    public String input = "0";
    public String output = "0";

    static PriceDocument from(ModelPrice price) {
        var document = new PriceDocument();
        document.model = price.model();
        document.input = price.input().toPlainString();
        document.output = price.output().toPlainString();
        return document;
    }

    ModelPrice toPrice() {
        return new ModelPrice(model, new BigDecimal(input), new BigDecimal(output));
    }
}
