package dev.gadget.code.drone;

import dev.gadget.code.account.Callers;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.ProjectApi.SessionProject;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The project of a session in its workspace, over HTTP. */
@Path("/api/v1/sessions/{id}/project")
@RolesAllowed("person")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "sessions")
public class SessionProjectResource {
    private final SecurityIdentity identity;
    private final ProjectDesk desk;

    SessionProjectResource(SecurityIdentity identity, ProjectDesk desk) {
        this.identity = identity;
        this.desk = desk;
    }

    @GET
    @Operation(summary = "How the session's project stands in its workspace: branch, commits ahead and behind, changes")
    public SessionProject look(@PathParam("id") SessionId id) {
        return desk.look(owner(), id);
    }

    @POST
    @Path("/sync")
    @Operation(summary = "Fetch what is new of the project, and bring the branch up to it where that loses nothing")
    public SessionProject sync(@PathParam("id") SessionId id) {
        return desk.sync(owner(), id);
    }

    private UserId owner() {
        return Callers.of(identity).userId();
    }
}
