package dev.gadget.code.store.mongo;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoException;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** The one place where the driver's exceptions become the store's own. */
final class StoreCalls {
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

    private static StoreException translated(String what, MongoException e) {
        if (isDuplicateKey(e)) {
            return new StoreException(FailureCode.CONFLICT, "cannot " + what + ": it exists already", e);
        }
        FAILURES.increment();
        // Without its message, which may hold what was to be stored.
        String why = e.getClass().getSimpleName();
        return new StoreException(
                FailureCode.STORE_UNAVAILABLE,
                "cannot " + what + " now: the store does not answer as it should (" + why + ")",
                e);
    }
}
