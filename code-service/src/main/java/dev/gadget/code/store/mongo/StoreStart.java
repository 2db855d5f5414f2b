package dev.gadget.code.store.mongo;

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

    private final List<StoreIndexes> indexes;

    StoreStart(@All List<StoreIndexes> indexes) {
        this.indexes = indexes;
    }

    void onStart(@Observes @Priority(BEFORE_EVERYTHING_ELSE) StartupEvent started) {
        indexes.forEach(one -> StoreCalls.run("create indexes", one::createIndexes));
    }
}
