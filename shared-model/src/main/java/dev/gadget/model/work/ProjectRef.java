package dev.gadget.model.work;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.ProjectId;
import org.jspecify.annotations.Nullable;

/**
 * The project that a session works on.
 *
 * @param slug the name of its directory in the workspace
 * @param gitUrl where it is cloned from; absent for a project that is the workspace directory itself
 * @param worktree whether the session works on a branch and in a working tree of its own; not when absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProjectRef(
        ProjectId id,
        String slug,
        @Nullable String gitUrl,
        @Nullable Boolean worktree) {}
