package dev.gadget.drone.process;

import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of a drone carry in their environment: an id of their own, by which they are ended together, and the workspace, by
 * which the next drone there finds those that outlived the one that started them.
 */
public final class ProcessMarks {
    private static final String WORKSPACE = "GADGET_WORKSPACE_MARK";

    private static volatile @Nullable String workspace;

    private ProcessMarks() {}

    /** From here on what is started carries this workspace; one process is the drone of one workspace. */
    public static void workIn(String workspaceMark) {
        workspace = workspaceMark;
    }

    /** Of this workspace at this place: a copy of a workspace has the id of the one it was made of. */
    public static String ofWorkspace(String workspaceId, Path root) {
        // As a URI it is in ASCII, whatever the system makes of other letters.
        return workspaceId + "@" + root.toUri().getRawPath();
    }

    /** The assignment in the environment of all that works for this workspace. */
    public static String assignment(String workspaceMark) {
        return WORKSPACE + "=" + workspaceMark;
    }

    /** Marks what is about to start with a fresh id under this name; the assignment that no other process has. */
    public static String put(Map<String, String> environment, String name) {
        String id = UUID.randomUUID().toString();
        environment.put(name, id);
        String current = workspace;
        if (current != null) {
            environment.put(WORKSPACE, current);
        }
        return name + "=" + id;
    }
}
