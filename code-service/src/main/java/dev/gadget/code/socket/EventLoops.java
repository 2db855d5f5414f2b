package dev.gadget.code.socket;

import io.quarkus.vertx.VertxOptionsCustomizer;
import io.vertx.core.VertxOptions;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * One event loop for two cores. What is done on them is short, and the other cores have the store, the collector and all requests that
 * wait. More of them share the same sockets among more threads that wake each other: four on two cores made a token a fifth dearer.
 */
@Singleton
class EventLoops implements VertxOptionsCustomizer {
    private final Optional<Integer> wanted;

    EventLoops(@ConfigProperty(name = "quarkus.vertx.event-loops-pool-size") Optional<Integer> wanted) {
        this.wanted = wanted;
    }

    /** How many there are. */
    int count() {
        return wanted.orElseGet(() -> Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    @Override
    public void accept(VertxOptions options) {
        options.setEventLoopPoolSize(count());
    }
}
