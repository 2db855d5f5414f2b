package dev.gadget.code.drone;

import dev.gadget.code.RefusedException;
import dev.gadget.code.project.Project;
import dev.gadget.code.project.Projects;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.session.SessionDeleted;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.api.ProjectApi.SessionProject;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.ProjectAction;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.ProjectState;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** How the project of a session stands in its workspace: the drone there knows, and syncs it. */
@ApplicationScoped
class ProjectDesk {
    /** Longer than the drone takes to say that a sync goes on. */
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(45);

    private final SessionArchive sessions;
    private final Projects projects;
    private final WorkspaceDesk workspaces;
    private final DroneQuestions questions;

    ProjectDesk(SessionArchive sessions, Projects projects, WorkspaceDesk workspaces, DroneQuestions questions) {
        this.sessions = sessions;
        this.projects = projects;
        this.workspaces = workspaces;
        this.questions = questions;
    }

    /**
     * What it left running, and a working tree that only it had, are not needed any more: its drone owes that they go, which it may be
     * stopped before it gets to.
     */
    void onDeleted(@Observes SessionDeleted deleted) {
        ChatSession last = deleted.last();
        WorkspaceId workspace = last.workspaceId();
        if (workspace != null) {
            ProjectRef project = projects.find(last.ownerId(), last.projectId())
                    .map(one -> one.in(last.worktree()))
                    .orElse(null);
            var gone = new DroneCommand.ForgetSession(last.id(), project);
            workspaces.owe(
                    last.ownerId(),
                    workspace,
                    gone,
                    drone -> drone.owing(gone),
                    "session " + last.id() + " is gone keeps its files");
        }
    }

    SessionProject look(UserId owner, SessionId id) {
        return ask(owner, id, ProjectAction.LOOK);
    }

    SessionProject sync(UserId owner, SessionId id) {
        return ask(owner, id, ProjectAction.SYNC);
    }

    private SessionProject ask(UserId owner, SessionId id, ProjectAction action) {
        ChatSession session = sessions.find(owner, id)
                .orElseThrow(() -> new RefusedException(FailureCode.NOT_FOUND, "There is no session " + id + "."));
        Project project = projects.ofSession(owner, session.projectId());
        var answer = questions
                .ask(
                        workspaces.drone(owner, id),
                        ANSWERS_WITHIN,
                        request -> List.of(
                                new DroneCommand.RequestProject(request, project.in(session.worktree()), id, action)))
                .as(DroneEvent.ProjectAnswered.class);
        Failure failure = answer.failure();
        if (failure != null) {
            throw new RefusedException(failure.code(), failure.message());
        }
        ProjectState state = Objects.requireNonNull(answer.state(), "a drone answered neither a state nor a failure");
        return new SessionProject(
                project.id(), project.name(), project.slug(), project.gitUrl(), session.worktree(), state);
    }
}
