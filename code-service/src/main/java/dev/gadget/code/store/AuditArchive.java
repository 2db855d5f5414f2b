package dev.gadget.code.store;

import dev.gadget.code.audit.AuditEntry;
import dev.gadget.code.audit.AuditFilter;
import java.time.Instant;
import java.util.Optional;

/** Keeps who did what. Entries are only added; they go when they are old. */
public interface AuditArchive {
    void append(AuditEntry entry);

    /** Newest first. */
    Slice<AuditEntry> list(AuditFilter filter, Optional<String> after, int limit);

    /** Removes what is older, and says how much that was. */
    long deleteBefore(Instant moment);
}
