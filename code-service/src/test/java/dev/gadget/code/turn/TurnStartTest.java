package dev.gadget.code.turn;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TurnStartTest {
    @Test
    @DisplayName(
            "F30: a turn comes after the last one of its session, also when the machine's time was put back in between")
    void comesAfterTheLast() {
        TurnRecord last = TurnFixture.fresh();
        Instant then = last.createdAt();

        assertThat(TurnStart.after(List.of(last), then.plusSeconds(5))).isEqualTo(then.plusSeconds(5));
        assertThat(TurnStart.after(List.of(last), then.minusSeconds(3600))).isEqualTo(then.plusMillis(1));
        assertThat(TurnStart.after(List.of(last), then)).isEqualTo(then.plusMillis(1));
        assertThat(TurnStart.after(List.of(), then)).isEqualTo(then);
    }
}
