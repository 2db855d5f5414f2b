package dev.gadget.code.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a connection asks for, one thing after the other")
class TaskLineTest {
    private static final int MOST_CHARS = 100;

    private final TaskLine line = new TaskLine("test", MOST_CHARS);
    private final CountDownLatch goOn = new CountDownLatch(1);

    /** Keeps the line from doing anything that is added from now on. */
    private void blocked() throws InterruptedException {
        var begun = new CountDownLatch(1);
        assertThat(line.add(MOST_CHARS, () -> {
                    begun.countDown();
                    await(goOn);
                }))
                .isTrue();
        await(begun);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("only so many characters wait, and there is room again when they were dealt with")
    void characters() throws Exception {
        blocked();
        assertThat(line.add(60, () -> {})).isTrue();
        assertThat(line.add(41, () -> {})).isFalse();
        assertThat(line.add(40, () -> {})).isTrue();
        assertThat(line.add(1, () -> {})).isFalse();
        assertThat(line.add(Integer.MAX_VALUE, () -> {})).isFalse();
        var last = new CountDownLatch(1);
        line.addLast(last::countDown);
        goOn.countDown();
        await(last);
        var again = new CountDownLatch(1);
        assertThat(line.add(MOST_CHARS, again::countDown)).isTrue();
        await(again);
    }

    @Test
    @DisplayName("only so many things wait, however short they are")
    void things() throws Exception {
        blocked();
        int taken = 0;
        while (taken < 2000 && line.add(0, () -> {})) {
            taken++;
        }
        assertThat(taken).isEqualTo(1023);
        goOn.countDown();
    }
}
