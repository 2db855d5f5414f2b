package dev.gadget.code.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import dev.gadget.code.config.TestSettings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreConnectionTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "With a connection string the embedded store is never started, and a majority has what is acknowledged")
    void usesTheMongoThatIsConfigured() {
        var config = TestSettings.of(
                directory,
                Map.of("gadget.store.mongodb-url", "mongodb://one.example:27018,two.example/?replicaSet=rs"));
        var embedded = new EmbeddedStore(config);

        MongoClientSettings settings = new StoreConnection(config, embedded)
                .customize(MongoClientSettings.builder())
                .build();

        assertThat(settings.getClusterSettings().getHosts())
                .extracting(Object::toString)
                .containsExactly("one.example:27018", "two.example:27017");
        assertThat(settings.getWriteConcern()).isEqualTo(WriteConcern.MAJORITY.withJournal(true));
        assertThat(settings.getRetryWrites()).isTrue();
        assertThat(directory).isEmptyDirectory();
        assertThat(embedded.trouble()).isEmpty();
    }

    @Test
    void startsTheEmbeddedStoreWithoutOne() {
        var config = TestSettings.of(directory, Map.of());
        var embedded = new EmbeddedStore(config);

        MongoClientSettings settings = new StoreConnection(config, embedded)
                .customize(MongoClientSettings.builder())
                .build();

        assertThat(settings.getClusterSettings().getHosts()).singleElement().satisfies(host -> {
            assertThat(host.getPort()).isEqualTo(embedded.address().getPort());
            assertThat(embedded.address().getAddress().isLoopbackAddress()).isTrue();
        });
        assertThat(settings.getRetryWrites()).isFalse();
        embedded.stop();
        assertThat(directory.resolve("store")).isNotEmptyDirectory();
    }
}
