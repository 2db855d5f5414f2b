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
        assertThat(watchedBy(3, 1).millis()).isEqualTo(8);
        assertThat(watchedBy(3, 1).gatherMillis()).isZero();
    }

    @Test
    @DisplayName("many are told more at a time, up to a limit, and what they would not be told yet is not read")
    void many() {
        assertThat(watchedBy(120, 1).millis()).isEqualTo(10);
        assertThat(watchedBy(120, 1).gatherMillis()).isZero();
        assertThat(watchedBy(360, 1).millis()).isEqualTo(30);
        assertThat(watchedBy(360, 1).gatherMillis()).isEqualTo(30);
        assertThat(watchedBy(5000, 1).millis()).isEqualTo(40);
    }

    @Test
    @DisplayName("more event loops tell more pages as often")
    void loops() {
        assertThat(watchedBy(360, 3).millis()).isEqualTo(10);
        assertThat(watchedBy(360, 3).gatherMillis()).isZero();
    }

    @Test
    @DisplayName("who left counts no more")
    void left() {
        Pace pace = watchedBy(360, 1);
        IntStream.range(0, 360).forEach(_ -> pace.left());
        assertThat(pace.millis()).isEqualTo(8);
    }
}
