package dev.gadget.code.session;

import dev.gadget.code.account.Callers;
import dev.gadget.code.audit.AuditLog;
import dev.gadget.code.http.Checks;
import dev.gadget.code.http.Paging;
import dev.gadget.code.session.Branches.Branch;
import dev.gadget.code.session.ChatSession.LastTurn;
import dev.gadget.code.store.Slice;
import dev.gadget.code.turn.TurnAnalyst;
import dev.gadget.code.turn.Turns;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AnalyticsApi.SessionAnalytics;
import dev.gadget.model.api.AuditApi.AuditKind;
import dev.gadget.model.api.Page;
import dev.gadget.model.api.SessionApi.BranchSession;
import dev.gadget.model.api.SessionApi.CreateSession;
import dev.gadget.model.api.SessionApi.SessionDetail;
import dev.gadget.model.api.SessionApi.SessionView;
import dev.gadget.model.api.SessionApi.UpdateSession;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnStatus;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Sessions over HTTP. */
@Path("/api/v1/sessions")
@RolesAllowed("person")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "sessions")
public class SessionResource {
    private final SecurityIdentity identity;
    private final Sessions sessions;
    private final Branches branches;
    private final Turns turns;
    private final TurnAnalyst analyst;
    private final AuditLog audit;

    SessionResource(
            SecurityIdentity identity,
            Sessions sessions,
            Branches branches,
            Turns turns,
            TurnAnalyst analyst,
            AuditLog audit) {
        this.identity = identity;
        this.sessions = sessions;
        this.branches = branches;
        this.turns = turns;
        this.analyst = analyst;
        this.audit = audit;
    }

    @GET
    @Operation(summary = "Your sessions, newest first")
    public Page<SessionView> list(@BeanParam Paging paging) {
        Slice<ChatSession> slice = sessions.list(owner(), paging.after(), paging.limit());
        return paging.page(slice, this::view);
    }

    @POST
    @Operation(summary = "Make a session")
    @APIResponse(responseCode = "201", content = @Content(schema = @Schema(implementation = SessionView.class)))
    public Response create(CreateSession wanted) {
        ChatSession session = sessions.create(owner(), wanted);
        if (wanted.approvalPolicy() != null || wanted.rules() != null) {
            notePolicy(session);
        }
        return created(session);
    }

    @POST
    @Path("/{id}/branches")
    @Operation(
            summary = "Make a session with the same settings that goes on from before a turn, with copies of the turns"
                    + " that ended before it")
    @APIResponse(responseCode = "201", content = @Content(schema = @Schema(implementation = SessionView.class)))
    public Response branch(
            @PathParam("id") SessionId id, BranchSession wanted, @HeaderParam("Idempotency-Key") @Nullable String key) {
        Branch branch = branches.make(owner(), id, wanted.turnId(), Checks.idempotencyKey(key));
        if (branch.made()) {
            notePolicy(branch.session());
        }
        return created(branch.session());
    }

    private Response created(ChatSession session) {
        return Response.status(Response.Status.CREATED)
                .header("Location", "/api/v1/sessions/" + session.id())
                .entity(view(session))
                .build();
    }

    @GET
    @Path("/{id}")
    @Operation(summary = "A session with its turns and their blocks; with 'latest' only so many of the last turns")
    public SessionDetail get(@PathParam("id") SessionId id, @QueryParam("latest") @Nullable String latest) {
        SessionView session = view(sessions.get(owner(), id));
        if (latest == null) {
            return new SessionDetail(session, turns.ofSession(owner(), id), null);
        }
        Slice<Turn> slice = turns.latest(owner(), id, Optional.empty(), Paging.checked(latest, "latest"));
        return new SessionDetail(session, slice.items().reversed(), slice.next().orElse(null));
    }

    @GET
    @Path("/{id}/turns")
    @Operation(summary = "The turns of a session with their blocks, newest first")
    public Page<Turn> turns(@PathParam("id") SessionId id, @BeanParam Paging paging) {
        return paging.page(turns.latest(owner(), id, paging.after(), paging.limit()), Function.identity());
    }

    @GET
    @Path("/{id}/analytics")
    @Operation(summary = "What the session's turns went to, the latest 500 of them")
    public SessionAnalytics analytics(@PathParam("id") SessionId id) {
        return analyst.ofSession(owner(), id);
    }

    @PATCH
    @Path("/{id}")
    @Operation(summary = "Change a session; what is absent stays")
    public SessionView update(@PathParam("id") SessionId id, UpdateSession wanted) {
        ChatSession session = sessions.update(owner(), id, wanted);
        if (wanted.approvalPolicy() != null || wanted.rules() != null) {
            notePolicy(session);
        }
        return view(session);
    }

    private void notePolicy(ChatSession session) {
        String policy = session.approvalPolicy().name().toLowerCase(Locale.ROOT);
        audit.note(
                owner(),
                AuditKind.POLICY_CHANGED,
                session.id(),
                "approvals " + policy + ", rules " + session.rules().size());
    }

    @DELETE
    @Path("/{id}")
    @Operation(summary = "Delete a session with its turns; what runs in it stops")
    public void delete(@PathParam("id") SessionId id) {
        sessions.delete(owner(), id);
    }

    private SessionView view(ChatSession session) {
        return new SessionView(
                session.id(),
                session.projectId(),
                session.name(),
                session.providerId(),
                session.model(),
                session.reasoningEffort(),
                session.workspaceId(),
                session.limits(),
                session.approvalPolicy(),
                session.rules(),
                session.whenBusy(),
                session.toolQueue(),
                session.worktree(),
                session.pinned(),
                session.archived(),
                session.runningTurnId(),
                status(session),
                endedAt(session),
                session.titleUsage(),
                session.createdAt(),
                session.updatedAt());
    }

    private @Nullable TurnStatus status(ChatSession session) {
        TurnId running = session.runningTurnId();
        if (running != null) {
            return turns.statusOfRunning(running);
        }
        LastTurn last = session.lastTurn();
        return last == null ? null : last.status();
    }

    private static @Nullable Instant endedAt(ChatSession session) {
        LastTurn last = session.lastTurn();
        return last == null || session.runningTurnId() != null ? null : last.endedAt();
    }

    private UserId owner() {
        return Callers.of(identity).userId();
    }
}
