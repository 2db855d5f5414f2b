package dev.gadget.code.drone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.code.RefusedException;
import dev.gadget.code.account.Caller;
import dev.gadget.code.http.Checks;
import dev.gadget.code.session.Sessions;
import dev.gadget.code.socket.Pace;
import dev.gadget.code.socket.SocketEndpoint;
import dev.gadget.code.socket.SocketHandle;
import dev.gadget.code.socket.SocketListener;
import dev.gadget.code.socket.TaskLine;
import dev.gadget.code.store.DroneArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.OneLine;
import dev.gadget.model.Protocol;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Where drones dial in. */
@ApplicationScoped
public class DroneSocket implements SocketEndpoint {
    private static final Logger LOG = Logger.getLogger(DroneSocket.class);
    /** A drone that comes back says all at once what it still has; as many of its batches as may wait. */
    private static final int MOST_WAITING_CHARS = 1024 * Protocol.BATCH_BYTES;

    private final Set<DroneConnection> open = ConcurrentHashMap.newKeySet();
    private final DroneArchive drones;
    private final DroneConnections connections;
    private final WorkCoordinator work;
    private final LeaseKeeper leases;
    private final DroneReturn returns;
    private final WorkspaceDesk desk;
    private final DroneQuestions questions;
    private final ModelExams exams;
    private final TerminalDesk terminals;
    private final Sessions sessions;
    private final Pace pace;
    private final ObjectReader reader;
    private final ObjectWriter writer;
    private final String version;
    private final Clock clock = Clock.systemUTC();

    DroneSocket(
            DroneArchive drones,
            DroneConnections connections,
            WorkCoordinator work,
            LeaseKeeper leases,
            DroneReturn returns,
            WorkspaceDesk desk,
            DroneQuestions questions,
            ModelExams exams,
            TerminalDesk terminals,
            Sessions sessions,
            Pace pace,
            ObjectMapper mapper,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.drones = drones;
        this.connections = connections;
        this.work = work;
        this.leases = leases;
        this.returns = returns;
        this.desk = desk;
        this.questions = questions;
        this.exams = exams;
        this.terminals = terminals;
        this.sessions = sessions;
        this.pace = pace;
        this.reader = mapper.readerFor(DroneEvent.class);
        this.writer = mapper.writerFor(DroneCommand.class);
        this.version = version;
    }

    @Override
    public String path() {
        return "/ws/drone";
    }

    @Override
    public String role() {
        return "drone";
    }

    @Override
    public SocketListener opened(SocketHandle socket, Caller caller) {
        var line = new Line(socket, new TaskLine("drone-" + caller.droneId(), MOST_WAITING_CHARS));
        line.tasks.addLast(() -> line.enter(caller));
        return line;
    }

    /**
     * What one drone says, a message after the other. What it says of a turn is taken on the event loop, all else may wait for the store
     * and is handed on.
     */
    private final class Line implements SocketListener {
        private final SocketHandle socket;
        private final TaskLine tasks;
        private volatile @Nullable DroneConnection connection;

        // Known to the event loop only, as what was read of a turn and is not in it yet.
        private final TextReports texts = new TextReports();
        private DroneEvent.@Nullable WorkReported gathered;

        Line(SocketHandle socket, TaskLine tasks) {
            this.socket = socket;
            this.tasks = tasks;
        }

        void enter(Caller caller) {
            DroneId id = caller.droneId();
            Optional<Drone> drone;
            try {
                drone = id == null ? Optional.empty() : drones.find(caller.userId(), id);
            } catch (StoreException unavailable) {
                socket.close(DroneClose.STORE_AWAY);
                return;
            }
            if (drone.isEmpty()) {
                socket.close(DroneClose.REVOKED);
                return;
            }
            var entered = new DroneConnection(socket, tasks, writer, drone.get());
            connection = entered;
            open.add(entered);
        }

        @Override
        public void said(String text) {
            DroneConnection known = connection;
            if (known != null) {
                known.heard();
            }
            DroneEvent.WorkReported ofText = texts.read(text);
            DroneEvent event = ofText == null ? read(text) : ofText;
            if (known != null
                    && event instanceof DroneEvent.WorkReported report
                    && known.hello() != null
                    && tasks.idle()) {
                gather(known, report);
                return;
            }
            saidAll();
            if (!tasks.add(text.length(), () -> take(event))) {
                LOG.warn("a drone says more at once than can be done, and is cut off");
                socket.close(DroneClose.SLOW);
            }
        }

        /** On a slow line the rest of a message may take longer than a drone may be silent. */
        @Override
        public void saidPart() {
            DroneConnection known = connection;
            if (known != null) {
                known.heard();
            }
        }

        /** What is read at once goes into the turn at once, so that its readers are told of it at once. */
        private void gather(DroneConnection known, DroneEvent.WorkReported report) {
            DroneEvent.WorkReported before = gathered;
            if (before != null && sameWork(before, report)) {
                before.entries().addAll(report.entries());
            } else {
                saidAll();
                gathered = new DroneEvent.WorkReported(
                        report.workOrderId(), report.attempt(), report.fence(), new ArrayList<>(report.entries()));
            }
        }

        private static boolean sameWork(DroneEvent.WorkReported one, DroneEvent.WorkReported other) {
            return one.fence() == other.fence()
                    && one.attempt() == other.attempt()
                    && one.workOrderId().equals(other.workOrderId());
        }

        @Override
        public void saidAll() {
            DroneEvent.WorkReported report = gathered;
            DroneConnection known = connection;
            if (report != null && known != null && !socket.closing()) {
                gathered = null;
                DroneSocket.this.take(known, report);
                socket.rest(pace.roundMillis());
            }
        }

        private void take(@Nullable DroneEvent event) {
            DroneConnection known = connection;
            if (known == null || socket.closing()) {
                return;
            }
            if (event == null) {
                known.closeAfterLast(
                        new DroneCommand.Refused(new Failure(
                                FailureCode.FRAME_INVALID,
                                "That is not a message of protocol " + Protocol.VERSION + ".")),
                        DroneClose.FRAME_INVALID);
            } else {
                DroneSocket.this.take(known, event);
            }
        }

        @Override
        public void failed(Throwable failure) {
            LOG.debug("a connection of a drone failed", failure);
            socket.close(DroneClose.FRAME_INVALID);
        }

        @Override
        public void signedOut() {
            DroneConnection known = connection;
            if (known == null) {
                socket.close(DroneClose.REVOKED);
            } else {
                known.close(DroneClose.REVOKED);
            }
        }

        @Override
        public void closed() {
            saidAll();
            tasks.addLast(this::leave);
        }

        private void leave() {
            DroneConnection known = connection;
            if (known != null && open.remove(known)) {
                known.closed();
                // First of all: whoever hears that it is lost and asks again is not to find it any more.
                leases.left(known);
                questions.left(known);
                exams.left(known);
                terminals.left(known);
            }
        }
    }

    /** The message; null when it is none. */
    private @Nullable DroneEvent read(String text) {
        try {
            return reader.readValue(text);
        } catch (JsonProcessingException e) {
            LOG.warnf("a drone sent a message that is not one: %s", OneLine.of(e.getOriginalMessage()));
            return null;
        }
    }

    private void take(DroneConnection connection, DroneEvent event) {
        try {
            if (event instanceof DroneEvent.Hello hello) {
                hello(connection, hello);
            } else if (connection.hello() == null) {
                connection.close(DroneClose.NO_HELLO);
            } else {
                handle(connection, event);
            }
        } catch (StoreException unavailable) {
            // Nothing was promised: the drone comes back, and says again what it has.
            LOG.warnf("drone %s has to come back later: %s", connection.id(), unavailable.getMessage());
            connection.close(DroneClose.STORE_AWAY);
        } catch (RuntimeException failure) {
            LOG.errorf(failure, "what drone %s said cannot be handled", connection.id());
            connection.close(DroneClose.FRAME_INVALID);
        }
    }

    private void handle(DroneConnection connection, DroneEvent event) {
        switch (event) {
            case DroneEvent.Hello _ -> throw new IllegalStateException("a hello was handled before");
            case DroneEvent.WorkReported report -> work.reported(connection, report);
            case DroneEvent.WorkOrderAccepted accepted -> work.accepted(connection, accepted);
            case DroneEvent.WorkOrderRejected rejected -> work.rejected(connection, rejected);
            case DroneEvent.CrashRecoveryRequested asked -> returns.recover(connection, asked.held());
            case DroneEvent.Heartbeat beat -> {
                connection.load(beat.load());
                status(connection, beat.status());
            }
            case DroneEvent.StatusChanged changed -> status(connection, changed.status());
            case DroneEvent.SessionLockAnswered answer -> questions.answered(connection, answer.requestId(), answer);
            case DroneEvent.WorkspaceModeAnswered answer -> questions.answered(connection, answer.requestId(), answer);
            case DroneEvent.TurnFilesAnswered answer -> questions.answered(connection, answer.requestId(), answer);
            case DroneEvent.WorkspaceModeChanged changed -> desk.changed(connection, changed.mode());
            case DroneEvent.FileText part -> questions.said(connection, part);
            case DroneEvent.FilesAnswered answer -> questions.answered(connection, answer.requestId(), answer);
            case DroneEvent.ProjectAnswered answer -> questions.answered(connection, answer.requestId(), answer);
            case DroneEvent.ProcessesAnswered answer -> {
                if (Drone.isStop(answer.requestId())) {
                    drones.change(connection.owner(), connection.id(), drone -> drone.stopped(answer.requestId()));
                } else {
                    questions.answered(connection, answer.requestId(), answer);
                }
            }
            case DroneEvent.ExamProgressed progress -> exams.progressed(connection, progress);
            case DroneEvent.ModelExamined examined -> exams.examined(connection, examined);
            case DroneEvent.SessionTitled titled ->
                sessions.entitle(
                        connection.owner(),
                        connection.workspace(),
                        titled.sessionId(),
                        titled.title(),
                        Optional.ofNullable(titled.usage()));
            case DroneEvent.SessionForgotten forgotten ->
                drones.change(connection.owner(), connection.id(), drone -> drone.told(forgotten.sessionId()));
            case DroneEvent.TerminalSaid said -> terminals.said(connection, said);
        }
    }

    private void hello(DroneConnection connection, DroneEvent.Hello hello) {
        if (hello.protocolVersion() != Protocol.VERSION) {
            connection.closeAfterLast(
                    new DroneCommand.Refused(new Failure(
                            FailureCode.PROTOCOL_MISMATCH,
                            "This service speaks protocol " + Protocol.VERSION + ", the drone "
                                    + hello.protocolVersion() + ". Update the older one of the two.")),
                    DroneClose.PROTOCOL_MISMATCH);
            return;
        }
        try {
            requireLines(hello);
        } catch (RefusedException refused) {
            connection.closeAfterLast(new DroneCommand.Refused(refused.failure()), DroneClose.FRAME_INVALID);
            return;
        }
        switch (enter(connection, hello)) {
            case DroneConnections.Entry.Locked _ ->
                connection.closeAfterLast(
                        new DroneCommand.Refused(new Failure(
                                FailureCode.WORKSPACE_LOCKED,
                                "Another drone is connected for this workspace. If the directory was copied, remove .gadget"
                                        + " from the copy and enrol it by itself.")),
                        DroneClose.WORKSPACE_LOCKED);
            case DroneConnections.Entry.Foreign _ ->
                connection.closeAfterLast(
                        new DroneCommand.Refused(new Failure(
                                FailureCode.FORBIDDEN,
                                "This drone was enrolled for another workspace than the one that it says it works in. Enrol"
                                        + " this workspace by itself: get a code from the page (Drones, Connect a drone), and"
                                        + " run 'gadget-drone enroll' here.")),
                        DroneClose.FOREIGN_WORKSPACE);
            case DroneConnections.Entry.In in -> {
                DroneConnection replaced = in.replaced();
                if (replaced != null && replaced != connection) {
                    replaced.close(DroneClose.REPLACED);
                }
                welcome(connection, hello);
            }
        }
    }

    /**
     * A connection in the way that does not answer is one that hangs: of a laptop that changed its network and with it its name, of a
     * container that was made anew. Only one that is alive keeps another out, which is for good.
     */
    private DroneConnections.Entry enter(DroneConnection connection, DroneEvent.Hello hello) {
        DroneConnections.Entry entry = connections.enter(connection, hello);
        try {
            if (entry instanceof DroneConnections.Entry.Locked locked
                    && !locked.by().answers()) {
                locked.by().close(DroneClose.SILENT);
                leases.left(locked.by());
                return connections.enter(connection, hello);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return entry;
    }

    /** They are logged, stored and listed as they are. */
    private static void requireLines(DroneEvent.Hello hello) {
        Checks.line("droneVersion", hello.droneVersion(), DroneEnrolment.MAX_HOSTNAME);
        Checks.line("hostname", hello.hostname(), DroneEnrolment.MAX_HOSTNAME);
        Checks.line("platform", hello.platform(), DroneEnrolment.MAX_HOSTNAME);
        Checks.line("workspaceDir", hello.workspaceDir(), DroneEnrolment.MAX_PATH);
    }

    private void welcome(DroneConnection connection, DroneEvent.Hello hello) {
        LOG.infof(
                "drone %s is connected: %s on %s, version %s",
                connection.id(), hello.workspaceDir(), hello.hostname(), hello.droneVersion());
        connection.send(new DroneCommand.Welcome(
                Protocol.VERSION,
                connection.id(),
                version,
                clock.instant(),
                Protocol.HEARTBEAT_SECONDS,
                Protocol.LEASE_SECONDS));
        // Before anything that takes time: a turn that this connection is given meanwhile would be offered twice.
        returns.greeted(connection, hello);
        connection.settled();
        remember(connection, hello);
        takeLeave(connection, hello);
        connections.announce(connection.owner(), connection.id());
    }

    /** What the list of drones shows; it does no harm when that cannot be stored now. */
    private void remember(DroneConnection connection, DroneEvent.Hello hello) {
        try {
            drones.change(connection.owner(), connection.id(), drone -> drone.seen(hello, Instant.now(clock)))
                    .ifPresent(drone -> drone.toTell().forEach(connection::send));
        } catch (StoreException e) {
            LOG.warnf("what drone %s said of itself is not stored: %s", connection.id(), e.getMessage());
        }
    }

    /** It is done with the next greeting when the store is away now. */
    private void takeLeave(DroneConnection connection, DroneEvent.Hello hello) {
        try {
            returns.takeLeave(connection, hello);
        } catch (StoreException e) {
            LOG.warnf("whether turns wait for drone %s in vain is not known: %s", connection.id(), e.getMessage());
        }
    }

    private void status(DroneConnection connection, DroneStatus status) {
        if (connection.status() != status) {
            connection.status(status);
            connections.announce(connection.owner(), connection.id());
        }
    }

    @Scheduled(every = "5s")
    void look() {
        long now = System.nanoTime();
        open.stream()
                .filter(connection -> connection.saysNothing(now))
                .forEach(connection -> connection.close(DroneClose.NO_HELLO));
    }

    /** Drones come back by themselves; a service that goes down says so at once instead of holding their sockets. */
    void onStop(@Observes ShutdownEvent stopping) {
        open.forEach(connection -> connection.close(DroneClose.GOING_DOWN));
    }
}
