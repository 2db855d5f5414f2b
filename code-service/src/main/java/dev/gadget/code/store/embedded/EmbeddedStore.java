package dev.gadget.code.store.embedded;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import dev.gadget.code.config.CodeConfig;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/** The store in this process: started when somebody first asks for its address, closed with the service. */
@Singleton
public class EmbeddedStore {
    private final CodeConfig config;
    private @Nullable MongoServer server;

    EmbeddedStore(CodeConfig config) {
        this.config = config;
    }

    /** Where it listens, on loopback; the first call starts it. */
    public synchronized InetSocketAddress address() {
        if (server == null) {
            server = start(config.dataDir().resolve("store"));
        }
        return server.getLocalAddress();
    }

    private static MongoServer start(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the store's directory " + directory, e);
        }
        var store = new MVStore.Builder()
                .fileName(directory.resolve("store.mv").toString())
                .open();
        var started = new MongoServer(new H2Backend(store));
        started.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return started;
    }

    @PreDestroy
    synchronized void stop() {
        if (server != null) {
            server.shutdownNow();
            server = null;
        }
    }
}
