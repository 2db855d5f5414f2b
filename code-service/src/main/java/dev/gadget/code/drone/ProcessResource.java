package dev.gadget.code.drone;

import dev.gadget.code.account.Callers;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.Page;
import dev.gadget.model.api.ProcessApi.ProcessOutput;
import dev.gadget.model.process.BackgroundProcess;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What runs in the background of a session, over HTTP. */
@Path("/api/v1/sessions/{id}/processes")
@RolesAllowed("person")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "sessions")
public class ProcessResource {
    private final SecurityIdentity identity;
    private final ProcessDesk desk;

    ProcessResource(SecurityIdentity identity, ProcessDesk desk) {
        this.identity = identity;
        this.desk = desk;
    }

    @GET
    @Operation(summary = "The commands that the session's agent left running, and the latest of those that ended")
    public Page<BackgroundProcess> list(@PathParam("id") SessionId id) {
        return new Page<>(desk.list(owner(), id), null);
    }

    @GET
    @Path("/{process}/output")
    @Operation(summary = "What one of them printed last; the agent is told it all the same")
    public ProcessOutput output(@PathParam("id") SessionId id, @PathParam("process") String process) {
        return desk.output(owner(), id, process);
    }

    @POST
    @Path("/{process}/stop")
    @Operation(summary = "End one of them with all that it started, and tell how it stands then")
    public BackgroundProcess stop(@PathParam("id") SessionId id, @PathParam("process") String process) {
        return desk.stop(owner(), id, process);
    }

    private UserId owner() {
        return Callers.of(identity).userId();
    }
}
