package dev.gadget.code.store.mongo;

import io.quarkus.mongodb.panache.PanacheMongoRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/** Panache's view of the {@code sessions} collection. */
@ApplicationScoped
class SessionRepository implements PanacheMongoRepositoryBase<SessionDocument, String> {}
