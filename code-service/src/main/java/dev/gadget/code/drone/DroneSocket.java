package dev.gadget.code.drone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.code.account.Caller;
import dev.gadget.code.account.Callers;
import dev.gadget.code.account.TokenRevoked;
import dev.gadget.code.store.DroneArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.websockets.next.CloseReason;
import io.quarkus.websockets.next.OnClose;
import io.quarkus.websockets.next.OnError;
import io.quarkus.websockets.next.OnOpen;
import io.quarkus.websockets.next.OnTextMessage;
import io.quarkus.websockets.next.WebSocket;
import io.quarkus.websockets.next.WebSocketConnection;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Where drones dial in. One message at a time per connection, in order. */
@WebSocket(path = "/ws/drone")
@RolesAllowed("drone")
public class DroneSocket {
    private static final Logger LOG = Logger.getLogger(DroneSocket.class);

    private final ConcurrentHashMap<String, DroneConnection> open = new ConcurrentHashMap<>();
    private final SecurityIdentity identity;
    private final DroneArchive drones;
    private final DroneConnections connections;
    private final WorkCoordinator work;
    private final LeaseKeeper leases;
    private final DroneReturn returns;
    private final WorkspaceDesk desk;
    private final DroneQuestions questions;
    private final ModelExams exams;
    private final TerminalDesk terminals;
    private final ObjectReader reader;
    private final TextReports texts;
    private final ObjectWriter writer;
    private final String version;
    private final Clock clock = Clock.systemUTC();

    DroneSocket(
            SecurityIdentity identity,
            DroneArchive drones,
            DroneConnections connections,
            WorkCoordinator work,
            LeaseKeeper leases,
            DroneReturn returns,
            WorkspaceDesk desk,
            DroneQuestions questions,
            ModelExams exams,
            TerminalDesk terminals,
            ObjectMapper mapper,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.identity = identity;
        this.drones = drones;
        this.connections = connections;
        this.work = work;
        this.leases = leases;
        this.returns = returns;
        this.desk = desk;
        this.questions = questions;
        this.exams = exams;
        this.terminals = terminals;
        this.reader = mapper.readerFor(DroneEvent.class);
        this.texts = new TextReports(mapper.getFactory());
        this.writer = mapper.writerFor(DroneCommand.class);
        this.version = version;
    }

    @OnOpen
    @RunOnVirtualThread
    void opened(WebSocketConnection socket) {
        Caller caller = Callers.of(identity);
        DroneId id = caller.droneId();
        Optional<Drone> drone;
        try {
            drone = id == null ? Optional.empty() : drones.find(caller.userId(), id);
        } catch (StoreException unavailable) {
            socket.closeAndAwait(new CloseReason(DroneClose.STORE_AWAY.code(), DroneClose.STORE_AWAY.reason()));
            return;
        }
        if (drone.isEmpty()) {
            socket.closeAndAwait(new CloseReason(DroneClose.REVOKED.code(), "this drone is not enrolled any more"));
            return;
        }
        open.put(socket.id(), new DroneConnection(socket, writer, drone.get()));
    }

    /** Runs on the event loop: what a drone says of a turn is taken there, all else may wait for the store and is handed on. */
    @OnTextMessage
    @NonBlocking
    void said(String text, WebSocketConnection socket) {
        DroneConnection connection = open.get(socket.id());
        if (connection == null) {
            return;
        }
        connection.heard();
        DroneEvent event = texts.read(text);
        try {
            if (event == null) {
                event = reader.readValue(text);
            }
        } catch (JsonProcessingException e) {
            LOG.warnf("drone %s sent a message that is not one: %s", connection.id(), e.getOriginalMessage());
            connection.closeAfterLast(
                    new DroneCommand.Refused(new Failure(
                            FailureCode.FRAME_INVALID, "That is not a message of protocol " + Protocol.VERSION + ".")),
                    DroneClose.FRAME_INVALID);
            return;
        }
        DroneEvent said = event;
        if (said instanceof DroneEvent.WorkReported report && connection.hello() != null && connection.idle()) {
            work.reported(connection, report);
        } else {
            connection.later(() -> take(connection, said));
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
            case DroneEvent.Heartbeat beat -> status(connection, beat.status());
            case DroneEvent.StatusChanged changed -> status(connection, changed.status());
            case DroneEvent.SessionLockAnswered answer -> questions.answered(connection, answer.requestId(), answer);
            case DroneEvent.WorkspaceModeAnswered answer -> questions.answered(connection, answer.requestId(), answer);
            case DroneEvent.TurnFilesAnswered answer -> questions.answered(connection, answer.requestId(), answer);
            case DroneEvent.WorkspaceModeChanged changed -> desk.changed(connection, changed.mode());
            case DroneEvent.FileText part -> questions.said(connection, part);
            case DroneEvent.FilesAnswered answer -> questions.answered(connection, answer.requestId(), answer);
            case DroneEvent.ProjectAnswered answer -> questions.answered(connection, answer.requestId(), answer);
            case DroneEvent.ExamProgressed progress -> exams.progressed(connection, progress);
            case DroneEvent.ModelExamined examined -> exams.examined(connection, examined);
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
        switch (connections.enter(connection, hello)) {
            case DroneConnections.Entry.Locked _ ->
                connection.closeAfterLast(
                        new DroneCommand.Refused(new Failure(
                                FailureCode.WORKSPACE_LOCKED,
                                "Another drone is connected for this workspace. If the directory was copied, remove .gadget"
                                        + " from the copy and enrol it by itself.")),
                        DroneClose.WORKSPACE_LOCKED);
            case DroneConnections.Entry.In in -> {
                DroneConnection replaced = in.replaced();
                if (replaced != null && replaced != connection) {
                    replaced.close(DroneClose.REPLACED);
                }
                welcome(connection, hello);
            }
        }
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
        remember(connection, hello);
        returns.greeted(connection, hello);
        connections.announce(connection.owner(), connection.id());
    }

    /** What the list of drones shows; it does no harm when that cannot be stored now. */
    private void remember(DroneConnection connection, DroneEvent.Hello hello) {
        try {
            drones.find(connection.owner(), connection.id())
                    .ifPresent(drone -> drones.replace(drone.seen(hello, Instant.now(clock))));
        } catch (StoreException e) {
            LOG.warnf("what drone %s said of itself is not stored: %s", connection.id(), e.getMessage());
        }
    }

    private void status(DroneConnection connection, DroneStatus status) {
        if (connection.status() != status) {
            connection.status(status);
            connections.announce(connection.owner(), connection.id());
        }
    }

    @OnClose
    @RunOnVirtualThread
    void closed(WebSocketConnection socket) {
        DroneConnection connection = open.remove(socket.id());
        if (connection != null) {
            connection.stopped(() -> {
                questions.left(connection);
                exams.left(connection);
                terminals.left(connection);
                leases.left(connection);
            });
        }
    }

    @OnError
    void failed(Throwable failure, WebSocketConnection socket) {
        LOG.debugf(failure, "connection %s of a drone failed", socket.id());
    }

    /** A credential that was taken back ends what it opened. */
    void onRevoked(@Observes TokenRevoked revoked) {
        open.values().stream()
                .filter(connection -> connection.drone().credentialId().equals(revoked.tokenId()))
                .forEach(connection -> connection.close(DroneClose.REVOKED));
    }

    /** Drones come back by themselves; a service that goes down says so at once instead of holding their sockets. */
    void onStop(@Observes ShutdownEvent stopping) {
        open.values().forEach(connection -> connection.close(DroneClose.GOING_DOWN));
    }
}
