package dev.gadget.code.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pace of pages")
class PaceTest {
    private static Pace watchedBy(int pages, int loops) {
        var pace = new Pace(new EventLoops(Optional.of(loops)));
        IntStream.range(0, pages).forEach(_ -> pace.joined());
        return pace;
    }

    @Test
    @DisplayName("a few pages are told as often as a screen shows it, and each word of a drone is read as it comes")
    void few() {
        assertThat(watchedBy(3, 1).restMillis()).isEqualTo(8);
        assertThat(watchedBy(3, 1).roundMillis()).isZero();
        assertThat(watchedBy(120, 1).restMillis()).isEqualTo(10);
        assertThat(watchedBy(120, 1).roundMillis()).isZero();
    }

    @Test
    @DisplayName("many are told more at a time, up to a limit: once in each round of the event loop")
    void many() {
        assertThat(watchedBy(360, 1).roundMillis()).isEqualTo(30);
        assertThat(watchedBy(360, 1).restMillis()).isZero();
        assertThat(watchedBy(5000, 1).roundMillis()).isEqualTo(30);
    }

    @Test
    @DisplayName("more event loops tell more pages as often")
    void loops() {
        assertThat(watchedBy(360, 3).restMillis()).isEqualTo(10);
        assertThat(watchedBy(360, 3).roundMillis()).isZero();
    }

    @Test
    @DisplayName("who left counts no more")
    void left() {
        Pace pace = watchedBy(360, 1);
        IntStream.range(0, 360).forEach(_ -> pace.left());
        assertThat(pace.restMillis()).isEqualTo(8);
        assertThat(pace.roundMillis()).isZero();
    }
}
