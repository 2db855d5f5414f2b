package dev.gadget.drone.cli;

import dev.gadget.drone.policy.WorkspaceDirectory;
import dev.gadget.drone.workspace.ProjectBook;
import dev.gadget.drone.workspace.WorkspaceState.ClonedProject;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.model.work.ProjectRef;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The workspace of this process, once its command has chosen one. */
@Singleton
public class CurrentWorkspace implements WorkspaceDirectory, ProjectBook {
    private volatile @Nullable WorkspaceStore store;

    void use(WorkspaceStore chosen) {
        store = chosen;
    }

    @Override
    public Path path() {
        WorkspaceStore chosen = store;
        return chosen == null ? Path.of("").toAbsolutePath() : chosen.folder().workspace();
    }

    @Override
    public Optional<ClonedProject> find(String slug) {
        return chosen().find(slug);
    }

    @Override
    public void cloned(ProjectRef project) throws IOException {
        chosen().cloned(project);
    }

    @Override
    public void synced(ProjectRef project) throws IOException {
        chosen().synced(project);
    }

    private WorkspaceStore chosen() {
        WorkspaceStore chosen = store;
        if (chosen == null) {
            throw new IllegalStateException("no workspace was chosen");
        }
        return chosen;
    }
}
