package dev.gadget.code.system;

import dev.gadget.code.drone.DroneRoster;
import dev.gadget.code.store.StoreState;
import dev.gadget.code.turn.LiveTurns;
import dev.gadget.code.turn.TurnSaver;
import dev.gadget.model.Protocol;
import dev.gadget.model.api.SystemApi.DoorView;
import dev.gadget.model.api.SystemApi.MemoryView;
import dev.gadget.model.api.SystemApi.ServiceView;
import dev.gadget.model.api.SystemApi.StoreView;
import dev.gadget.model.api.SystemApi.SystemView;
import dev.gadget.model.drone.MachineLoad;
import io.quarkus.arc.All;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** How the service is, for administrators. */
@Path("/api/v1/admin/system")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed("admin")
@RunOnVirtualThread
@Tag(name = "administration")
public class SystemResource {
    private final StoreState store;
    private final TurnSaver saver;
    private final LiveTurns turns;
    private final DroneRoster drones;
    private final List<Door> doors;
    private final String version;
    private final Instant made = Instant.now();

    SystemResource(
            StoreState store,
            TurnSaver saver,
            LiveTurns turns,
            DroneRoster drones,
            @All List<Door> doors,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.store = store;
        this.saver = saver;
        this.turns = turns;
        this.drones = drones;
        this.doors = doors;
        this.version = version;
    }

    @GET
    @Operation(
            summary =
                    "The program, its memory, its store, who is connected by which door; of the instance that answers")
    public SystemView get() {
        return new SystemView(
                service(),
                memory(),
                new StoreView(store.kind(), store.trouble().orElse(null), saver.saved(), saver.unsaved()),
                turns.counts(),
                doors.stream()
                        .map(Door::inUse)
                        .sorted(Comparator.comparing(DoorView::door))
                        .toList(),
                drones.connected());
    }

    private ServiceView service() {
        return new ServiceView(
                version,
                Protocol.VERSION,
                System.getProperty("java.vm.name", "Java") + " " + Runtime.version(),
                hostname(),
                ProcessHandle.current().info().startInstant().orElse(made),
                MachineLoad.now());
    }

    private static MemoryView memory() {
        Runtime runtime = Runtime.getRuntime();
        return new MemoryView(runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory());
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "localhost";
        }
    }
}
