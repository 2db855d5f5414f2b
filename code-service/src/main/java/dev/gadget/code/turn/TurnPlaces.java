package dev.gadget.code.turn;

import dev.gadget.code.RefusedException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import jakarta.enterprise.context.ApplicationScoped;

/** Where a turn ran, and what became of its files there. */
@ApplicationScoped
public class TurnPlaces {
    private final LiveTurns live;

    TurnPlaces(LiveTurns live) {
        this.live = live;
    }

    /** The workspace that a turn changed files in; refused as {@code not_found} or {@code conflict}. */
    public WorkspaceId workspace(UserId owner, TurnId id) {
        LiveTurn turn = live.loadOwned(owner, id);
        WorkspaceId workspace = turn.workspace();
        if (workspace == null || turn.files() == null) {
            throw new RefusedException(FailureCode.CONFLICT, "The turn changed no files.");
        }
        return workspace;
    }

    public SessionId session(UserId owner, TurnId id) {
        return live.loadOwned(owner, id).session();
    }

    /** Notes that its files are as before it, or as it left them. */
    public void undone(UserId owner, TurnId id, boolean now) {
        live.loadOwned(owner, id).undone(now);
    }
}
