package dev.gadget.drone.link;

import dev.gadget.drone.tool.BackgroundProcesses;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.process.BackgroundProcess;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** Tells a person what runs in the background of a session, and stops it; also while the agent works. */
final class ProcessDesk {
    private static final Logger LOG = Logger.getLogger(ProcessDesk.class);

    private final BackgroundProcesses processes;
    private final Consumer<DroneEvent> say;

    ProcessDesk(BackgroundProcesses processes, Consumer<DroneEvent> say) {
        this.processes = processes;
        this.say = say;
    }

    /** Apart from the connection's own thread: ending a process takes a moment. */
    void asked(DroneCommand.RequestProcesses wanted) {
        Thread.ofVirtual().name("processes").start(() -> {
            try {
                say.accept(answer(wanted));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** The session is gone; ending them takes a moment. */
    void forget(SessionId session) {
        processes.stopAll(session);
    }

    private DroneEvent answer(DroneCommand.RequestProcesses wanted) throws InterruptedException {
        SessionId session = wanted.sessionId();
        String id = Objects.requireNonNullElse(wanted.process(), "");
        return switch (wanted.action()) {
            case LIST -> all(wanted);
            case OUTPUT -> {
                Optional<BackgroundProcesses.Output> output = processes.output(session, id);
                yield output.isEmpty()
                        ? unknown(wanted)
                        : new DroneEvent.ProcessesAnswered(
                                wanted.requestId(),
                                null,
                                List.of(),
                                output.get().text(),
                                output.get().complete());
            }
            case STOP -> {
                Optional<BackgroundProcess> stopped = processes.stopForPerson(session, id);
                LOG.infof("process stopped sessionId=%s known=%s", session, stopped.isPresent());
                yield stopped.isEmpty()
                        ? unknown(wanted)
                        : new DroneEvent.ProcessesAnswered(
                                wanted.requestId(), null, List.of(stopped.get()), null, null);
            }
            case STOP_ALL -> {
                processes.stopAll(session);
                yield all(wanted);
            }
        };
    }

    private DroneEvent all(DroneCommand.RequestProcesses wanted) {
        return new DroneEvent.ProcessesAnswered(
                wanted.requestId(), null, processes.list(wanted.sessionId()), null, null);
    }

    private static DroneEvent unknown(DroneCommand.RequestProcesses wanted) {
        return new DroneEvent.ProcessesAnswered(
                wanted.requestId(),
                new Failure(
                        FailureCode.NOT_FOUND,
                        "There is no process " + wanted.process()
                                + " in this session (any more): it ended long ago, or with its drone."),
                List.of(),
                null,
                null);
    }
}
