package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.DroneId;
import dev.gadget.model.SessionId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.MachineLoad;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Bodies about drones and their enrolment. */
public final class DroneApi {
    private DroneApi() {}

    /** One drone of the person. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DroneView(
            DroneId id,
            String name,
            DroneStatus status,
            @Nullable WorkspaceId workspaceId,
            @Nullable String workspaceDir,
            @Nullable String hostname,
            @Nullable String platform,
            @Nullable String version,
            @Nullable MachineLoad load,
            @Nullable SessionId currentSessionId,
            @Nullable WorkspaceMode workspaceMode,
            @Nullable Instant lastSeenAt,
            Instant createdAt) {}

    /** The answer to POST /drones/enrolments: a code that works once. */
    public record EnrolmentView(String code, Instant expiresAt) {
        @Override
        public String toString() {
            return "EnrolmentView[expires " + expiresAt + "]";
        }
    }

    /** POST /drones/enrol, from a drone: by code, or by email and password. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record EnrolDrone(
            @Nullable String code,
            @Nullable String email,
            @Nullable String password,
            String name,
            WorkspaceId workspaceId,
            String hostname,
            String workspaceDir) {
        @Override
        public String toString() {
            return "EnrolDrone[" + name + "]";
        }
    }

    /** The answer to an enrolment: the drone's own credential, shown once. */
    public record EnrolledDrone(DroneId droneId, String credential) {
        @Override
        public String toString() {
            return "EnrolledDrone[" + droneId + "]";
        }
    }

    /**
     * GET and PUT /sessions/{id}/workspace.
     *
     * @param mode who may write there now; absent while its drone is away
     * @param free whether the session's next turn could begin there
     * @param heldBy the other session that works there
     * @param leaseSeconds for {@code user}: ask again within this, or it ends by itself
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record WorkspaceView(
            WorkspaceId workspaceId,
            DroneStatus droneStatus,
            @Nullable WorkspaceMode mode,
            boolean free,
            @Nullable SessionId heldBy,
            @Nullable Integer leaseSeconds) {}

    /** PUT /sessions/{id}/workspace: {@code user} to write there oneself, {@code idle} to be done with it. */
    public record ChangeWorkspaceMode(WorkspaceMode mode) {}
}
