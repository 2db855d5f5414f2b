package dev.gadget.code.store.mongo;

import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.drone.DroneCommand.ForgetSession;
import dev.gadget.model.work.ProjectRef;
import org.jspecify.annotations.Nullable;

/** A deleted session that a drone is yet to be told of, as it is stored in the drone. */
public class OwedDocument {
    public String sessionId = "";
    public String projectId = "";
    public String slug = "";
    public @Nullable String gitUrl;
    public @Nullable Boolean worktree;

    static OwedDocument from(ForgetSession gone) {
        var document = new OwedDocument();
        document.sessionId = gone.sessionId().value();
        document.projectId = gone.project().id().value();
        document.slug = gone.project().slug();
        document.gitUrl = gone.project().gitUrl();
        document.worktree = gone.project().worktree();
        return document;
    }

    ForgetSession toForgetSession() {
        return new ForgetSession(
                new SessionId(sessionId), new ProjectRef(new ProjectId(projectId), slug, gitUrl, worktree));
    }
}
