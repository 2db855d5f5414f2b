package dev.gadget.code.feed;

import dev.gadget.code.turn.TurnUpdate;
import dev.gadget.model.turn.TurnChange;
import io.quarkus.security.UnauthorizedException;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** A turn as server-sent events, at the pace at which its reader takes them. */
final class TurnStream implements StreamingOutput {
    private static final Logger LOG = Logger.getLogger(TurnStream.class);

    /** Often enough that no proxy takes the stream for dead. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** A screen shows no more, and many readers of a fast turn cost less. The first step after a pause is never held back. */
    private static final Duration PACE = Duration.ofMillis(16);

    private static final String RETRY = "retry: 1000\n\n";
    private static final String COMMENT = ": still here\n\n";

    private final Supplier<FeedReader> opens;
    private final ChangeJson json;
    private final StalledStreams stalled;
    private final HttpServerRequest request;

    /** @param opens the reader, when the stream begins */
    TurnStream(Supplier<FeedReader> opens, ChangeJson json, StalledStreams stalled, HttpServerRequest request) {
        this.opens = opens;
        this.json = json;
        this.stalled = stalled;
        this.request = request;
    }

    @Override
    public void write(OutputStream output) throws IOException {
        try (var guard = stalled.guard(request);
                var reader = opens.get()) {
            send(output, guard, RETRY);
            boolean over = false;
            while (!over) {
                TurnUpdate update = reader.next(HEARTBEAT);
                over = reader.over(update);
                if (!update.changes().isEmpty()) {
                    send(output, guard, events(update));
                } else if (!over) {
                    send(output, guard, COMMENT);
                }
                if (!over) {
                    Thread.sleep(PACE);
                }
            }
        } catch (UnauthorizedException e) {
            LOG.debug("a stream ends because its reader is signed out; it is told why when it comes back");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("the service goes down").initCause(e);
        }
    }

    private static void send(OutputStream output, StalledStreams.Guard guard, String text) throws IOException {
        guard.writing();
        output.write(text.getBytes(StandardCharsets.UTF_8));
        output.flush();
        guard.written();
    }

    /** The cursor stands on the last event only: a reader that was cut in between gets the whole update again. */
    private String events(TurnUpdate update) {
        var text = new StringBuilder();
        List<String> rendered = json.of(update);
        for (int i = 0; i < rendered.size(); i++) {
            text.append("event: ").append(name(update.changes().get(i))).append('\n');
            if (i == rendered.size() - 1) {
                text.append("id: ").append(update.cursor()).append('\n');
            }
            text.append("data: ").append(rendered.get(i)).append("\n\n");
        }
        return text.toString();
    }

    private static String name(TurnChange change) {
        return switch (change) {
            case TurnChange.Snapshot _ -> "snapshot";
            case TurnChange.TextDelta _ -> "text_delta";
            case TurnChange.BlockClosed _ -> "block_closed";
            case TurnChange.BlockSuperseded _ -> "block_superseded";
            case TurnChange.ToolState _ -> "tool_state";
            case TurnChange.ToolOutput _ -> "tool_output";
            case TurnChange.AwaitingConfirmation _ -> "awaiting_confirmation";
            case TurnChange.StatusChanged _ -> "status";
            case TurnChange.UsageChanged _ -> "usage";
            case TurnChange.Retrying _ -> "retrying";
            case TurnChange.CallGrows _ -> "call_grows";
            case TurnChange.FilesChanged _ -> "files_changed";
            case TurnChange.Done _ -> "done";
            case TurnChange.Error _ -> "error";
        };
    }
}
