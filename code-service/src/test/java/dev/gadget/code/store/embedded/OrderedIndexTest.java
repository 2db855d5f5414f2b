package dev.gadget.code.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Locale;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An index visits what a query can match and nothing else. */
class OrderedIndexTest {
    private static final int OWNERS = 20;
    private static final int EACH = 50;

    private final MVStore store = MVStore.open(null);
    private final OrderedIndex index = new OrderedIndex(
            store.openMap("entries", new MVMap.Builder<KeyValue, Object>().keyType(new KeyType())),
            "owner_key",
            List.of(new IndexKey("owner", true), new IndexKey("key", true)),
            false);

    @BeforeEach
    void fill() {
        for (int number = 0; number < OWNERS * EACH; number++) {
            var key = new KeyValue(owner(number % OWNERS), key(number / OWNERS));
            assertThat(index.putKeyPosition(key, number)).isTrue();
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void visitsWhatHasTheFirstKey() {
        assertThat(positions(new Document("owner", owner(3)))).hasSize(EACH).contains(3);
        assertThat(positions(new Document("owner", "owner-0"))).isEmpty();
    }

    @Test
    void visitsARangeOfTheSecondKey() {
        var query = new Document("owner", owner(3)).append("key", new Document("$gte", key(10)).append("$lt", key(15)));

        assertThat(positions(query)).hasSize(6).contains(10 * OWNERS + 3);
    }

    @Test
    void visitsEverythingBelowABoundOfTheFirstKey() {
        assertThat(positions(new Document("owner", new Document("$lte", owner(1)))))
                .hasSize(2 * EACH);
        assertThat(positions(new Document("owner", new Document("$gt", owner(17)))))
                .hasSize(3 * EACH);
    }

    @Test
    void readsConditionsThatAreJoined() {
        var query = new Document(
                "$and",
                List.of(
                        new Document("owner", new Document("$eq", owner(3))),
                        new Document("key", new Document("$lt", key(2))),
                        new Document("version", 7)));

        assertThat(positions(query)).containsExactly(3, OWNERS + 3, 2 * OWNERS + 3);
    }

    @Test
    void visitsOneWhenAllKeysAreGivenWithMore() {
        var query = new Document("owner", owner(3)).append("key", key(4)).append("version", 7);

        assertThat(positions(query)).containsExactly(4 * OWNERS + 3);
    }

    @Test
    void doesNotServeWhatSaysNothingOfItsFirstKey() {
        assertThat(index.canHandle(new Document("key", key(1)))).isFalse();
        assertThat(index.canHandle(new Document("owner", new Document("$ne", owner(1)))))
                .isFalse();
        assertThat(index.canHandle(new Document("$or", List.of(new Document("owner", owner(1))))))
                .isFalse();
        assertThat(index.canHandle(new Document())).isFalse();
    }

    @Test
    void keepsTheOrderOfItsKeysInTheFile() {
        var type = new KeyType();

        assertThat(type.compare(new KeyValue("a"), new KeyValue("a", "b"))).isNegative();
        assertThat(type.compare(new KeyValue("a", "c"), new KeyValue("a", "b"))).isPositive();
        assertThat(type.compare(new KeyValue("a", 1), new KeyValue("a", 1))).isZero();
    }

    private Iterable<Object> positions(Document query) {
        assertThat(index.canHandle(query)).isTrue();
        return index.getPositions(query);
    }

    private static String owner(int number) {
        return String.format(Locale.ROOT, "owner-%02d", number + 1);
    }

    private static String key(int number) {
        return String.format(Locale.ROOT, "key-%04d", number);
    }
}
