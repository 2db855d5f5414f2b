package dev.gadget.drone.cli;

import dev.gadget.drone.policy.WorkspaceDirectory;
import jakarta.inject.Singleton;
import java.nio.file.Path;

/** The workspace of this process, once its command has chosen one. */
@Singleton
public class CurrentWorkspace implements WorkspaceDirectory {
    private volatile Path directory = Path.of("").toAbsolutePath();

    void use(Path chosen) {
        directory = chosen;
    }

    @Override
    public Path path() {
        return directory;
    }
}
