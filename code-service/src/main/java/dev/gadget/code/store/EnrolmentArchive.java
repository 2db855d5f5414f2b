package dev.gadget.code.store;

import dev.gadget.code.drone.Enrolment;
import java.time.Instant;
import java.util.Optional;

/** Keeps enrolment codes until they are used or expire. */
public interface EnrolmentArchive {
    void insert(Enrolment enrolment);

    /** Takes the code out, atomically, so that of two drones only one gets it; empty when it is not there or expired at {@code now}. */
    Optional<Enrolment> use(String codeHash, Instant now);

    /** Removes what expired before this moment, and returns how many. */
    long deleteExpired(Instant before);
}
