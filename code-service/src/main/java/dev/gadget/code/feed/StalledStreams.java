package dev.gadget.code.feed;

import dev.gadget.code.http.Cutoff;
import dev.gadget.code.system.Door;
import dev.gadget.model.api.SystemApi.DoorKind;
import dev.gadget.model.api.SystemApi.DoorView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Ends streams whose reader has stopped reading: it comes back with its cursor, and costs nothing until then. */
@ApplicationScoped
class StalledStreams implements Door {
    private static final Logger LOG = Logger.getLogger(StalledStreams.class);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Set<Guard> guards = ConcurrentHashMap.newKeySet();
    private final Counter cuts;

    StalledStreams(MeterRegistry meters) {
        cuts = meters.counter("gadget.streams.cut");
    }

    Guard guard(HttpServerRequest request) {
        var guard = new Guard(request);
        guards.add(guard);
        return guard;
    }

    @Override
    public DoorView inUse() {
        return new DoorView(DoorKind.EVENTS, guards.size());
    }

    @Scheduled(every = "5s")
    void look() {
        long now = System.nanoTime();
        guards.stream().filter(guard -> guard.stalled(now)).forEach(Guard::cut);
    }

    /** Watches one stream's writes. */
    final class Guard implements AutoCloseable {
        private final HttpServerRequest request;
        private volatile long since;

        private Guard(HttpServerRequest request) {
            this.request = request;
        }

        void writing() {
            since = System.nanoTime();
        }

        void written() {
            since = 0;
        }

        private boolean stalled(long now) {
            long started = since;
            return started != 0 && now - started > PATIENCE_NANOS;
        }

        private void cut() {
            cuts.increment();
            LOG.info("a reader that did not read for 30 s was cut off");
            Cutoff.cut(request.connection());
            guards.remove(this);
        }

        @Override
        public void close() {
            guards.remove(this);
        }
    }
}
