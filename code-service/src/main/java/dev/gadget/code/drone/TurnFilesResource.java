package dev.gadget.code.drone;

import dev.gadget.code.account.Callers;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.SessionApi.TurnDiff;
import dev.gadget.model.api.SessionApi.UndoTurn;
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

/** What a turn changed in files, over HTTP. */
@Path("/api/v1/turns/{id}")
@RolesAllowed("person")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "turns")
public class TurnFilesResource {
    private final SecurityIdentity identity;
    private final TurnFilesDesk desk;

    TurnFilesResource(SecurityIdentity identity, TurnFilesDesk desk) {
        this.identity = identity;
        this.desk = desk;
    }

    @GET
    @Path("/diff")
    @Operation(summary = "What the turn changed in files, as a unified diff")
    public TurnDiff diff(@PathParam("id") TurnId id) {
        return new TurnDiff(desk.diff(owner(), id));
    }

    @POST
    @Path("/undo")
    @Operation(summary = "Put the files that the turn changed back to what they were before it")
    public void undo(@PathParam("id") TurnId id, UndoTurn body) {
        desk.restore(owner(), id, true, Boolean.TRUE.equals(body.force()));
    }

    @POST
    @Path("/redo")
    @Operation(summary = "Do again to the files what the turn did")
    public void redo(@PathParam("id") TurnId id, UndoTurn body) {
        desk.restore(owner(), id, false, Boolean.TRUE.equals(body.force()));
    }

    private UserId owner() {
        return Callers.of(identity).userId();
    }
}
