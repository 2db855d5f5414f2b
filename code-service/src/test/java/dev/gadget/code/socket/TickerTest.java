package dev.gadget.code.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is done a few milliseconds later")
class TickerTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close();
    }

    @Test
    @DisplayName("what is due sooner does not wait for what was asked for before it")
    void soonerFirst() throws Exception {
        List<String> done = new CopyOnWriteArrayList<>();
        var all = new CountDownLatch(3);
        vertx.getOrCreateContext().runOnContext(_ -> {
            for (long millis : new long[] {400, 8, 100}) {
                Ticker.here().after(vertx, millis, () -> {
                    done.add(millis + " ms");
                    all.countDown();
                });
            }
        });
        assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(done).containsExactly("8 ms", "100 ms", "400 ms");
    }
}
