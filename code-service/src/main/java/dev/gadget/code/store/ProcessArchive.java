package dev.gadget.code.store;

import dev.gadget.code.system.ServiceProcess;
import java.time.Instant;
import java.util.List;

/** Keeps a note of each process of the service, which it writes itself. */
public interface ProcessArchive {
    /** The latest one takes the place of the one before. */
    void put(ServiceProcess process);

    /** Those that noted themselves last first; a hundred at most. */
    List<ServiceProcess> list();

    void remove(String id);

    /** Removes those that have not noted themselves since, and says how many. */
    long removeSeenBefore(Instant moment);
}
