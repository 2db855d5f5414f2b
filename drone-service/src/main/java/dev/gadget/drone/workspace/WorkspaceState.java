package dev.gadget.drone.workspace;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.DroneId;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What {@code workspace.json} says; the file is never deleted, and the id never changes.
 *
 * @param chatSession the session that works here, or null
 * @param lockedProject the project that it works on, or null
 * @param projects those that were cloned here, or found here when they were first worked on
 * @param registration the drone's enrolment and what it last was, or null before the first one
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record WorkspaceState(
        WorkspaceId workspaceId,
        Instant createdAt,
        String hostname,
        String workspaceDir,
        @Nullable SessionLock chatSession,
        @Nullable ProjectLock lockedProject,
        List<ClonedProject> projects,
        @Nullable Registration registration) {
    public WorkspaceState {
        Objects.requireNonNull(workspaceId, "workspaceId");
        Objects.requireNonNull(createdAt, "createdAt");
        projects = List.copyOf(projects);
    }

    /** The session that has the workspace. */
    public record SessionLock(SessionId id, String name, Instant lockedAt) {}

    /** The project that a session works on. */
    public record ProjectLock(
            ProjectId id, String slug, @Nullable String gitUrl, Instant lockedAt) {}

    /** A project that is in the workspace. */
    public record ClonedProject(
            ProjectId id,
            String slug,
            @Nullable String gitUrl,
            Instant clonedAt,
            @Nullable Instant lastSyncAt) {}

    /** The drone of this workspace. */
    public record Registration(DroneId id, DroneStatus status, Instant registeredAt) {}

    WorkspaceState with(@Nullable SessionLock session, @Nullable ProjectLock project) {
        return new WorkspaceState(
                workspaceId, createdAt, hostname, workspaceDir, session, project, projects, registration);
    }

    WorkspaceState at(String host, String directory) {
        return new WorkspaceState(
                workspaceId, createdAt, host, directory, chatSession, lockedProject, projects, registration);
    }

    WorkspaceState with(List<ClonedProject> cloned) {
        return new WorkspaceState(
                workspaceId, createdAt, hostname, workspaceDir, chatSession, lockedProject, cloned, registration);
    }

    WorkspaceState with(Registration registered) {
        return new WorkspaceState(
                workspaceId, createdAt, hostname, workspaceDir, chatSession, lockedProject, projects, registered);
    }
}
