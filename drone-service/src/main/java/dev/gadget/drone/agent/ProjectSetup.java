package dev.gadget.drone.agent;

import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.project.ProjectFailedException;
import dev.gadget.drone.project.Projects;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.workspace.ProjectBook;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.WorkOrder;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gets the project of an order ready before the model is asked: it is cloned when it is missing, which is shown like the call of a
 * tool, and the session gets its working tree when it wants one.
 */
@ApplicationScoped
public class ProjectSetup {
    /** The name under which a clone is shown; no model can call it. */
    static final String TOOL = "clone_project";

    /** No call of the model has this id. */
    static final String CALL_ID = "setup-clone";

    private final ProjectBook book;

    public ProjectSetup(ProjectBook book) {
        this.book = book;
    }

    /**
     * The workspace with the work where the order's project is.
     *
     * @param before what a life before this one did of it
     */
    Workspace place(Workspace workspace, WorkOrder order, RecoveredTurn before, WorkReport report, CancelSignal cancel)
            throws IOException, ProjectFailedException {
        ProjectRef project = order.project();
        if (project == null) {
            return workspace;
        }
        Projects projects = new Projects(workspace, book, Projects.CLONE_LIMIT);
        TurnCall begun = before.setup();
        if (projects.isMissing(project)) {
            clone(projects, project, begun, report, cancel);
        } else if (begun != null && begun.answer() == null) {
            report.toolEnded(CALL_ID, ToolCallState.DONE, done(project));
        }
        return projects.open(project, order.chatSessionId(), order.sessionName());
    }

    private static void clone(
            Projects projects, ProjectRef project, @Nullable TurnCall begun, WorkReport report, CancelSignal cancel)
            throws IOException, ProjectFailedException {
        if (begun == null) {
            report.toolCalled(
                    CALL_ID,
                    TOOL,
                    Map.of("gitUrl", Objects.requireNonNull(project.gitUrl()), "directory", project.slug()));
        }
        // Again after a crash: what was begun left nothing.
        report.toolStarted(CALL_ID, null);
        try {
            projects.clone(project, text -> report.toolOutput(CALL_ID, text), cancel);
        } catch (ProjectFailedException e) {
            report.toolEnded(CALL_ID, ToolCallState.FAILED, String.valueOf(e.getMessage()));
            throw e;
        } catch (IOException e) {
            report.toolEnded(CALL_ID, ToolCallState.FAILED, "The project could not be put into the workspace: " + e);
            throw e;
        }
        report.toolEnded(CALL_ID, ToolCallState.DONE, done(project));
    }

    private static String done(ProjectRef project) {
        return "The project is in `" + project.slug() + "/`.";
    }
}
