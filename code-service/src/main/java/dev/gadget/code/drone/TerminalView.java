package dev.gadget.code.drone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.code.account.Caller;
import dev.gadget.code.socket.CloseReason;
import dev.gadget.code.socket.Outlet;
import dev.gadget.code.socket.SocketHandle;
import dev.gadget.model.Protocol;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.terminal.TerminalEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a page that shows one terminal. What the terminal prints waits here as text that grows, not as messages; the drone
 * sends no more than the page acknowledges, and one that does is cut off from it.
 */
final class TerminalView {
    private static final int MAX_WAITING = 1 << 20;
    private static final long OPENS_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Where it leads. */
    record Place(DroneConnection drone, TerminalCommand.Open open) {}

    private final String id = UUID.randomUUID().toString();
    private final SocketHandle socket;
    private final Caller caller;
    private final ObjectWriter writer;
    private final Outlet outlet;
    private final long since = System.nanoTime();
    private final Deque<TerminalEvent> events = new ArrayDeque<>();
    private final StringBuilder output = new StringBuilder();
    private long outputAt;
    private boolean lastWaits;
    private volatile @Nullable Place place;
    private volatile boolean over;

    TerminalView(SocketHandle socket, Caller caller, ObjectWriter writer) {
        this.socket = socket;
        this.caller = caller;
        this.writer = writer;
        this.outlet = new Outlet(socket, this::next, _ -> close(TerminalClose.SLOW));
    }

    String id() {
        return id;
    }

    Caller caller() {
        return caller;
    }

    /** The drone and what was opened there; null before. */
    @Nullable
    Place place() {
        return place;
    }

    void place(Place found) {
        place = found;
    }

    boolean over() {
        return over;
    }

    boolean opensNothing(long now) {
        return place == null && now - since > OPENS_WITHIN_NANOS;
    }

    boolean stalled() {
        return outlet.stalled();
    }

    void tell(TerminalEvent event) {
        boolean tooMuch;
        synchronized (this) {
            if (over || lastWaits) {
                return;
            }
            tooMuch = !add(event);
        }
        if (tooMuch) {
            close(TerminalClose.SLOW);
        } else {
            outlet.wake();
        }
    }

    private boolean add(TerminalEvent event) {
        if (!(event instanceof TerminalEvent.Output piece)) {
            flush();
            return events.size() < MAX_WAITING / Protocol.TEXT_PART_CHARS && events.add(event);
        }
        if (output.length() > 0 && outputAt + output.length() != piece.offset()) {
            flush();
        }
        if (output.isEmpty()) {
            outputAt = piece.offset();
        }
        output.append(piece.text());
        return output.length() <= MAX_WAITING;
    }

    /** What follows is not to overtake what was printed before. */
    private void flush() {
        while (!output.isEmpty()) {
            events.add(piece());
        }
    }

    private TerminalEvent.Output piece() {
        int to = Math.min(output.length(), Protocol.TEXT_PART_CHARS);
        if (to < output.length() && Character.isHighSurrogate(output.charAt(to - 1))) {
            to--;
        }
        var piece = new TerminalEvent.Output(outputAt, output.substring(0, to));
        output.delete(0, to);
        outputAt += to;
        return piece;
    }

    private @Nullable String next() {
        TerminalEvent event;
        boolean done;
        synchronized (this) {
            event = events.poll();
            if (event == null && !output.isEmpty()) {
                event = piece();
            }
            done = event == null && lastWaits;
        }
        if (done) {
            close(TerminalClose.DONE);
        }
        return event == null ? null : write(event);
    }

    /** Says what waits, and this as the last thing. */
    void closeAfter(TerminalEvent last) {
        if (over) {
            return;
        }
        synchronized (this) {
            flush();
            events.add(last);
            lastWaits = true;
        }
        outlet.wake();
    }

    void close(CloseReason why) {
        if (over) {
            return;
        }
        over = true;
        outlet.stop();
        socket.close(why);
    }

    void closed() {
        over = true;
        outlet.stop();
    }

    private String write(TerminalEvent event) {
        try {
            return writer.writeValueAsString(event);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a message that cannot be written: " + event.getClass(), e);
        }
    }
}
