package dev.gadget.code.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The rounds of an event loop")
class RoundsTest {
    private final DefaultEventLoop loop = new DefaultEventLoop();

    @Test
    @DisplayName(
            "a round that is to last ends after all that could be done in it, once however often it is asked for, and no earlier than that")
    void lasts() throws Exception {
        List<String> done = new ArrayList<>();
        long begun = System.nanoTime();
        loop.submit(() -> {
                    Rounds.here().last(loop, 30);
                    Rounds.here().last(loop, 60_000);
                    done.add("read");
                })
                .get();
        loop.submit(() -> done.add("next")).get();
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
        assertThat(done).containsExactly("read", "next");
        loop.submit(() -> Rounds.here().last(loop, 1)).get();
        loop.submit(() -> done.add("last")).get();
        assertThat(done).hasSize(3);
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
}
