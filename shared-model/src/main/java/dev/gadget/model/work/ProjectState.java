package dev.gadget.model.work;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a project stands in a workspace.
 *
 * @param cloned whether it is there, as a git repository
 * @param directory where the session works, relative to the workspace
 * @param branch what is checked out there; absent when that is no branch
 * @param upstream what the branch is compared with
 * @param ahead how many commits it has that the upstream lacks
 * @param behind how many commits the upstream has that it lacks
 * @param dirty whether files differ from the last commit, new ones included
 * @param syncing whether a sync goes on
 * @param note what came of the last sync, or why something is not told
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProjectState(
        boolean cloned,
        String directory,
        @Nullable String branch,
        @Nullable String upstream,
        @Nullable Integer ahead,
        @Nullable Integer behind,
        boolean dirty,
        @Nullable Instant clonedAt,
        @Nullable Instant lastSyncAt,
        boolean syncing,
        @Nullable String note) {}
