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
     * GET /admin/system: of the process that answers, but for the list of all.
     *
     * @param drones those that are connected, of everybody
     * @param processes all that use this store, the one that answers first
     */
    public record SystemView(
            ServiceView service,
            MemoryView memory,
            StoreView store,
            TurnCounts turns,
            List<DoorView> doors,
            List<ConnectedDrone> drones,
            List<ProcessView> processes) {}

    /**
     * One process of the service, as it noted itself in the store a moment ago.
     *
     * @param host the machine, in Kubernetes the pod
     * @param seenAt when it last noted itself
     * @param answers whether it is the one that answers, which tells how it is now
     * @param silent whether it has not noted itself for a minute: it was killed, hangs or does not reach the store
     */
    public record ProcessView(
            String id,
            String version,
            String host,
            Instant startedAt,
            Instant seenAt,
            boolean answers,
            boolean silent,
            MemoryView memory,
            TurnCounts turns,
            boolean saved,
            int unsavedTurns,
            List<DoorView> doors) {}

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
