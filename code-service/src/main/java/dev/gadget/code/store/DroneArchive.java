package dev.gadget.code.store;

import dev.gadget.code.drone.Drone;
import dev.gadget.model.DroneId;
import dev.gadget.model.FailureCode;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Keeps enrolled drones. */
public interface DroneArchive {
    /** Few write the same drone at the same moment. */
    int MOST_TRIES = 10;

    /** Stores a new one; {@code CONFLICT} when a unique key is taken. */
    void insert(Drone drone);

    /** The one with this id, when it belongs to this person. */
    Optional<Drone> find(UserId owner, DroneId id);

    /** Those of a person, newest first. */
    Slice<Drone> list(UserId owner, Optional<String> after, int limit);

    /** The one of this workspace, when it belongs to this person; nobody has so many that reading them all matters. */
    default Optional<Drone> ofWorkspace(UserId owner, WorkspaceId workspace) {
        Optional<String> after = Optional.empty();
        do {
            Slice<Drone> slice = list(owner, after, 200);
            Optional<Drone> found = slice.items().stream()
                    .filter(one -> one.workspaceId().equals(workspace))
                    .findFirst();
            if (found.isPresent()) {
                return found;
            }
            after = slice.next();
        } while (after.isPresent());
        return Optional.empty();
    }

    /** Stores a changed one with its version raised by one; {@code CHANGED_MEANWHILE} when the stored version is another. */
    void replace(Drone drone);

    /** Changes it whatever else changes it meanwhile, and gives what it became; empty when it is not there. */
    default Optional<Drone> change(UserId owner, DroneId id, UnaryOperator<Drone> change) {
        for (int tries = 1; ; tries++) {
            try {
                Optional<Drone> changed = find(owner, id).map(change);
                changed.ifPresent(this::replace);
                return changed;
            } catch (StoreException e) {
                if (e.code() != FailureCode.CHANGED_MEANWHILE || tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Removes it; false when it was not there or belongs to somebody else. */
    boolean delete(UserId owner, DroneId id);
}
