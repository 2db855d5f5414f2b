package dev.gadget.code.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import dev.gadget.code.config.CodeConfig;
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

    private static CodeConfig.Store at(String url) {
        return TestSettings.of(Path.of("unused"), Map.of("gadget.store.mongodb-url", url))
                .store();
    }

    @Test
    @DisplayName(
            "The database is the one that the connection string names, else 'gadget', as where it names the one of the accounts")
    void database() {
        assertThat(StoreConnection.database(at("mongodb://db:27017/team?replicaSet=rs0")))
                .isEqualTo("team");
        assertThat(StoreConnection.database(at("mongodb://db:27017/?replicaSet=rs0")))
                .isEqualTo("gadget");
        assertThat(StoreConnection.database(at("mongodb://u:p@db:27017/admin"))).isEqualTo("gadget");
        assertThat(StoreConnection.database(
                        TestSettings.of(Path.of("unused"), Map.of()).store()))
                .isEqualTo("gadget");
    }

    @Test
    @DisplayName("A person is told the hosts, without credentials")
    void place() {
        assertThat(StoreConnection.place(at("mongodb://ada:s3cret@one:27017,two:27018/team")))
                .isEqualTo("MongoDB at one:27017, two:27018 (gadget.store.mongodb-url)");
        assertThatThrownBy(() -> StoreConnection.place(at("mongo://ada:s3cret@one")))
                .hasMessageContaining("gadget.store.mongodb-url is no connection string")
                .hasMessageNotContaining("s3cret");
    }
}
