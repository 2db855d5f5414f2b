package dev.gadget.code.system;

import dev.gadget.thread.VirtualThreadPulse;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Keeps virtual threads going as long as the service runs. */
@ApplicationScoped
class Pulse {
    private static final Logger LOG = Logger.getLogger(Pulse.class);

    private @Nullable VirtualThreadPulse pulse;

    /** Before anything else is started. */
    void onStart(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) StartupEvent starting) {
        pulse = VirtualThreadPulse.start(pause ->
                LOG.warnf("no virtual thread ran for %d ms: the machine is overloaded, or asleep", pause.toMillis()));
    }

    @PreDestroy
    void stop() {
        VirtualThreadPulse running = pulse;
        if (running != null) {
            running.close();
        }
    }
}
