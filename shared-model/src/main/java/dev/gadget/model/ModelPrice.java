package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a model costs, in the currency that the person thinks in.
 *
 * @param input for a million tokens of the prompt
 * @param output for a million tokens of the answer, thinking included
 * @param cachedInput for a million tokens of the prompt that the endpoint had read before; as {@code input} when absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ModelPrice(
        String model,
        BigDecimal input,
        BigDecimal output,
        @Nullable BigDecimal cachedInput) {
    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

    public ModelPrice {
        if (model.isBlank() || model.length() > 200) {
            throw new IllegalArgumentException(
                    "model of a price has 1 to 200 characters, but this one has " + model.length());
        }
        Decimals.checked("input", input, 12, 9);
        Decimals.checked("output", output, 12, 9);
        if (cachedInput != null) {
            Decimals.checked("cachedInput", cachedInput, 12, 9);
        }
    }

    /** Of a model that costs the same for what was read before. */
    public ModelPrice(String model, BigDecimal input, BigDecimal output) {
        this(model, input, output, null);
    }

    /** What so many tokens cost, of which so many of the prompt had been read before. */
    public BigDecimal of(long inputTokens, long cachedTokens, long outputTokens) {
        return input.multiply(BigDecimal.valueOf(inputTokens - cachedTokens))
                .add(Objects.requireNonNullElse(cachedInput, input).multiply(BigDecimal.valueOf(cachedTokens)))
                .add(output.multiply(BigDecimal.valueOf(outputTokens)))
                .divide(MILLION);
    }
}
