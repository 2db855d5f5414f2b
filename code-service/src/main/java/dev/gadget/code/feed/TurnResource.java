package dev.gadget.code.feed;

import dev.gadget.code.RefusedException;
import dev.gadget.code.account.Callers;
import dev.gadget.code.account.TokenWatch;
import dev.gadget.code.http.Checks;
import dev.gadget.code.turn.TurnAnalyst;
import dev.gadget.code.turn.TurnCommands;
import dev.gadget.code.turn.TurnFeed;
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
import dev.gadget.model.turn.TurnChange;
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
import java.util.OptionalInt;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
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
    private final TurnWaits waits;
    private final TurnAnalyst analyst;

    TurnResource(
            SecurityIdentity identity,
            Turns turns,
            TurnCommands commands,
            TurnStreams streams,
            OpenPolls polls,
            TokenWatch tokens,
            TurnWaits waits,
            TurnAnalyst analyst) {
        this.identity = identity;
        this.turns = turns;
        this.commands = commands;
        this.streams = streams;
        this.polls = polls;
        this.tokens = tokens;
        this.waits = waits;
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
    @APIResponse(
            responseCode = "200",
            description = "What is missing; or the steps as they come",
            content = {
                @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = TurnEvents.class)),
                @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = TurnChange.class))
            })
    @APIResponse(
            responseCode = "204",
            description = "With 'Accept: text/event-stream': the turn is over, and nothing is missing")
    public Response poll(
            @PathParam("id") TurnId id,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("wait") @DefaultValue("0") String wait)
            throws InterruptedException {
        int seconds = Checks.number("wait", wait, 0, LONGEST_WAIT_SECONDS);
        try (var reader = new FeedReader(
                        turns.feed(owner(), id).inLargePieces(),
                        parsed(cursor, "cursor"),
                        Callers.of(identity),
                        tokens);
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
        TurnFeed feed = turns.feed(owner(), id);
        Cursor from = from(cursor, lastEventId);
        if (from != null && hasAll(feed.since(from))) {
            // A browser comes back after each end of a stream, unless it is told this.
            return Response.noContent().build();
        }
        return streams.open(feed, from, Callers.of(identity), request);
    }

    private static boolean hasAll(TurnUpdate update) {
        return update.over() && update.changes().isEmpty();
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
    @APIResponse(
            responseCode = "202",
            description = "The prompt as it waits",
            content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Turn.class)))
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
    @APIResponse(
            responseCode = "202",
            description = "The turn as it stands",
            content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Turn.class)))
    public Response cancel(@PathParam("id") TurnId id) {
        commands.cancel(owner(), id);
        return Response.accepted(turns.get(owner(), id)).build();
    }

    @POST
    @Path("/{id}/calls/{callId}/stop")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(summary = "Stop one tool call that runs; the turn goes on. Of one that is over nothing changes")
    public Response stopCall(@PathParam("id") TurnId id, @PathParam("callId") String callId) {
        commands.stopCall(owner(), id, callId);
        return Response.accepted(turns.get(owner(), id)).build();
    }

    @POST
    @Path("/{id}/approvals/{callId}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            summary =
                    "Answer a tool call that waits; with 'Prefer: wait=SECONDS' wait then for the turn's end or its next question, with 'Accept: text/event-stream' read on")
    @APIResponse(
            responseCode = "202",
            description = "The turn as it stands",
            content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Turn.class)))
    @APIResponse(
            responseCode = "200",
            description =
                    "With 'Prefer: wait=SECONDS' the turn then; with 'Accept: text/event-stream' its steps as it grows",
            content = {
                @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Turn.class)),
                @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = TurnChange.class))
            })
    public Response decide(
            @PathParam("id") TurnId id,
            @PathParam("callId") String callId,
            DecideToolCall body,
            @HeaderParam("Prefer") @Nullable String prefer,
            @Context HttpServerRequest request)
            throws InterruptedException {
        commands.decide(owner(), id, callId, body);
        OptionalInt seconds = TurnWaits.preferred(prefer);
        if (seconds.isEmpty()) {
            return Response.accepted(turns.get(owner(), id)).build();
        }
        Turn turn = waits.settled(id, Callers.of(identity), request, Duration.ofSeconds(seconds.getAsInt()));
        return Response.ok(turn)
                .header("Preference-Applied", "wait=" + seconds.getAsInt())
                .build();
    }

    @POST
    @Path("/{id}/approvals/{callId}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(TurnStreams.EVENTS)
    @Operation(hidden = true)
    public Response decideAndStream(
            @PathParam("id") TurnId id,
            @PathParam("callId") String callId,
            DecideToolCall body,
            @QueryParam("cursor") @Nullable String cursor,
            @HeaderParam("Last-Event-ID") @Nullable String lastEventId,
            @Context HttpServerRequest request) {
        Cursor from = from(cursor, lastEventId);
        commands.decide(owner(), id, callId, body);
        return streams.open(turns.feed(owner(), id), from, Callers.of(identity), request);
    }

    private static @Nullable Cursor from(@Nullable String cursor, @Nullable String lastEventId) {
        boolean resumed = lastEventId != null && !lastEventId.isBlank();
        return resumed ? parsed(lastEventId, "Last-Event-ID") : parsed(cursor, "cursor");
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
