package dev.gadget.code.store.embedded;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcern;
import dev.gadget.code.config.CodeConfig;
import io.quarkus.mongodb.runtime.MongoClientCustomizer;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Points the one MongoDB client at the configured MongoDB, or at the embedded store when there is none. */
@Singleton
public class StoreConnection implements MongoClientCustomizer {
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
                .applyConnectionString(new ConnectionString(url));
    }

    private void toEmbedded(MongoClientSettings.Builder builder) {
        var address = embedded.address();
        var host = new ServerAddress(address.getAddress(), address.getPort());
        builder.retryWrites(false).retryReads(false).applyToClusterSettings(cluster -> cluster.hosts(List.of(host)));
    }
}
