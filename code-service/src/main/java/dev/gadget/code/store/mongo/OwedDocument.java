package dev.gadget.code.store.mongo;

import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.drone.DroneCommand.ForgetSession;
import dev.gadget.model.work.ProjectRef;
import org.jspecify.annotations.Nullable;

/** A deleted session that a drone is yet to be told of, as it is stored in the drone. */
public class OwedDocument {
    public String sessionId = "";
    /** Absent where the project went before its session. */
    public @Nullable String projectId;

    public @Nullable String slug;
    public @Nullable String gitUrl;
    public @Nullable Boolean worktree;

    static OwedDocument from(ForgetSession gone) {
        var document = new OwedDocument();
        document.sessionId = gone.sessionId().value();
        ProjectRef project = gone.project();
        if (project != null) {
            document.projectId = project.id().value();
            document.slug = project.slug();
            document.gitUrl = project.gitUrl();
            document.worktree = project.worktree();
        }
        return document;
    }

    ForgetSession toForgetSession() {
        ProjectRef project = projectId == null || slug == null
                ? null
                : new ProjectRef(new ProjectId(projectId), slug, gitUrl, worktree);
        return new ForgetSession(new SessionId(sessionId), project);
    }
}
