package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.DroneId;
import dev.gadget.model.SessionId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneStatus;
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
            @Nullable SessionId currentSessionId,
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
}
