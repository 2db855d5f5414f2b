package dev.gadget.code.store;

import dev.gadget.code.audit.AuditEntry;
import dev.gadget.code.audit.AuditFilter;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Keeps who did what. Entries are only added; they go when they are old. */
public interface AuditArchive {
    void append(AuditEntry entry);

    /** Newest first. */
    Slice<AuditEntry> list(AuditFilter filter, Optional<String> after, int limit);

    /** What sessions, drones, providers (by name) and people (by email) with these ids are called now; without those that are gone. */
    Map<String, String> names(Set<String> ids);

    /** Removes what is older, and says how much that was. */
    long deleteBefore(Instant moment);
}
