package dev.gadget.code.store.mongo;

import io.quarkus.mongodb.panache.PanacheMongoRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/** Panache's view of the {@code drones} collection. */
@ApplicationScoped
class DroneRepository implements PanacheMongoRepositoryBase<DroneDocument, String> {}
