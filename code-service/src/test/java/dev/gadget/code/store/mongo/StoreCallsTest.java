package dev.gadget.code.store.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoWriteException;
import com.mongodb.ServerAddress;
import com.mongodb.WriteError;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonMaximumSizeExceededException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("F10: what the driver says becomes what can be done about it")
class StoreCallsTest {
    private static final ServerAddress SERVER = new ServerAddress("127.0.0.1", 1);

    private static StoreException translated(RuntimeException failure) {
        return catchThrowableOfType(
                StoreException.class,
                () -> StoreCalls.run("store blocks", () -> {
                    throw failure;
                }));
    }

    private static MongoException bulk(int... codes) {
        List<BulkWriteError> errors = java.util.stream.IntStream.of(codes)
                .mapToObj(code -> new BulkWriteError(code, "a secret of the document", new BsonDocument(), 0))
                .toList();
        return new MongoBulkWriteException(
                BulkWriteResult.acknowledged(0, 0, 0, 0, List.of(), List.of()), errors, null, SERVER, Set.of());
    }

    @Test
    @DisplayName("a document that breaks a rule or is too large is refused for good, alone or among others")
    void refused() {
        StoreException rule = translated(bulk(11000, 121));
        assertThat(rule.code()).isEqualTo(FailureCode.INVALID_FIELD);
        assertThat(rule.isForGood()).isTrue();
        assertThat(rule.getMessage()).contains("error 121").doesNotContain("secret");
        assertThat(translated(new MongoWriteException(
                                new WriteError(121, "a secret", new BsonDocument()), SERVER, Set.of()))
                        .isForGood())
                .isTrue();
        assertThat(translated(bulk(10334)).code()).isEqualTo(FailureCode.PAYLOAD_TOO_LARGE);
        StoreException large = translated(new BsonMaximumSizeExceededException("more than 16 MiB"));
        assertThat(large.code()).isEqualTo(FailureCode.PAYLOAD_TOO_LARGE);
        assertThat(large.isForGood()).isTrue();
    }

    @Test
    @DisplayName("a store that is away, full or just without a primary is tried again")
    void triedAgain() {
        for (MongoException failure : List.of(
                new MongoSocketReadException("cut", SERVER),
                bulk(10107),
                new MongoException(14031, "no space"),
                bulk())) {
            StoreException away = translated(failure);
            assertThat(away.code()).isEqualTo(FailureCode.STORE_UNAVAILABLE);
            assertThat(away.isForGood()).isFalse();
        }
        assertThat(translated(new MongoException(11000, "twice")).code()).isEqualTo(FailureCode.CONFLICT);
    }
}
