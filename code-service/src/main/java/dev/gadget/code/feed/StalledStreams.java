package dev.gadget.code.feed;

import dev.gadget.code.http.Cutoff;
import dev.gadget.code.http.Outflow;
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
import org.jboss.logging.Logger;

/** Ends streams whose reader has stopped reading: it comes back with its cursor, and costs nothing until then. */
@ApplicationScoped
class StalledStreams implements Door {
    private static final Logger LOG = Logger.getLogger(StalledStreams.class);

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
        guards.stream().filter(Guard::stalled).forEach(Guard::cut);
    }

    /** Watches one stream's writes. */
    final class Guard implements AutoCloseable {
        private final HttpServerRequest request;
        private final Outflow outflow;
        private volatile long since;

        private Guard(HttpServerRequest request) {
            this.request = request;
            this.outflow = new Outflow(request.connection());
        }

        void writing() {
            // Never zero, which says that nothing is on its way.
            since = System.nanoTime() | 1;
        }

        void written() {
            since = 0;
        }

        private boolean stalled() {
            return outflow.stalled(since);
        }

        private void cut() {
            cuts.increment();
            LOG.info("a reader that took nothing for 30 s was cut off");
            Cutoff.cut(request.connection());
            guards.remove(this);
        }

        @Override
        public void close() {
            guards.remove(this);
        }
    }
}
