package dev.gadget.code.store;

import dev.gadget.code.project.Project;
import dev.gadget.model.ProjectId;
import dev.gadget.model.UserId;
import java.util.Optional;

/** Keeps projects; the slug is unique per person. */
public interface ProjectArchive {
    /** Stores a new one; {@code CONFLICT} when a unique key is taken. */
    void insert(Project project);

    /** The one with this id, when it belongs to this person. */
    Optional<Project> find(UserId owner, ProjectId id);

    /** Those of a person, newest first. */
    Slice<Project> list(UserId owner, Optional<String> after, int limit);

    /** Stores a changed one with its version raised by one; {@code CHANGED_MEANWHILE} when the stored version is another. */
    void replace(Project project);

    /** Removes it; false when it was not there or belongs to somebody else. */
    boolean delete(UserId owner, ProjectId id);
}
