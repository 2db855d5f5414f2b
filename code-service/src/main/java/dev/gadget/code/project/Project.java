package dev.gadget.code.project;

import dev.gadget.model.ProjectId;
import dev.gadget.model.UserId;
import dev.gadget.model.work.ProjectRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One project of a person, as it is stored. */
public record Project(
        ProjectId id,
        UserId ownerId,
        String name,
        String slug,
        @Nullable String gitUrl,
        Instant createdAt,
        long version) {
    /** As a drone is told of it. */
    public ProjectRef in(boolean worktree) {
        return new ProjectRef(id, slug, gitUrl, worktree ? true : null);
    }
}
