package dev.gadget.code.feed;

import dev.gadget.code.account.Callers;
import dev.gadget.code.http.Checks;
import dev.gadget.code.turn.TurnCommands;
import dev.gadget.code.turn.Turns;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.SessionApi.SubmitTurn;
import dev.gadget.model.api.SessionApi.TurnAccepted;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnChange;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Prompts over HTTP: submit one, and wait for the turn, stream it, or come back for it later. */
@Path("/api/v1/sessions/{id}/turns")
@RolesAllowed("person")
@RunOnVirtualThread
@Tag(name = "turns")
public class PromptResource {
    private final SecurityIdentity identity;
    private final Turns turns;
    private final TurnCommands commands;
    private final TurnStreams streams;
    private final TurnWaits waits;

    PromptResource(
            SecurityIdentity identity, Turns turns, TurnCommands commands, TurnStreams streams, TurnWaits waits) {
        this.identity = identity;
        this.turns = turns;
        this.commands = commands;
        this.streams = streams;
        this.waits = waits;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            summary =
                    "Submit a prompt; wait for the turn's end or until it asks for an approval, or with 'Prefer: respond-async' get its id at once")
    @APIResponse(
            responseCode = "200",
            description = "The turn when it ended, asks for an approval or is interrupted; or its steps as it grows",
            content = {
                @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Turn.class)),
                @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = TurnChange.class))
            })
    @APIResponse(
            responseCode = "202",
            description = "With 'Prefer: respond-async'",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = TurnAccepted.class)))
    public Response submit(
            @PathParam("id") SessionId session,
            SubmitTurn body,
            @HeaderParam("Prefer") @Nullable String prefer,
            @HeaderParam("Idempotency-Key") @Nullable String key,
            @Context HttpServerRequest request)
            throws InterruptedException {
        TurnId id = commands.submit(owner(), session, body.prompt(), Checks.idempotencyKey(key));
        if (prefer != null && prefer.toLowerCase(Locale.ROOT).contains("respond-async")) {
            return Response.accepted(new TurnAccepted(id, turns.get(owner(), id).status()))
                    .header("Location", path(id))
                    .header("Preference-Applied", "respond-async")
                    .build();
        }
        Turn turn = waits.settled(id, Callers.of(identity), request, TurnWaits.AS_LONG_AS_IT_TAKES);
        return Response.ok(TurnWaits.begun(turn)).header("Location", path(id)).build();
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(TurnStreams.EVENTS)
    @Operation(hidden = true)
    public Response submitAndStream(
            @PathParam("id") SessionId session,
            SubmitTurn body,
            @HeaderParam("Idempotency-Key") @Nullable String key,
            @Context HttpServerRequest request)
            throws InterruptedException {
        TurnId id = commands.submit(owner(), session, body.prompt(), Checks.idempotencyKey(key));
        waits.taken(id, Callers.of(identity));
        Response stream = streams.open(turns.feed(owner(), id), null, Callers.of(identity), request);
        return Response.fromResponse(stream).header("Location", path(id)).build();
    }

    private static String path(TurnId id) {
        return "/api/v1/turns/" + id;
    }

    private UserId owner() {
        return Callers.of(identity).userId();
    }
}
