package dev.gadget.code.feed;

import dev.gadget.code.RefusedException;
import dev.gadget.code.account.Callers;
import dev.gadget.code.account.TokenWatch;
import dev.gadget.code.http.Checks;
import dev.gadget.code.turn.TurnAnalyst;
import dev.gadget.code.turn.TurnCommands;
import dev.gadget.code.turn.TurnUpdate;
import dev.gadget.code.turn.Turns;
import dev.gadget.model.FailureCode;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AnalyticsApi.TurnAnalytics;
import dev.gadget.model.api.SessionApi.ChangePrompt;
import dev.gadget.model.api.SessionApi.DecideToolCall;
import dev.gadget.model.api.SessionApi.TurnEvents;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.Turn;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Turns over HTTP: read one as it stands or as it grows, stop it, answer it. */
@Path("/api/v1/turns")
@RolesAllowed("person")
@RunOnVirtualThread
@Tag(name = "turns")
public class TurnResource {
    private static final int LONGEST_WAIT_SECONDS = 55;

    private final SecurityIdentity identity;
    private final Turns turns;
    private final TurnCommands commands;
    private final TurnStreams streams;
    private final OpenPolls polls;
    private final TokenWatch tokens;
    private final TurnAnalyst analyst;

    TurnResource(
            SecurityIdentity identity,
            Turns turns,
            TurnCommands commands,
            TurnStreams streams,
            OpenPolls polls,
            TokenWatch tokens,
            TurnAnalyst analyst) {
        this.identity = identity;
        this.turns = turns;
        this.commands = commands;
        this.streams = streams;
        this.polls = polls;
        this.tokens = tokens;
        this.analyst = analyst;
    }

    @GET
    @Path("/{id}")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(summary = "The turn with its blocks, as it stands")
    public Turn get(@PathParam("id") TurnId id) {
        return turns.get(owner(), id);
    }

    @GET
    @Path("/{id}/analytics")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(summary = "What the turn went to: time by what was done, tokens by round, tools")
    public TurnAnalytics analytics(@PathParam("id") TurnId id) {
        return analyst.ofTurn(owner(), id);
    }

    @GET
    @Path("/{id}/events")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(summary = "What is missing since a cursor; with 'wait' as soon as something is")
    public Response poll(
            @PathParam("id") TurnId id,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("wait") @DefaultValue("0") String wait)
            throws InterruptedException {
        int seconds = Checks.number("wait", wait, 0, LONGEST_WAIT_SECONDS);
        try (var reader = new FeedReader(
                        turns.feed(owner(), id), parsed(cursor, "cursor"), Callers.of(identity), tokens);
                var _ = polls.begin()) {
            TurnUpdate update = reader.next(Duration.ofSeconds(seconds));
            return Response.ok(new TurnEvents(update.status(), update.changes(), update.cursor()))
                    .header("Cache-Control", "no-store")
                    .build();
        }
    }

    @GET
    @Path("/{id}/events")
    @Produces(TurnStreams.EVENTS)
    @Operation(hidden = true)
    public Response events(
            @PathParam("id") TurnId id,
            @QueryParam("cursor") @Nullable String cursor,
            @HeaderParam("Last-Event-ID") @Nullable String lastEventId,
            @Context HttpServerRequest request) {
        boolean resumed = lastEventId != null && !lastEventId.isBlank();
        Cursor from = resumed ? parsed(lastEventId, "Last-Event-ID") : parsed(cursor, "cursor");
        return streams.open(turns.feed(owner(), id), from, Callers.of(identity), request);
    }

    @PATCH
    @Path("/{id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(summary = "Change the words of a prompt that still waits, or without words its place")
    public Turn change(@PathParam("id") TurnId id, ChangePrompt body) {
        String words = body.prompt();
        if (words != null) {
            commands.change(owner(), id, words);
        }
        if (words == null || body.before() != null) {
            commands.move(owner(), id, body.before());
        }
        return turns.get(owner(), id);
    }

    @DELETE
    @Path("/{id}")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(summary = "Take back a prompt that still waits")
    public void remove(@PathParam("id") TurnId id) {
        commands.remove(owner(), id);
    }

    @POST
    @Path("/{id}/steer")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(summary = "Have a prompt that still waits told to the turn that runs")
    public Response steer(@PathParam("id") TurnId id) {
        // Once it is taken, it is no turn of its own any more.
        Turn waiting = turns.get(owner(), id);
        commands.steer(owner(), id);
        return Response.accepted(waiting).build();
    }

    @POST
    @Path("/{id}/cancel")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(summary = "Stop the turn; of an ended one nothing changes")
    public Response cancel(@PathParam("id") TurnId id) {
        commands.cancel(owner(), id);
        return Response.accepted(turns.get(owner(), id)).build();
    }

    @POST
    @Path("/{id}/approvals/{callId}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(summary = "Answer a tool call that waits")
    public Response decide(@PathParam("id") TurnId id, @PathParam("callId") String callId, DecideToolCall body) {
        commands.decide(owner(), id, callId, body);
        return Response.accepted(turns.get(owner(), id)).build();
    }

    private static @Nullable Cursor parsed(@Nullable String text, String field) {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return Cursor.parse(text);
        } catch (IllegalArgumentException e) {
            throw new RefusedException(FailureCode.INVALID_FIELD, String.valueOf(e.getMessage()), field);
        }
    }

    private UserId owner() {
        return Callers.of(identity).userId();
    }
}
