package dev.gadget.code.drone;

import dev.gadget.code.account.Callers;
import dev.gadget.code.http.Problems;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.FileApi.CreateEntry;
import dev.gadget.model.api.FileApi.FileProblem;
import dev.gadget.model.api.FileApi.FileView;
import dev.gadget.model.api.FileApi.RenameEntry;
import dev.gadget.model.api.FileApi.SaveFile;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** One file of a session's workspace over HTTP; what changes something wants the workspace in mode {@code user}. */
@Path("/api/v1/sessions/{id}/file")
@RolesAllowed("person")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "files")
public class FileResource {
    private final SecurityIdentity identity;
    private final FileDesk desk;

    FileResource(SecurityIdentity identity, FileDesk desk) {
        this.identity = identity;
        this.desk = desk;
    }

    @GET
    @Operation(summary = "A file with its text and its hash")
    public FileView read(@PathParam("id") SessionId id, @QueryParam("path") @DefaultValue("") String path) {
        return desk.read(owner(), id, path);
    }

    @PUT
    @Operation(summary = "Save another text, when the file is still the one that was read")
    @APIResponse(
            responseCode = "200",
            description = "Saved",
            content = @Content(schema = @Schema(implementation = FileView.class)))
    @APIResponse(
            responseCode = "409",
            description = "It is another file by now, and was left alone; or the workspace is not the person's",
            content = @Content(mediaType = Problems.MEDIA_TYPE, schema = @Schema(implementation = FileProblem.class)))
    public Response save(
            @PathParam("id") SessionId id, @QueryParam("path") @DefaultValue("") String path, SaveFile wanted) {
        return switch (desk.save(owner(), id, path, wanted.text(), wanted.expectedSha256())) {
            case FileDesk.Saved.Done done -> Response.ok(done.file()).build();
            case FileDesk.Saved.Conflict conflict ->
                Response.status(FailureCode.CHANGED_MEANWHILE.httpStatus())
                        .type(Problems.MEDIA_TYPE)
                        .entity(new FileProblem(
                                Problems.of(
                                        FailureCode.CHANGED_MEANWHILE,
                                        conflict.current() == null
                                                ? "The file is gone. Create it to have it again."
                                                : "The file was changed since it was read. Put both texts together and save with the present hash.",
                                        Optional.empty()),
                                conflict.current()))
                        .build();
        };
    }

    @POST
    @Operation(summary = "Make a file or a folder where there is nothing")
    @APIResponse(
            responseCode = "201",
            description = "Made; without a body for a folder",
            content = @Content(schema = @Schema(implementation = FileView.class)))
    public Response create(
            @PathParam("id") SessionId id, @QueryParam("path") @DefaultValue("") String path, CreateEntry wanted) {
        Response.ResponseBuilder made = Response.status(Response.Status.CREATED);
        desk.create(owner(), id, path, wanted.type(), wanted.text()).ifPresent(made::entity);
        return made.build();
    }

    @PATCH
    @Operation(summary = "Give a file or a folder another path, where there is nothing")
    public void rename(
            @PathParam("id") SessionId id, @QueryParam("path") @DefaultValue("") String path, RenameEntry wanted) {
        desk.rename(owner(), id, path, wanted.to());
    }

    @DELETE
    @Operation(summary = "Remove a file, or a folder with all that is in it")
    public void delete(@PathParam("id") SessionId id, @QueryParam("path") @DefaultValue("") String path) {
        desk.delete(owner(), id, path);
    }

    private UserId owner() {
        return Callers.of(identity).userId();
    }
}
