package dev.gadget.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.gadget.model.turn.Usage;
import java.math.BigDecimal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Numbers with a fraction")
class DecimalsTest {
    private static Limits limits(String maxCost) {
        return new Limits(null, null, null, null, null, new BigDecimal(maxCost));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e999999999",
                "1e-999999999",
                "0e999999999",
                "0e-999999999",
                "1e12",
                "1e-10",
                "-1",
                "0.1234567891"
            })
    @DisplayName("that have no place in a store are refused with what was found and what is possible")
    void refused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits(text))
                .withMessageMatching("maxCost has to be at least 0, with at most 12 digits before .* but is .{1,41}");
        BigDecimal value = new BigDecimal(text);
        assertThatIllegalArgumentException().isThrownBy(() -> new ModelPrice("m", value, BigDecimal.ONE));
        assertThatIllegalArgumentException().isThrownBy(() -> new ModelPrice("m", BigDecimal.ONE, value));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ModelPrice("m", BigDecimal.ONE, BigDecimal.ONE, value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999999999.999999999", "1e11", "0.000000001", "2.50", "1"})
    @DisplayName("as people write them are taken")
    void taken(String text) {
        assertThat(limits(text).maxCost()).isEqualTo(new BigDecimal(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "1e-999999999", "1e40", "-0.1"})
    @DisplayName("are refused as the cost of a turn, too")
    void cost(String text) {
        BigDecimal value = new BigDecimal(text);
        assertThatIllegalArgumentException().isThrownBy(() -> new Usage(1, 1, 0, value));
    }

    @Test
    @DisplayName("what the dearest model costs for all the tokens that there can be is a cost")
    void dearest() {
        var most = new BigDecimal("999999999999.999999999");
        BigDecimal cost = new ModelPrice("m", most, most).of(Long.MAX_VALUE, 0, Long.MAX_VALUE);
        assertThatNoException().isThrownBy(() -> new Usage(1, 1, 0, cost.multiply(BigDecimal.valueOf(500))));
    }
}
