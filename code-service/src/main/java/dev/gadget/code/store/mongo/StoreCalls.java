package dev.gadget.code.store.mongo;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteError;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bson.BsonMaximumSizeExceededException;

/** The one place where the driver's exceptions become the store's own. */
final class StoreCalls {
    /** A rule for documents that the owner of the database made is not kept. */
    private static final int VALIDATION = 121;
    /** The document, what an update makes of it, or a key of it. */
    private static final Set<Integer> TOO_LARGE = Set.of(10334, 17419, 17420, 17280);

    static final LongAdder CALLS = new LongAdder();
    static final LongAdder FAILURES = new LongAdder();

    private StoreCalls() {}

    /** Runs a call of the driver; {@code what} names it in the message, for example "insert project". */
    static <T> T call(String what, Supplier<T> action) {
        CALLS.increment();
        try {
            return action.get();
        } catch (MongoException e) {
            throw translated(what, e);
        } catch (BsonMaximumSizeExceededException e) {
            throw new StoreException(
                    FailureCode.PAYLOAD_TOO_LARGE, "cannot " + what + ": it is more than the store takes", e);
        }
    }

    /** The same for a call without a result. */
    static void run(String what, Runnable action) {
        call(what, () -> {
            action.run();
            return true;
        });
    }

    static boolean isDuplicateKey(MongoException e) {
        return ErrorCategory.fromErrorCode(e.getCode()) == ErrorCategory.DUPLICATE_KEY;
    }

    /** The number of the error that says that a document, and not the moment, is wrong. */
    private static OptionalInt refusal(MongoException e) {
        IntStream codes = e instanceof MongoBulkWriteException bulk
                ? bulk.getWriteErrors().stream().mapToInt(BulkWriteError::getCode)
                : IntStream.of(e.getCode());
        return codes.filter(code -> code == VALIDATION || TOO_LARGE.contains(code))
                .findFirst();
    }

    private static StoreException translated(String what, MongoException e) {
        if (isDuplicateKey(e)) {
            return new StoreException(FailureCode.CONFLICT, "cannot " + what + ": it exists already", e);
        }
        FAILURES.increment();
        OptionalInt refusal = refusal(e);
        if (refusal.isPresent()) {
            return new StoreException(
                    refusal.getAsInt() == VALIDATION ? FailureCode.INVALID_FIELD : FailureCode.PAYLOAD_TOO_LARGE,
                    "cannot " + what + ": the store refuses the document (error " + refusal.getAsInt() + ")",
                    e);
        }
        // Without its message, which may hold what was to be stored.
        String why = e.getClass().getSimpleName();
        return new StoreException(
                FailureCode.STORE_UNAVAILABLE,
                "cannot " + what + " now: the store does not answer as it should (" + why + ")",
                e);
    }
}
