package dev.gadget.code.project;

import dev.gadget.code.account.Callers;
import dev.gadget.code.http.Created;
import dev.gadget.code.http.Paging;
import dev.gadget.model.ProjectId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.Page;
import dev.gadget.model.api.ProjectApi.CreateProject;
import dev.gadget.model.api.ProjectApi.ProjectView;
import dev.gadget.model.api.ProjectApi.UpdateProject;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Projects over HTTP. */
@Path("/api/v1/projects")
@RolesAllowed("person")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "projects")
public class ProjectResource {
    private final SecurityIdentity identity;
    private final Projects projects;

    ProjectResource(SecurityIdentity identity, Projects projects) {
        this.identity = identity;
        this.projects = projects;
    }

    @GET
    @Operation(summary = "Your projects, newest first")
    public Page<ProjectView> list(@BeanParam Paging paging) {
        return paging.page(projects.list(owner(), paging.after(), paging.limit()), ProjectResource::view);
    }

    @POST
    @Operation(summary = "Make a project; its slug is made from the name when it is absent")
    @APIResponse(responseCode = "201", content = @Content(schema = @Schema(implementation = ProjectView.class)))
    public Response create(CreateProject wanted) {
        Project made = projects.create(owner(), wanted);
        return Created.at("/api/v1/projects/" + made.id(), view(made));
    }

    @GET
    @Path("/{id}")
    @Operation(summary = "One project")
    public ProjectView get(@PathParam("id") ProjectId id) {
        return view(projects.get(owner(), id));
    }

    @PATCH
    @Path("/{id}")
    @Operation(summary = "Change a project: what is absent stays, an empty git URL is taken away")
    public ProjectView update(@PathParam("id") ProjectId id, UpdateProject update) {
        return view(projects.update(owner(), id, update));
    }

    @DELETE
    @Path("/{id}")
    @Operation(summary = "Delete a project that no session works on any more; its files stay where they are")
    public void delete(@PathParam("id") ProjectId id) {
        projects.delete(owner(), id);
    }

    private static ProjectView view(Project project) {
        return new ProjectView(project.id(), project.name(), project.slug(), project.gitUrl(), project.createdAt());
    }

    private UserId owner() {
        return Callers.of(identity).userId();
    }
}
