package dev.gadget.drone.workspace;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.DroneId;
import dev.gadget.model.WorkspaceId;
import org.jspecify.annotations.Nullable;

/**
 * What the drone proves itself with, and to whom; kept in {@code credential.json}.
 *
 * @param workspaceId the workspace that was enrolled, so that its identity outlives a damaged workspace.json; null in older files
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Credential(
        String server,
        DroneId droneId,
        String credential,
        @Nullable WorkspaceId workspaceId) {
    @Override
    public String toString() {
        return "Credential[" + droneId + " at " + server + "]";
    }
}
