package dev.gadget.drone.workspace;

import dev.gadget.model.work.ProjectRef;
import java.io.IOException;
import java.util.Optional;

/** The projects that a workspace holds, by the names of their directories. */
public interface ProjectBook {
    Optional<WorkspaceState.ClonedProject> find(String slug);

    /** Notes that the project is there now. */
    void cloned(ProjectRef project) throws IOException;

    /** Notes that the project was synced now. */
    void synced(ProjectRef project) throws IOException;
}
