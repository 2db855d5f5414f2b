package dev.gadget.code.store.mongo;

import io.quarkus.mongodb.panache.PanacheMongoRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/** Panache's view of the {@code providers} collection. */
@ApplicationScoped
class ProviderRepository implements PanacheMongoRepositoryBase<ProviderDocument, String> {}
