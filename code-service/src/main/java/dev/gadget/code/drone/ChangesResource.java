package dev.gadget.code.drone;

import dev.gadget.code.account.Callers;
import dev.gadget.model.SessionId;
import dev.gadget.model.api.FileApi.ChangesView;
import dev.gadget.model.api.FileApi.CommitChanges;
import dev.gadget.model.api.FileApi.CommitView;
import dev.gadget.model.api.FileApi.DiffView;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** How the files of a session's workspace differ from the last commit, over HTTP. */
@Path("/api/v1/sessions/{id}/changes")
@RolesAllowed("person")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "files")
public class ChangesResource {
    private final SecurityIdentity identity;
    private final FileDesk desk;

    ChangesResource(SecurityIdentity identity, FileDesk desk) {
        this.identity = identity;
        this.desk = desk;
    }

    @GET
    @Operation(summary = "The files that differ from the last commit")
    public ChangesView list(@PathParam("id") SessionId id) {
        return desk.changes(Callers.of(identity).userId(), id);
    }

    @GET
    @Path("/diff")
    @Operation(summary = "How one file, or all, differ from the last commit: a unified diff")
    public DiffView diff(@PathParam("id") SessionId id, @QueryParam("path") @Nullable String path) {
        return desk.diff(Callers.of(identity).userId(), id, path);
    }

    @POST
    @Path("/commit")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(summary = "Commit some of these files as they are now; wants the workspace in mode 'user'")
    public CommitView commit(@PathParam("id") SessionId id, CommitChanges wanted) {
        return desk.commit(Callers.of(identity).userId(), id, wanted.message(), wanted.paths());
    }
}
