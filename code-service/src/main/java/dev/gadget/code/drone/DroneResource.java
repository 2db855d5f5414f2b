package dev.gadget.code.drone;

import dev.gadget.code.account.Callers;
import dev.gadget.code.audit.AuditLog;
import dev.gadget.code.http.Paging;
import dev.gadget.code.store.DroneArchive;
import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AuditApi.AuditKind;
import dev.gadget.model.api.DroneApi.DroneView;
import dev.gadget.model.api.DroneApi.EnrolDrone;
import dev.gadget.model.api.DroneApi.EnrolledDrone;
import dev.gadget.model.api.DroneApi.EnrolmentView;
import dev.gadget.model.api.Page;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirements;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;

/** Drones over HTTP: listed, enrolled, revoked. Their work goes over their socket. */
@Path("/api/v1/drones")
@RolesAllowed("person")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "drones")
public class DroneResource {
    private final SecurityIdentity identity;
    private final DroneArchive drones;
    private final DroneEnrolment enrolment;
    private final DroneRoster roster;
    private final AuditLog audit;

    DroneResource(
            SecurityIdentity identity,
            DroneArchive drones,
            DroneEnrolment enrolment,
            DroneRoster roster,
            AuditLog audit) {
        this.identity = identity;
        this.drones = drones;
        this.enrolment = enrolment;
        this.roster = roster;
        this.audit = audit;
    }

    @GET
    @Operation(summary = "Your drones and what they do now, newest first")
    public Page<DroneView> list(@BeanParam Paging paging) {
        return paging.page(drones.list(owner(), paging.after(), paging.limit()), this::view);
    }

    @POST
    @Path("/enrolments")
    @Consumes(MediaType.WILDCARD)
    @ResponseStatus(201)
    @Operation(summary = "Make a code that enrols one drone within 15 minutes")
    public EnrolmentView code() {
        audit.note(owner(), AuditKind.ENROLMENT_CODE_MADE, "");
        return enrolment.newCode(owner());
    }

    @POST
    @Path("/enrol")
    @PermitAll
    @ResponseStatus(201)
    @SecurityRequirements
    @Operation(summary = "From a drone: exchange a code, or email and password, for a credential of its own")
    public EnrolledDrone enrol(EnrolDrone wanted, @Context RoutingContext context) {
        return enrolment.enrol(wanted, context.request().remoteAddress().hostAddress());
    }

    @DELETE
    @Path("/{id}")
    @Operation(summary = "Revoke a drone's credential, close its connection and forget it")
    public void delete(@PathParam("id") DroneId id) {
        enrolment.revoke(owner(), id);
    }

    private DroneView view(Drone drone) {
        return new DroneView(
                drone.id(),
                drone.name(),
                roster.status(drone.id()),
                drone.workspaceId(),
                drone.workspaceDir(),
                drone.hostname(),
                drone.platform(),
                drone.droneVersion(),
                roster.load(drone.id()).orElse(null),
                roster.currentSession(drone.id()).orElse(null),
                roster.mode(drone.id()).orElse(null),
                drone.lastSeenAt(),
                drone.createdAt());
    }

    private UserId owner() {
        return Callers.of(identity).userId();
    }
}
