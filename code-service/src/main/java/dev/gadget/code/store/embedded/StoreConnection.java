package dev.gadget.code.store.embedded;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcern;
import dev.gadget.code.config.CodeConfig;
import io.quarkus.mongodb.runtime.MongoClientCustomizer;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Points the one MongoDB client at the configured MongoDB, or at the embedded store when there is none. */
@Singleton
public class StoreConnection implements MongoClientCustomizer {
    private static final String USUAL_DATABASE = "gadget";
    private static final Set<String> MONGODBS_OWN = Set.of("admin", "config", "local");

    private final CodeConfig.Store config;
    private final EmbeddedStore embedded;

    StoreConnection(CodeConfig config, EmbeddedStore embedded) {
        this.config = config.store();
        this.embedded = embedded;
    }

    @Override
    public MongoClientSettings.Builder customize(MongoClientSettings.Builder builder) {
        long timeout = config.timeout().toMillis();
        builder.applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(timeout, TimeUnit.MILLISECONDS))
                .applyToSocketSettings(socket -> socket.connectTimeout((int) timeout, TimeUnit.MILLISECONDS)
                        .readTimeout((int) (3 * timeout), TimeUnit.MILLISECONDS))
                .applyToConnectionPoolSettings(pool -> pool.maxWaitTime(timeout, TimeUnit.MILLISECONDS));
        config.mongodbUrl().ifPresentOrElse(url -> toMongo(builder, url), () -> toEmbedded(builder));
        return builder;
    }

    /** What is acknowledged is in the journal of a majority; what the connection string says about it wins. */
    private static void toMongo(MongoClientSettings.Builder builder, String url) {
        builder.retryWrites(true)
                .writeConcern(WriteConcern.MAJORITY.withJournal(true))
                .applyConnectionString(parsed(url));
    }

    /** Without what was given, which may hold a password. */
    private static ConnectionString parsed(String url) {
        try {
            return new ConnectionString(url);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    "gadget.store.mongodb-url is no connection string. It looks like mongodb://HOST:27017/gadget.", e);
        }
    }

    /** The database that the connection string names, unless that is one of MongoDB's own, where its accounts are. */
    public static String database(CodeConfig.Store config) {
        return config.mongodbUrl()
                .map(url -> parsed(url).getDatabase())
                .filter(name -> !MONGODBS_OWN.contains(name))
                .orElse(USUAL_DATABASE);
    }

    /** Where the store is, for a person; without credentials. */
    public static String place(CodeConfig.Store config) {
        return config.mongodbUrl()
                .map(url -> "MongoDB at " + String.join(", ", parsed(url).getHosts()) + " (gadget.store.mongodb-url)")
                .orElse("the embedded store (gadget.data-dir)");
    }

    private void toEmbedded(MongoClientSettings.Builder builder) {
        var address = embedded.address();
        var host = new ServerAddress(address.getAddress(), address.getPort());
        builder.retryWrites(false).retryReads(false).applyToClusterSettings(cluster -> cluster.hosts(List.of(host)));
    }
}
