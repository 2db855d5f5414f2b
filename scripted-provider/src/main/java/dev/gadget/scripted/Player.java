package dev.gadget.scripted;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Plays one reply over one connection. */
final class Player {
    /** Tokens that are told at once at most: an endless response that is not streamed must not fill the memory. */
    private static final long MOST_WHOLE = 1_000_000;

    private final Connection connection;
    private final Wire wire;
    private final Reply reply;
    private final boolean streams;
    private final Said said;
    private @Nullable BodyOutput body;
    private long paced;
    private long number;
    private long start = System.nanoTime();

    Player(Connection connection, Wire wire, ReceivedRequest request, Reply reply) {
        this.connection = connection;
        this.wire = wire;
        this.reply = reply;
        streams = request.streams();
        said = new Said(request.body().path("messages").toString().length() / 4L, !streams);
    }

    /** Plays it, and tells whether the connection may be used again. */
    boolean play() throws IOException {
        if (reply.delay() != null && !happen(reply.delay())) {
            return false;
        }
        if (reply.fixed() != null && reply.transport().equals(Reply.Transport.PLAIN)) {
            connection.send(reply.status(), reply.headers(), reply.fixed());
            return true;
        }
        if (!streams && reply.fixed() == null) {
            return playWhole();
        }
        return playBody();
    }

    private boolean playBody() throws IOException {
        head();
        BodyOutput out = new BodyOutput(connection.out(), reply.transport());
        body = out;
        try {
            if (reply.fixed() != null) {
                out.write(reply.fixed());
            } else {
                chunks(wire.opening());
                for (Step step : reply.steps()) {
                    if (!happen(step)) {
                        return false;
                    }
                }
            }
            out.end();
            return true;
        } catch (BodyOutput.CutHere e) {
            body = null; // what it still holds never travels
            if (reply.transport().cut() instanceof Step.CleanEnd) {
                out.endTransfer();
                return false;
            }
            return happen(reply.transport().cut());
        }
    }

    private void head() throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", wire.streamType());
        headers.putAll(reply.headers());
        headers.put("Transfer-Encoding", "chunked");
        if (reply.transport().gzip()) {
            headers.put("Content-Encoding", "gzip");
        }
        connection.head(reply.status(), headers);
        connection.out().flush();
    }

    /** A response that is not streamed: the same steps, told at once at their end. */
    private boolean playWhole() throws IOException {
        Step.End end = new Step.End(null, null);
        StringBuilder raw = new StringBuilder();
        for (Step step : reply.steps()) {
            switch (step) {
                case Step.End given -> end = given;
                case Step.Chunk chunk -> raw.append(chunk.json());
                case Step.Raw text -> raw.append(text.text());
                default -> {
                    if (!happen(step)) {
                        return false;
                    }
                }
            }
        }
        Map<String, String> headers = new LinkedHashMap<>(reply.headers());
        headers.putIfAbsent("Content-Type", "application/json");
        connection.send(reply.status(), headers, raw.isEmpty() ? wire.whole(said, end) : raw.toString());
        return true;
    }

    /** Does a step; false when the response is over with it. */
    private boolean happen(Step step) throws IOException {
        switch (step) {
            case Step.Thinking thinking -> words(true, thinking.text());
            case Step.Text text -> words(false, text.text());
            case Step.Numbered numbered -> numbered(numbered);
            case Step.Tools tools -> tools(tools);
            case Step.End end -> write(wire.end(said, end));
            case Step.Pause pause -> pause(pause.time());
            case Step.Silence silence -> pause(null);
            case Step.KeepAlive alive -> keepAlive(alive);
            case Step.Chunk chunk -> write(wire.framed(chunk.json()));
            case Step.Raw raw -> write(raw.text());
            case Step.Torn torn -> {
                return torn(torn.said());
            }
            case Step.CleanEnd end -> {
                return cleanEnd();
            }
            case Step.Drop drop -> {
                flush();
                connection.close();
                return false;
            }
            case Step.Reset reset -> {
                flush();
                connection.reset();
                return false;
            }
        }
        return true;
    }

    private boolean cleanEnd() throws IOException {
        BodyOutput out = body;
        if (out == null) {
            connection.close();
            return false;
        }
        out.flush();
        out.endTransfer();
        return false;
    }

    private boolean torn(Step step) throws IOException {
        List<String> chunks = switch (step) {
            case Step.Text text -> List.of(wire.text(text.text()));
            case Step.Tools tools -> wire.tools(tools);
            default -> throw new IllegalStateException("Only text and tool calls can be torn, not " + step);
        };
        chunks(chunks.subList(0, chunks.size() - 1));
        BodyOutput out = body;
        if (out != null) {
            out.writePart(wire.framed(chunks.getLast()));
        }
        return cleanEnd();
    }

    private void words(boolean thinking, String text) throws IOException {
        for (String word : Tokens.words(text)) {
            token(thinking, word, reply.perSecond());
        }
    }

    private void numbered(Step.Numbered numbered) throws IOException {
        long count = streams ? numbered.count() : Math.min(numbered.count(), MOST_WHOLE);
        for (long i = 0; i < count; i++) {
            token(numbered.thinking(), Step.Numbered.token(++number), reply.perSecond());
        }
    }

    private void token(boolean thinking, String token, double perSecond) throws IOException {
        if (perSecond > 0) {
            pace((long) (paced * 1e9 / perSecond));
        }
        paced++;
        said.token(thinking, token);
        write(wire.framed(thinking ? wire.thinking(token) : wire.text(token)));
    }

    private void pace(long dueNanos) throws IOException {
        long left = start + dueNanos - System.nanoTime();
        if (left > 500_000) {
            flush();
        }
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = start + dueNanos - System.nanoTime();
        }
    }

    private void tools(Step.Tools tools) throws IOException {
        said.calls.addAll(tools.calls());
        if (tools.shape() == ToolShape.WITH_THE_END) {
            said.callsForTheEnd.addAll(tools.calls());
            return;
        }
        chunks(wire.tools(tools));
    }

    private void keepAlive(Step.KeepAlive alive) throws IOException {
        for (long i = 0; i < alive.count(); i++) {
            write(wire.keepAlive());
            pause(alive.every());
        }
    }

    private void pause(@Nullable Duration time) throws IOException {
        flush();
        connection.await(time);
        start = System.nanoTime();
        paced = 0;
    }

    private void chunks(Iterable<String> chunks) throws IOException {
        for (String chunk : chunks) {
            write(wire.framed(chunk));
        }
    }

    private void write(String text) throws IOException {
        if (body != null) {
            body.write(text);
        }
    }

    private void flush() throws IOException {
        if (body != null) {
            body.flush();
        }
    }
}
