package dev.gadget.code.store;

import dev.gadget.code.drone.Drone;
import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import java.util.Optional;

/** Keeps enrolled drones. */
public interface DroneArchive {
    /** Stores a new one; {@code CONFLICT} when a unique key is taken. */
    void insert(Drone drone);

    /** The one with this id, when it belongs to this person. */
    Optional<Drone> find(UserId owner, DroneId id);

    /** Those of a person, newest first. */
    Slice<Drone> list(UserId owner, Optional<String> after, int limit);

    /** Stores a changed one with its version raised by one; {@code CHANGED_MEANWHILE} when the stored version is another. */
    void replace(Drone drone);

    /** Removes it; false when it was not there or belongs to somebody else. */
    boolean delete(UserId owner, DroneId id);
}
