package dev.gadget.code.store.mongo;

import dev.gadget.code.project.Project;
import dev.gadget.code.store.ProjectArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.model.ProjectId;
import dev.gadget.model.UserId;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Keeps projects in MongoDB. */
@ApplicationScoped
public class MongoProjectArchive implements ProjectArchive, StoreIndexes {
    private final OwnedCollection<ProjectDocument> projects;

    MongoProjectArchive(ProjectRepository repository) {
        this.projects = new OwnedCollection<>("project", repository.mongoCollection());
    }

    @Override
    public void createIndexes() {
        StoreIndexes.unique(projects.raw(), "ownerId", ListKey.FIELD);
        StoreIndexes.unique(projects.raw(), "ownerId", "slug");
    }

    @Override
    public void insert(Project project) {
        projects.insert(ProjectDocument.from(project));
    }

    @Override
    public Optional<Project> find(UserId owner, ProjectId id) {
        return projects.find(owner, id.value()).map(ProjectDocument::toProject);
    }

    @Override
    public Slice<Project> list(UserId owner, Optional<String> after, int limit) {
        return projects.list(owner, after, limit, ProjectDocument::toProject);
    }

    @Override
    public void replace(Project project) {
        projects.replace(ProjectDocument.from(project));
    }

    @Override
    public boolean delete(UserId owner, ProjectId id) {
        return projects.delete(owner, id.value());
    }
}
