package dev.gadget.code.drone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.code.socket.CloseReason;
import dev.gadget.code.socket.Outlet;
import dev.gadget.code.socket.SocketHandle;
import dev.gadget.code.socket.TaskLine;
import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.MachineLoad;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One open connection of a drone. Whoever has something to say puts it into a bounded queue, which is sent from the event loop. */
final class DroneConnection {
    private static final Logger LOG = Logger.getLogger(DroneConnection.class);
    private static final int MAX_WAITING = 1024;
    /** Their texts, in parts, fit into what may wait, in both directions. */
    private static final int MAX_FILE_QUESTIONS = 8;

    private static final long ANSWERS_WITHIN_SECONDS = 5;
    private static final long GREETS_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final SocketHandle socket;
    private final ObjectWriter writer;
    private final Drone drone;
    private final Queue<Said> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waits = new AtomicInteger();
    private final Outlet outlet;
    private final Semaphore filePlaces = new Semaphore(MAX_FILE_QUESTIONS, true);
    private final Semaphore findPlace = new Semaphore(1);
    private final TaskLine tasks;

    /** What is done when the frame on its way is out; known to the event loop only. */
    private Runnable whenOut = () -> {};

    private volatile DroneEvent.@Nullable Hello hello;
    private volatile DroneStatus status = DroneStatus.STARTING;
    private volatile boolean settled;
    private volatile WorkspaceMode mode = WorkspaceMode.IDLE;
    private volatile @Nullable MachineLoad load;
    private volatile @Nullable Assignment assignment;
    private final long openedAt = System.nanoTime();
    private volatile long heardAt = System.nanoTime();
    private volatile long saidAt = System.nanoTime();

    /** A command that waits, and what is done when the system has taken all of it. */
    private record Said(DroneCommand command, Runnable out) {}

    /** @param tasks what it says is done there, apart from what it says of turns */
    DroneConnection(SocketHandle socket, TaskLine tasks, ObjectWriter writer, Drone drone) {
        this.socket = socket;
        this.tasks = tasks;
        this.writer = writer;
        this.drone = drone;
        this.outlet = new Outlet(socket, this::next, this::gone);
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
        return drone.workspaceId();
    }

    DroneEvent.@Nullable Hello hello() {
        return hello;
    }

    void greeted(DroneEvent.Hello said) {
        hello = said;
        status = said.status();
    }

    /** It is decided what becomes of the work that it came back with; until then it is given nothing else. */
    void settled() {
        settled = true;
    }

    DroneStatus status() {
        return settled ? status : DroneStatus.STARTING;
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

    @Nullable
    MachineLoad load() {
        return load;
    }

    void load(@Nullable MachineLoad said) {
        load = said;
    }

    WorkspaceMode mode() {
        return mode;
    }

    void mode(WorkspaceMode said) {
        mode = said;
    }

    /** Held by the one question for files by their name that is asked at a time. */
    Semaphore findPlace() {
        return findPlace;
    }

    /** Held by each other question about files until it is answered. */
    Semaphore filePlaces() {
        return filePlaces;
    }

    void heard() {
        heardAt = System.nanoTime();
    }

    /** Whether it should have said hello by now. */
    boolean saysNothing(long now) {
        return hello == null && now - openedAt > GREETS_WITHIN_NANOS;
    }

    /** Whether its other end is still there; asked, and waited for a few seconds. */
    boolean answers() throws InterruptedException {
        try {
            return socket.ask().get(ANSWERS_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.debugf(e, "the connection of drone %s does not answer", id());
            return false;
        }
    }

    long secondsSinceHeard() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - heardAt);
    }

    long secondsSinceSaid() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - saidAt);
    }

    /** Says it as soon as what was said before is out; a drone that takes nothing is cut off. */
    void send(DroneCommand command) {
        send(command, () -> {});
    }

    /** The same, and then does this, on the event loop. */
    void send(DroneCommand command, Runnable out) {
        if (waits.getAndIncrement() >= MAX_WAITING || outlet.stalled()) {
            close(DroneClose.SLOW);
            return;
        }
        waiting.add(new Said(command, out));
        outlet.wake();
    }

    /** Whether so much waits for it that what can be left out has to be. */
    boolean crowded() {
        return waits.get() > MAX_WAITING / 2;
    }

    /** Whether nothing that was handed on is still being done, so that what comes now is not out of its turn. */
    boolean idle() {
        return tasks.idle();
    }

    void close(CloseReason why) {
        LOG.infof("closing the connection of drone %s: %s", id(), why.reason());
        outlet.stop();
        socket.close(why);
    }

    /** Says what waits, as far as it goes at once, and then closes. */
    void closeAfterLast(DroneCommand last, CloseReason why) {
        outlet.stop();
        socket.closeAfter(json(last), why);
    }

    /** The socket is closed. */
    void closed() {
        outlet.stop();
    }

    /** Asked for when the frame before is out. */
    private @Nullable String next() {
        Runnable before = whenOut;
        whenOut = () -> {};
        before.run();
        Said said = waiting.poll();
        if (said == null) {
            return null;
        }
        waits.decrementAndGet();
        saidAt = System.nanoTime();
        whenOut = said.out();
        return json(said.command());
    }

    private void gone(Throwable why) {
        LOG.debugf(why, "drone %s went away while it was told something", id());
        close(DroneClose.SLOW);
    }

    private String json(DroneCommand command) {
        try {
            return writer.writeValueAsString(command);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a message that cannot be written: " + command.getClass(), e);
        }
    }
}
