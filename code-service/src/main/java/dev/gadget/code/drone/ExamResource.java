package dev.gadget.code.drone;

import dev.gadget.code.account.Callers;
import dev.gadget.code.audit.AuditLog;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AuditApi.AuditKind;
import dev.gadget.model.api.ProviderApi.ExamView;
import dev.gadget.model.api.ProviderApi.StartExam;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Exams of models over HTTP; a drone does them. */
@Path("/api/v1/providers/{id}/exams")
@RolesAllowed("person")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "providers")
public class ExamResource {
    private final SecurityIdentity identity;
    private final ModelExams exams;
    private final AuditLog audit;

    ExamResource(SecurityIdentity identity, ModelExams exams, AuditLog audit) {
        this.identity = identity;
        this.exams = exams;
        this.audit = audit;
    }

    @POST
    @Operation(summary = "Have one of your drones find out what a model can do")
    @APIResponse(responseCode = "202", content = @Content(schema = @Schema(implementation = ExamView.class)))
    public Response start(@PathParam("id") ProviderId id, StartExam wanted) {
        Exam begun = exams.start(owner(), id, wanted);
        audit.note(owner(), AuditKind.EXAM_STARTED, id, wanted.model());
        return Response.accepted(begun.view())
                .location(URI.create("/api/v1/providers/" + id + "/exams/" + begun.id()))
                .build();
    }

    @GET
    @Path("/{examId}")
    @Operation(summary = "Where the exam stands, and what it found")
    public ExamView look(@PathParam("id") ProviderId id, @PathParam("examId") String exam) {
        return exams.look(owner(), id, exam).view();
    }

    @DELETE
    @Path("/{examId}")
    @Operation(summary = "Stop the exam; it then fails as cancelled")
    public void cancel(@PathParam("id") ProviderId id, @PathParam("examId") String exam) {
        exams.cancel(owner(), id, exam);
    }

    private UserId owner() {
        return Callers.of(identity).userId();
    }
}
