package dev.gadget.thread;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Starts an empty virtual thread ten times a second. The scheduler of virtual threads in JDK 25 sometimes misses that one became ready
 * when all its workers were about to rest (JDK-8373118), and finds it only when a worker's rest of 30 seconds is over, or when
 * another one is started: a request was seen to take those 30 seconds.
 *
 * <p>It also has threads of the system wait for sockets. By default virtual threads do that for the others, and one that was missed at its
 * start was never found again: for as long as that process ran, every answer on half of its sockets was noticed only when the read
 * timed out, which for the store was 15 seconds. That was so in 4 of 1,000 starts of the native code service on a busy machine, and in none
 * of 1,700 since (it looks like oracle/graal#13787). To be removed when the JDK no longer needs either.
 */
public final class VirtualThreadPulse implements AutoCloseable {
    private static final long PERIOD_MILLIS = 100;
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(3 * PERIOD_MILLIS);
    private static final long WORTH_TELLING_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** Read once, when the first virtual thread waits for a socket (sun.nio.ch.Poller). */
    private static final String WHO_WAITS = "jdk.pollerMode";

    private static final String SYSTEM_THREADS = "1";

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("virtual-thread-pulse").daemon(true).factory());
    private final Consumer<Duration> stalled;
    private volatile long ranAt = System.nanoTime();

    private VirtualThreadPulse(Consumer<Duration> stalled) {
        this.stalled = stalled;
    }

    /**
     * Starts it; to be called before any virtual thread uses a socket.
     *
     * @param stalled told, when they run again, for how long no virtual thread ran, if that was more than two seconds
     */
    public static VirtualThreadPulse start(Consumer<Duration> stalled) {
        if (System.getProperty(WHO_WAITS) == null) {
            System.setProperty(WHO_WAITS, SYSTEM_THREADS);
        }
        var pulse = new VirtualThreadPulse(stalled);
        pulse.timer.scheduleWithFixedDelay(pulse::beat, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        return pulse;
    }

    private void beat() {
        if (System.nanoTime() - ranAt < LATE_NANOS) {
            Thread.startVirtualThread(this::ran);
        } else {
            // This thread's own queue may hold the one that was missed, and a queue that is not empty wakes nobody:
            // another thread has another queue.
            Thread.ofPlatform().daemon(true).start(() -> Thread.startVirtualThread(this::ran));
        }
    }

    private void ran() {
        long now = System.nanoTime();
        long pause = now - ranAt;
        ranAt = now;
        if (pause > WORTH_TELLING_NANOS) {
            stalled.accept(Duration.ofNanos(pause));
        }
    }

    /** Stops it. */
    @Override
    public void close() {
        timer.shutdown();
    }
}
