package dev.gadget.code.drone;

import dev.gadget.code.account.Callers;
import dev.gadget.model.SessionId;
import dev.gadget.model.api.FileApi.FolderView;
import dev.gadget.model.api.FileApi.FoundView;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The folders of a session's workspace over HTTP. */
@Path("/api/v1/sessions/{id}/files")
@RolesAllowed("person")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "files")
public class FolderResource {
    private final SecurityIdentity identity;
    private final FileDesk desk;

    FolderResource(SecurityIdentity identity, FileDesk desk) {
        this.identity = identity;
        this.desk = desk;
    }

    @GET
    @Operation(summary = "The names in a folder of the session's workspace, with git's letters")
    public FolderView list(@PathParam("id") SessionId id, @QueryParam("path") @DefaultValue(".") String path) {
        return desk.list(Callers.of(identity).userId(), id, path);
    }

    @GET
    @Path("/found")
    @Operation(
            summary =
                    "Files below a folder by a part of their name, those that fit best first; without what git ignores")
    public FoundView find(
            @PathParam("id") SessionId id,
            @QueryParam("path") @DefaultValue(".") String path,
            @QueryParam("name") @DefaultValue("") String name) {
        return desk.find(Callers.of(identity).userId(), id, path, name);
    }
}
