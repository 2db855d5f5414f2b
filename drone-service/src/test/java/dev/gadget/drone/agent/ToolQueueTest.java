package dev.gadget.drone.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.drone.agent.ToolQueue.Job;
import dev.gadget.model.ToolQueueMode;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S3-20, S3-21. */
class ToolQueueTest {
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Queue<String> order = new ConcurrentLinkedQueue<>();

    private Supplier<String> counted(String name, CountDownLatch full) {
        return () -> {
            order.add(name);
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            full.countDown();
            try {
                if (!full.await(60, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("never so many at once");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                running.decrementAndGet();
            }
            return name;
        };
    }

    @Test
    @DisplayName("as many at once as the bound, no more; results in the order of the calls")
    void bounded() {
        CountDownLatch full = new CountDownLatch(ToolQueue.MAX_PARALLEL);
        List<Job<String>> jobs = IntStream.range(0, 20)
                .mapToObj(i -> new Job<>(true, 0, counted("" + i, full)))
                .toList();
        assertThat(new ToolQueue(ToolQueueMode.PARALLEL).run(jobs))
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).mapToObj(String::valueOf).toList());
        assertThat(most).hasValue(ToolQueue.MAX_PARALLEL);
    }

    @Test
    @DisplayName("a call that may not run beside others waits for those before it, and those after it wait for it")
    void alone() {
        CountDownLatch none = new CountDownLatch(0);
        List<Job<String>> jobs = List.of(
                new Job<>(true, 0, counted("a", none)),
                new Job<>(true, 5, counted("b", none)),
                new Job<>(false, 9, counted("c", none)),
                new Job<>(true, 9, counted("d", none)));
        assertThat(new ToolQueue(ToolQueueMode.PARALLEL).run(jobs)).containsExactly("a", "b", "c", "d");
        assertThat(order.stream().skip(2)).containsExactly("c", "d");
    }

    @Test
    @DisplayName("sequential: one after the other, in call order")
    void sequential() {
        CountDownLatch none = new CountDownLatch(0);
        List<Job<String>> jobs = IntStream.range(0, 5)
                .mapToObj(i -> new Job<>(true, i, counted("" + i, none)))
                .toList();
        assertThat(new ToolQueue(ToolQueueMode.SEQUENTIAL).run(jobs)).containsExactly("0", "1", "2", "3", "4");
        assertThat(order).containsExactly("0", "1", "2", "3", "4");
        assertThat(most).hasValue(1);
    }

    @Test
    @DisplayName("what one throws comes after all have ended")
    void throwing() {
        AtomicInteger ended = new AtomicInteger();
        List<Job<String>> jobs = List.of(
                new Job<>(true, 0, () -> {
                    throw new IllegalStateException("bug");
                }),
                new Job<>(true, 0, () -> "" + ended.incrementAndGet()));
        assertThatThrownBy(() -> new ToolQueue(ToolQueueMode.PARALLEL).run(jobs))
                .hasMessage("bug");
        assertThat(ended).hasValue(1);
    }
}
