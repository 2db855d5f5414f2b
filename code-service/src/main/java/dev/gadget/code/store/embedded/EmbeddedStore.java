package dev.gadget.code.store.embedded;

import dev.gadget.code.config.CodeConfig;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The store in this process: started when somebody first asks for its address, closed with the service. */
@Singleton
public class EmbeddedStore {
    private static final Logger LOG = Logger.getLogger(EmbeddedStore.class);

    private final CodeConfig config;
    private @Nullable JournaledStore store;

    EmbeddedStore(CodeConfig config) {
        this.config = config;
    }

    /** Where it listens, on loopback; the first call starts it. */
    public synchronized InetSocketAddress address() {
        if (store == null) {
            store = start();
        }
        return store.address();
    }

    /** Why it takes no writes now; empty when it does, and when it is not in use. */
    public synchronized Optional<String> trouble() {
        return store == null ? Optional.empty() : store.trouble();
    }

    /** How often each collection was read as a whole, because no index served a query. */
    public synchronized Map<String, Long> fullScans() {
        return store == null ? Map.of() : store.fullScans();
    }

    private JournaledStore start() {
        var directory = config.dataDir().resolve("store").toAbsolutePath();
        try {
            JournaledStore started = JournaledStore.open(
                    directory, config.store().fsync(), config.store().checkpointEvery());
            LOG.infof(
                    "Everything is kept in the embedded store in %s, made for one machine; set gadget.store.mongodb-url"
                            + " to use a MongoDB.",
                    directory);
            return started;
        } catch (IOException e) {
            String found = e.getMessage();
            throw new StoreException(FailureCode.STORE_UNAVAILABLE, found == null ? e.toString() : found, e);
        }
    }

    @PreDestroy
    synchronized void stop() {
        if (store != null) {
            store.close();
            store = null;
        }
    }
}
