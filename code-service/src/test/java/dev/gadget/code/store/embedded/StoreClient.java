package dev.gadget.code.store.embedded;

import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.net.InetSocketAddress;
import java.util.List;

/** Connects to a store as the service does. */
final class StoreClient {
    private StoreClient() {}

    static MongoClient connect(InetSocketAddress address) {
        var host = new ServerAddress(address.getAddress(), address.getPort());
        return MongoClients.create(MongoClientSettings.builder()
                .retryWrites(false)
                .retryReads(false)
                .applyToClusterSettings(cluster -> cluster.hosts(List.of(host)))
                .build());
    }
}
