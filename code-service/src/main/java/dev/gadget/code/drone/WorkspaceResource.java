package dev.gadget.code.drone;

import dev.gadget.code.account.Callers;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.DroneApi.ChangeWorkspaceMode;
import dev.gadget.model.api.DroneApi.WorkspaceView;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The workspace of a session over HTTP: who may write there. */
@Path("/api/v1/sessions/{id}/workspace")
@RolesAllowed("person")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "sessions")
public class WorkspaceResource {
    private final SecurityIdentity identity;
    private final WorkspaceDesk desk;

    WorkspaceResource(SecurityIdentity identity, WorkspaceDesk desk) {
        this.identity = identity;
        this.desk = desk;
    }

    @GET
    @Operation(summary = "Who may write in the session's workspace, and whether its next turn could begin there")
    public WorkspaceView look(@PathParam("id") SessionId id) {
        return desk.look(owner(), id);
    }

    @PUT
    @Operation(summary = "Take the workspace for yourself for a while, or give it back")
    public WorkspaceView change(@PathParam("id") SessionId id, ChangeWorkspaceMode wanted) {
        return desk.change(owner(), id, wanted.mode());
    }

    private UserId owner() {
        return Callers.of(identity).userId();
    }
}
