package dev.gadget.code.system;

import dev.gadget.code.drone.DroneRoster;
import dev.gadget.code.store.StoreState;
import dev.gadget.model.Protocol;
import dev.gadget.model.api.SystemApi.ServiceView;
import dev.gadget.model.api.SystemApi.StoreView;
import dev.gadget.model.api.SystemApi.SystemView;
import dev.gadget.model.drone.MachineLoad;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Optional;
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
    private final DroneRoster drones;
    private final Processes processes;

    SystemResource(StoreState store, DroneRoster drones, Processes processes) {
        this.store = store;
        this.drones = drones;
        this.processes = processes;
    }

    @GET
    @Operation(
            summary =
                    "The program, its memory, its store, who is connected by which door, of the process that answers; and all processes that use the store")
    public SystemView get() {
        ServiceProcess own = processes.own();
        Optional<String> trouble = store.trouble();
        return new SystemView(
                service(own),
                own.memory(),
                new StoreView(store.kind(), trouble.orElse(null), own.saved(), own.unsavedTurns()),
                own.turns(),
                own.doors(),
                drones.connected(),
                // While the store is in trouble the others are not asked for: an answer could take half a minute.
                trouble.isPresent() ? List.of(processes.alone(own)) : processes.all(own));
    }

    private static ServiceView service(ServiceProcess own) {
        return new ServiceView(
                own.version(),
                Protocol.VERSION,
                System.getProperty("java.vm.name", "Java") + " " + Runtime.version(),
                own.host(),
                own.startedAt(),
                MachineLoad.now());
    }
}
