package dev.gadget.drone.agent;

import dev.gadget.drone.policy.WorkspaceDirectory;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import java.nio.file.Path;

/** Where nothing else says which workspace it is: the directory that the drone was started in. */
@Dependent
class WorkingDirectory {
    @Produces
    @DefaultBean
    WorkspaceDirectory workspaceDirectory() {
        return () -> Path.of("").toAbsolutePath();
    }
}
