package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.MachineLoad;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bodies about the state of the service. */
public final class SystemApi {
    private SystemApi() {}

    /** Where everything is kept. */
    public enum StoreKind {
        @JsonProperty("embedded")
        EMBEDDED,
        @JsonProperty("mongodb")
        MONGODB
    }

    /** How pages, programs and drones reach the service. */
    public enum DoorKind {
        /** Pages, by WebSocket. */
        @JsonProperty("websocket")
        WEBSOCKET,
        /** Readers of server-sent events. */
        @JsonProperty("events")
        EVENTS,
        /** Readers that poll, and wait now. */
        @JsonProperty("polling")
        POLLING,
        /** Terminals in pages. */
        @JsonProperty("terminal")
        TERMINAL,
        /** Drones. */
        @JsonProperty("drone")
        DRONE
    }

    /**
     * GET /admin/system: of the instance that answers.
     *
     * @param drones those that are connected, of everybody
     */
    public record SystemView(
            ServiceView service,
            MemoryView memory,
            StoreView store,
            TurnCounts turns,
            List<DoorView> doors,
            List<ConnectedDrone> drones) {}

    /** The program itself. */
    public record ServiceView(
            String version, int protocolVersion, String java, String host, Instant startedAt, MachineLoad load) {}

    /** The heap. */
    public record MemoryView(long usedBytes, long maxBytes) {}

    /**
     * The store.
     *
     * @param trouble why it is not healthy
     * @param saved whether all that turns said is stored
     * @param unsavedTurns turns of which something waits for the store
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record StoreView(StoreKind kind, @Nullable String trouble, boolean saved, int unsavedTurns) {}

    /** Turns of everybody that are in memory. */
    public record TurnCounts(int running, int waiting, int ended) {}

    /** How many use a door now. */
    public record DoorView(DoorKind door, int readers) {}

    /** A drone that is connected. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ConnectedDrone(
            DroneId id,
            String name,
            UserId ownerId,
            String hostname,
            DroneStatus status,
            String version,
            String platform,
            @Nullable MachineLoad load) {}
}
