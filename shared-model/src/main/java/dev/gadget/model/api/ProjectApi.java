package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.ProjectId;
import dev.gadget.model.work.ProjectState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Bodies about projects. */
public final class ProjectApi {
    private ProjectApi() {}

    /** POST /projects; the slug is made from the name when it is absent. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record CreateProject(
            String name, @Nullable String slug, @Nullable String gitUrl) {}

    /** PATCH /projects/{id}: what is absent stays. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record UpdateProject(
            @Nullable String name, @Nullable String gitUrl) {}

    /** One project. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ProjectView(
            ProjectId id,
            String name,
            String slug,
            @Nullable String gitUrl,
            Instant createdAt) {}

    /** GET /sessions/{id}/project and POST /sessions/{id}/project/sync: the session's project, and how it stands in its workspace. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SessionProject(
            ProjectId id,
            String name,
            String slug,
            @Nullable String gitUrl,
            boolean worktree,
            ProjectState state) {}
}
