package dev.gadget.drone.link;

import dev.gadget.drone.git.GitFailedException;
import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.Sandbox;
import dev.gadget.drone.policy.SessionGrants;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.project.ProjectFailedException;
import dev.gadget.drone.project.Projects;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.work.ProjectRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Tells how projects stand, and syncs them, apart from the connection's own thread. */
final class ProjectDesk {
    private static final Logger LOG = Logger.getLogger(ProjectDesk.class);

    /** A sync that takes longer is answered as one that goes on: nobody holds a request open for it. */
    private static final long ANSWERED_WITHIN_SECONDS = 25;

    private final WorkspaceStore store;
    private final Sandbox sandbox;
    private final Consumer<DroneEvent> say;
    private final CancelSignal stop = new CancelSignal();

    /** What came of the last sync of each project. */
    private final Map<ProjectId, String> notes = new ConcurrentHashMap<>();

    private volatile @Nullable ProjectId syncing;

    ProjectDesk(WorkspaceStore store, Sandbox sandbox, Consumer<DroneEvent> say) {
        this.store = store;
        this.sandbox = sandbox;
        this.say = say;
    }

    void look(DroneCommand.RequestProject wanted) {
        Thread.ofVirtual().name("project-look").start(() -> tell(wanted));
    }

    /** Syncs, with nothing else at work in the workspace until {@code over} is run. */
    void sync(DroneCommand.RequestProject wanted, Runnable over) {
        ProjectRef project = wanted.project();
        syncing = project.id();
        notes.remove(project.id());
        CompletableFuture<@Nullable Failure> done = new CompletableFuture<>();
        Thread.ofVirtual().name("project-sync").start(() -> {
            Failure failure = run(wanted);
            syncing = null;
            over.run();
            done.complete(failure);
        });
        Thread.ofVirtual().name("project-answer").start(() -> answer(wanted, done));
    }

    /** Takes away the working tree of a session that is gone, and what was allowed for it; what is not committed stays, and that is said. */
    void forget(DroneCommand.ForgetSession gone) {
        new SessionGrants(() -> store.folder().workspace()).forget(gone.sessionId());
        try {
            projects()
                    .forget(gone.project(), gone.sessionId())
                    .ifPresent(note -> LOG.infof("session %s was deleted: %s", gone.sessionId(), note));
        } catch (ProjectFailedException | IOException | GitFailedException | PathRefusedException e) {
            LOG.warnf("the working tree of session %s stays: %s", gone.sessionId(), e.getMessage());
        }
    }

    private @Nullable Failure run(DroneCommand.RequestProject wanted) {
        ProjectRef project = wanted.project();
        try {
            String note = projects().sync(project, wanted.sessionId(), stop);
            notes.put(project.id(), note);
            LOG.infof("project %s was synced: %s", project.slug(), note);
            return null;
        } catch (ProjectFailedException e) {
            notes.put(project.id(), String.valueOf(e.getMessage()));
            return new Failure(e.code(), String.valueOf(e.getMessage()));
        } catch (IOException | UncheckedIOException | GitFailedException | IllegalArgumentException e) {
            LOG.warnf(e, "project %s cannot be synced", project.slug());
            notes.put(project.id(), "The sync did not work: " + e.getMessage());
            return new Failure(FailureCode.WORKSPACE_UNUSABLE, "The sync did not work: " + e.getMessage());
        }
    }

    private void answer(DroneCommand.RequestProject wanted, CompletableFuture<@Nullable Failure> done) {
        try {
            Failure failure = done.get(ANSWERED_WITHIN_SECONDS, TimeUnit.SECONDS);
            if (failure != null) {
                say.accept(new DroneEvent.ProjectAnswered(wanted.requestId(), failure, null));
                return;
            }
        } catch (TimeoutException e) {
            LOG.debug("a sync takes long, and is answered as one that goes on");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        tell(wanted);
    }

    private void tell(DroneCommand.RequestProject wanted) {
        ProjectRef project = wanted.project();
        DroneEvent.ProjectAnswered answer;
        try {
            answer = new DroneEvent.ProjectAnswered(
                    wanted.requestId(),
                    null,
                    projects()
                            .look(project, wanted.sessionId(), project.id().equals(syncing), notes.get(project.id())));
        } catch (ProjectFailedException e) {
            answer = new DroneEvent.ProjectAnswered(
                    wanted.requestId(), new Failure(e.code(), String.valueOf(e.getMessage())), null);
        } catch (IOException | GitFailedException | PathRefusedException e) {
            LOG.warnf(e, "project %s cannot be looked at", project.slug());
            answer = new DroneEvent.ProjectAnswered(
                    wanted.requestId(),
                    new Failure(FailureCode.WORKSPACE_UNUSABLE, "The project cannot be looked at: " + e.getMessage()),
                    null);
        }
        say.accept(answer);
    }

    /** The workspace as a session of this project works in it; all of it where nobody says which session that is. */
    Workspace place(@Nullable ProjectRef project, @Nullable SessionId session, boolean looks)
            throws IOException, ProjectFailedException {
        return project == null || session == null
                ? new Workspace(store.folder().workspace(), sandbox)
                : projects().place(project, session, looks);
    }

    /** Where this session works; the workspace until that is there. */
    Path directory(@Nullable ProjectRef project, SessionId session) {
        try {
            return place(project, session, true).base();
        } catch (IOException | ProjectFailedException e) {
            return store.folder().workspace();
        }
    }

    private Projects projects() throws IOException {
        return new Projects(new Workspace(store.folder().workspace(), sandbox), store, Projects.CLONE_LIMIT);
    }

    /** The drone stops. */
    void leave() {
        stop.cancel();
    }
}
