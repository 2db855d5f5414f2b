package dev.gadget.code.drone;

import dev.gadget.code.RefusedException;
import dev.gadget.code.audit.AuditLog;
import dev.gadget.code.session.SessionLeft;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.turn.LiveTurn;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.api.AuditApi.AuditKind;
import dev.gadget.model.api.ProcessApi.ProcessOutput;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.process.BackgroundProcess;
import dev.gadget.model.process.ProcessAction;
import dev.gadget.model.process.ProcessStatus;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What runs in the background of a session: nothing of it is here, the drone of its workspace is asked each time. */
@ApplicationScoped
class ProcessDesk {
    private static final Logger LOG = Logger.getLogger(ProcessDesk.class);

    /** Longer than a drone takes to end one. */
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(10);

    private static final int MAX_ID = 32;
    private static final int MOST_STOPS = 1000;

    private final SessionArchive sessions;
    private final WorkspaceDesk workspaces;
    private final DroneQuestions questions;
    private final AuditLog audit;
    /** The latest that somebody wished to stop: a wish is audited once, however often it is said while the process ends. */
    private final Set<String> stops = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_STOPS;
        }
    }));

    ProcessDesk(SessionArchive sessions, WorkspaceDesk workspaces, DroneQuestions questions, AuditLog audit) {
        this.sessions = sessions;
        this.workspaces = workspaces;
        this.questions = questions;
        this.audit = audit;
    }

    List<BackgroundProcess> list(UserId owner, SessionId id) {
        return ask(workspaces.drone(owner, id), id, ProcessAction.LIST, null).processes();
    }

    ProcessOutput output(UserId owner, SessionId id, String process) {
        var answer = ask(workspaces.drone(owner, id), id, ProcessAction.OUTPUT, named(process));
        return new ProcessOutput(
                Objects.requireNonNullElse(answer.output(), ""), Boolean.TRUE.equals(answer.complete()));
    }

    /** How it stands afterwards; of one that was over before nothing changes. */
    BackgroundProcess stop(UserId owner, SessionId id, String process) {
        DroneConnection drone = workspaces.drone(owner, id);
        String name = named(process);
        boolean runs = ask(drone, id, ProcessAction.LIST, null).processes().stream()
                .anyMatch(one -> one.id().equals(name) && one.status() == ProcessStatus.RUNNING);
        // Before it is asked for: a drone may stop it and answer too late.
        if (runs && stops.add(id + " " + name)) {
            audit.note(owner, AuditKind.PROCESS_STOPPED, id, "process " + name + " on drone " + drone.id());
        }
        var answer = ask(drone, id, ProcessAction.STOP, name);
        if (answer.processes().size() != 1) {
            throw new RefusedException(FailureCode.DRONE_LOST, "The drone's answer did not arrive whole. Try again.");
        }
        return answer.processes().getFirst();
    }

    /**
     * What it left running there ends: nobody would reach it any more. Its drone owes that, because its line may be cut while they go on.
     */
    void onLeft(@Observes SessionLeft left) {
        workspaces.owe(
                left.owner(),
                left.workspace(),
                Drone.stop(left.session()),
                drone -> drone.stopping(left.session()),
                "session " + left.session() + " was put away or moved goes on with its processes");
    }

    /** What its turn started after the session was put away, and a command that went on in the background at its end. */
    void ended(LiveTurn turn) {
        WorkspaceId workspace = turn.workspace();
        if (workspace == null) {
            return;
        }
        try {
            sessions.find(turn.owner(), turn.session())
                    .filter(session -> session.archived() || !workspace.equals(session.workspaceId()))
                    .ifPresent(session -> onLeft(new SessionLeft(turn.owner(), session.id(), workspace)));
        } catch (StoreException e) {
            LOG.warnf("whether session %s was put away cannot be read: %s", turn.session(), e.getMessage());
        }
    }

    private DroneEvent.ProcessesAnswered ask(
            DroneConnection drone, SessionId id, ProcessAction action, @Nullable String process) {
        DroneEvent.ProcessesAnswered answer;
        try {
            answer = questions
                    .ask(
                            drone,
                            ANSWERS_WITHIN,
                            request -> List.of(new DroneCommand.RequestProcesses(request, id, action, process)))
                    .as(DroneEvent.ProcessesAnswered.class);
        } catch (RefusedException silent) {
            throw new RefusedException(
                    silent.code(),
                    "The drone of this workspace does not say what runs in the background" + version(drone)
                            + ". One that is older than this service does not know the question: bring it up to date."
                            + " Else try again in a moment.");
        }
        Failure failure = answer.failure();
        if (failure != null) {
            throw new RefusedException(failure.code(), failure.message());
        }
        return answer;
    }

    private static String version(DroneConnection drone) {
        DroneEvent.Hello hello = drone.hello();
        return hello == null ? "" : " (it has version " + hello.droneVersion() + ")";
    }

    private static String named(String process) {
        if (process.isBlank() || process.length() > MAX_ID) {
            throw new RefusedException(
                    FailureCode.NOT_FOUND,
                    "There is no such process; its name is one that the list gives, as p1-x4kq.");
        }
        return process;
    }
}
