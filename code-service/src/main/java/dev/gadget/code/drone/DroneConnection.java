package dev.gadget.code.drone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.code.socket.Goodbye;
import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import io.quarkus.websockets.next.CloseReason;
import io.quarkus.websockets.next.WebSocketConnection;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One open connection of a drone. Whoever has something to say puts it into a bounded queue; one thread sends, because sending
 * blocks when the drone stops reading.
 */
final class DroneConnection {
    private static final Logger LOG = Logger.getLogger(DroneConnection.class);
    private static final int MAX_WAITING = 1024;

    private final WebSocketConnection socket;
    private final ObjectWriter writer;
    private final Drone drone;
    private final BlockingQueue<DroneCommand> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final Thread sender;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("drone-worker").factory());
    private final AtomicInteger tasks = new AtomicInteger();

    private volatile DroneEvent.@Nullable Hello hello;
    private volatile DroneStatus status = DroneStatus.STARTING;
    private volatile WorkspaceMode mode = WorkspaceMode.IDLE;
    private volatile @Nullable Assignment assignment;
    private volatile long heardAt = System.nanoTime();
    private volatile long saidAt = System.nanoTime();

    DroneConnection(WebSocketConnection socket, ObjectWriter writer, Drone drone) {
        this.socket = socket;
        this.writer = writer;
        this.drone = drone;
        this.sender = Thread.ofVirtual().name("drone-" + drone.id()).start(this::sendAll);
    }

    DroneId id() {
        return drone.id();
    }

    UserId owner() {
        return drone.ownerId();
    }

    Drone drone() {
        return drone;
    }

    WorkspaceId workspace() {
        DroneEvent.Hello said = hello;
        return said == null ? drone.workspaceId() : said.workspaceId();
    }

    DroneEvent.@Nullable Hello hello() {
        return hello;
    }

    void greeted(DroneEvent.Hello said) {
        hello = said;
        status = said.status();
    }

    DroneStatus status() {
        return status;
    }

    void status(DroneStatus said) {
        status = said;
    }

    /** What it was found to work on last; for every token, so that nothing has to be looked up. */
    @Nullable
    Assignment assignment() {
        return assignment;
    }

    void assignment(@Nullable Assignment found) {
        assignment = found;
    }

    WorkspaceMode mode() {
        return mode;
    }

    void mode(WorkspaceMode said) {
        mode = said;
    }

    void heard() {
        heardAt = System.nanoTime();
    }

    long secondsSinceHeard() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - heardAt);
    }

    long secondsSinceSaid() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - saidAt);
    }

    /** Says it as soon as what was said before is out; a drone that takes nothing is cut off. */
    void send(DroneCommand command) {
        if (!waiting.offer(command)) {
            close(DroneClose.SLOW);
        }
    }

    /** Whether nothing that was handed on is still being done, so that what comes now is not out of its turn. */
    boolean idle() {
        return tasks.get() == 0;
    }

    /** Does it apart from the event loop, after what was handed on before. */
    void later(Runnable task) {
        if (tasks.getAndIncrement() >= MAX_WAITING) {
            close(DroneClose.SLOW);
            return;
        }
        worker.execute(() -> {
            try {
                task.run();
            } finally {
                tasks.decrementAndGet();
            }
        });
    }

    void close(DroneClose why) {
        LOG.infof("closing the connection of drone %s: %s", id(), why.reason());
        sender.interrupt();
        Goodbye.say(socket, new CloseReason(why.code(), why.reason()));
    }

    /** Says what waits, as far as it goes at once, and then closes. */
    void closeAfterLast(DroneCommand last, DroneClose why) {
        sender.interrupt();
        Goodbye.say(socket, json(last), new CloseReason(why.code(), why.reason()));
    }

    /** The socket is closed: does this after all that was handed on, and nothing more. */
    void stopped(Runnable last) {
        worker.execute(last);
        worker.shutdown();
        sender.interrupt();
    }

    private void sendAll() {
        try {
            while (socket.isOpen()) {
                DroneCommand command = waiting.take();
                socket.sendTextAndAwait(json(command));
                saidAt = System.nanoTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException gone) {
            LOG.debugf(gone, "drone %s went away while it was told something", id());
        }
    }

    private String json(DroneCommand command) {
        try {
            return writer.writeValueAsString(command);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a message that cannot be written: " + command.getClass(), e);
        }
    }
}
