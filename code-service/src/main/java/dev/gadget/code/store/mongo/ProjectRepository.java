package dev.gadget.code.store.mongo;

import io.quarkus.mongodb.panache.PanacheMongoRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/** Panache's view of the {@code projects} collection. */
@ApplicationScoped
class ProjectRepository implements PanacheMongoRepositoryBase<ProjectDocument, String> {}
