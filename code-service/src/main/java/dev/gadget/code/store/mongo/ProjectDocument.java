package dev.gadget.code.store.mongo;

import dev.gadget.code.project.Project;
import dev.gadget.model.ProjectId;
import dev.gadget.model.UserId;
import io.quarkus.mongodb.panache.common.MongoEntity;
import org.jspecify.annotations.Nullable;

/** A project as it is stored. */
@MongoEntity(collection = "projects")
public class ProjectDocument extends OwnedDocument {
    public String name = "";
    public String slug = "";
    public @Nullable String gitUrl;

    static ProjectDocument from(Project project) {
        var document = new ProjectDocument();
        document.identify(project.id().value(), project.createdAt(), project.version());
        document.ownerId = project.ownerId().value();
        document.name = project.name();
        document.slug = project.slug();
        document.gitUrl = project.gitUrl();
        return document;
    }

    Project toProject() {
        return new Project(new ProjectId(id), new UserId(ownerId), name, slug, gitUrl, createdAt, version);
    }
}
