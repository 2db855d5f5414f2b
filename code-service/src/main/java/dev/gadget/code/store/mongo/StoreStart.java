package dev.gadget.code.store.mongo;

import dev.gadget.code.config.CodeConfig;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.embedded.StoreConnection;
import dev.gadget.model.FailureCode;
import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;

/** Readies the store before anything else of the service starts. */
@ApplicationScoped
public class StoreStart {
    private static final int BEFORE_EVERYTHING_ELSE = 100;

    private final StoreSchema schema;
    private final List<StoreIndexes> indexes;
    private final CodeConfig.Store config;

    StoreStart(StoreSchema schema, @All List<StoreIndexes> indexes, CodeConfig config) {
        this.schema = schema;
        this.indexes = indexes;
        this.config = config.store();
    }

    void onStart(@Observes @Priority(BEFORE_EVERYTHING_ELSE) StartupEvent started) {
        try {
            StoreCalls.run("read the schema", schema::bringUp);
            indexes.forEach(one -> StoreCalls.run("create indexes", one::createIndexes));
        } catch (StoreException failure) {
            throw failure.code() == FailureCode.STORE_UNAVAILABLE ? away(failure) : failure;
        }
    }

    private StoreException away(StoreException failure) {
        boolean unknown = String.valueOf(failure.getCause()).contains("MongoSecurityException");
        return new StoreException(
                failure.code(),
                StoreConnection.place(config)
                        + (unknown
                                ? " does not accept the user and password given."
                                : " does not answer as it should: " + failure.getMessage()),
                failure);
    }
}
