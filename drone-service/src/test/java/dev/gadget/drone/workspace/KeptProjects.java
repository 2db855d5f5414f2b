package dev.gadget.drone.workspace;

import dev.gadget.model.work.ProjectRef;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Projects that are kept in memory, where a test is not about workspace.json. */
public final class KeptProjects implements ProjectBook {
    private final Map<String, WorkspaceState.ClonedProject> projects = new ConcurrentHashMap<>();

    @Override
    public Optional<WorkspaceState.ClonedProject> find(String slug) {
        return Optional.ofNullable(projects.get(slug));
    }

    @Override
    public void cloned(ProjectRef project) {
        projects.put(
                project.slug(),
                new WorkspaceState.ClonedProject(project.id(), project.slug(), project.gitUrl(), Instant.now(), null));
    }

    @Override
    public void synced(ProjectRef project) {
        projects.put(
                project.slug(),
                new WorkspaceState.ClonedProject(
                        project.id(), project.slug(), project.gitUrl(), Instant.now(), Instant.now()));
    }
}
