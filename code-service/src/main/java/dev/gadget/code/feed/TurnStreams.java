package dev.gadget.code.feed;

import dev.gadget.code.account.Caller;
import dev.gadget.code.account.TokenWatch;
import dev.gadget.code.turn.TurnFeed;
import dev.gadget.model.turn.Cursor;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** Answers requests with a turn as server-sent events. */
@Singleton
class TurnStreams {
    /** Who accepts anything gets JSON. */
    static final String EVENTS = MediaType.SERVER_SENT_EVENTS + ";qs=0.5";

    private final ChangeJson json;
    private final StalledStreams stalled;
    private final TokenWatch tokens;

    TurnStreams(ChangeJson json, StalledStreams stalled, TokenWatch tokens) {
        this.json = json;
        this.stalled = stalled;
        this.tokens = tokens;
    }

    /** The stream of this turn for this caller, from the cursor on, with the headers that keep proxies from holding it up. */
    Response open(TurnFeed feed, @Nullable Cursor from, Caller caller, HttpServerRequest request) {
        return Response.ok(new TurnStream(() -> new FeedReader(feed, from, caller, tokens), json, stalled, request))
                .type(MediaType.SERVER_SENT_EVENTS + ";charset=UTF-8")
                .header("Cache-Control", "no-cache")
                .header("X-Accel-Buffering", "no")
                .build();
    }
}
