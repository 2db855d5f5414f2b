package dev.gadget.code;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Starts an empty virtual thread ten times a second. The scheduler of virtual threads in JDK 25 sometimes misses that one became ready
 * when all its workers were about to rest (JDK-8373118), and finds it only when a worker's rest of 30 seconds is over, or when
 * another one is started: a request was seen to take those 30 seconds. To be removed when the JDK no longer needs it.
 */
@ApplicationScoped
class VirtualThreadPulse {
    private static final int PERIOD_MILLIS = 100;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("virtual-thread-pulse").daemon(true).factory());

    void onStart(@Observes StartupEvent started) {
        timer.scheduleWithFixedDelay(
                () -> Thread.startVirtualThread(() -> {}), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    void onStop(@Observes ShutdownEvent stopping) {
        timer.shutdown();
    }
}
