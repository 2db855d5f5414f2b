package dev.gadget.model;

import java.math.BigDecimal;

/**
 * What a model costs, in the currency that the person thinks in.
 *
 * @param input for a million tokens of the prompt
 * @param output for a million tokens of the answer, thinking included
 */
public record ModelPrice(String model, BigDecimal input, BigDecimal output) {
    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

    public ModelPrice {
        if (model.isBlank() || model.length() > 200) {
            throw new IllegalArgumentException(
                    "model of a price has 1 to 200 characters, but this one has " + model.length());
        }
        Decimals.checked("input", input, 12, 9);
        Decimals.checked("output", output, 12, 9);
    }

    /** What so many tokens cost. */
    public BigDecimal of(long inputTokens, long outputTokens) {
        return input.multiply(BigDecimal.valueOf(inputTokens))
                .add(output.multiply(BigDecimal.valueOf(outputTokens)))
                .divide(MILLION);
    }
}
