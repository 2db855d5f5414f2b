package dev.gadget.code.audit;

import dev.gadget.code.config.CodeConfig;
import dev.gadget.code.store.AuditArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AuditApi.AuditKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Who did what to accounts, tokens, providers, drones, approvals and policies; never a secret, never a prompt. Every entry is a line of the
 * log category {@code audit}, and is kept in the store; when the store does not take it, the line is there all the same.
 */
@ApplicationScoped
public class AuditLog {
    private static final Logger LINES = Logger.getLogger("audit");
    private static final Logger LOG = Logger.getLogger(AuditLog.class);

    private final AuditArchive archive;
    private final Duration keep;
    private final Map<AuditKind, Counter> counts = new EnumMap<>(AuditKind.class);

    AuditLog(AuditArchive archive, CodeConfig config, MeterRegistry meters) {
        this.archive = archive;
        this.keep = config.audit().keep();
        for (AuditKind kind : AuditKind.values()) {
            counts.put(
                    kind,
                    meters.counter("gadget.audit.entries", "kind", kind.name().toLowerCase(Locale.ROOT)));
        }
    }

    /** @param subject the id of what it was done to */
    public void note(UserId who, AuditKind kind, Object subject) {
        write(AuditEntry.now(kind, who, subject, null, null));
    }

    /** The same with more words. */
    public void note(UserId who, AuditKind kind, Object subject, String detail) {
        write(AuditEntry.now(kind, who, subject, detail, null));
    }

    /** Somebody came in from this address. */
    public void cameIn(UserId who, AuditKind kind, Object subject, String address) {
        write(AuditEntry.now(kind, who, subject, null, address));
    }

    /** Somebody was not let in; {@code who} is the account that it was tried with, when there is one. */
    public void refused(AuditKind kind, @Nullable UserId who, String address) {
        write(AuditEntry.now(kind, who, null, null, address));
    }

    /** What the service did by its settings. */
    public void byTheService(AuditKind kind, Object subject, String detail) {
        write(AuditEntry.now(kind, null, subject, detail, null));
    }

    Slice<AuditEntry> list(AuditFilter filter, Optional<String> after, int limit) {
        return archive.list(filter, after, limit);
    }

    /** What the ids that these entries name are called now; one look-up for all of them. */
    Map<String, String> names(List<AuditEntry> entries) {
        Set<String> ids =
                entries.stream().flatMap(entry -> entry.ids().stream()).collect(Collectors.toSet());
        return ids.isEmpty() ? Map.of() : archive.names(ids);
    }

    private void write(AuditEntry entry) {
        LINES.info(line(entry));
        Objects.requireNonNull(counts.get(entry.kind())).increment();
        try {
            archive.append(entry);
        } catch (StoreException e) {
            LOG.warnf("an audit entry is in the log only, because the store did not take it: %s", e.getMessage());
        }
    }

    private static String line(AuditEntry entry) {
        String who = entry.userId() == null ? "" : "user " + entry.userId() + ": ";
        String what = entry.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String from = entry.address() == null ? null : "from " + entry.address();
        return who
                + Stream.of(what, entry.detail(), entry.subject(), from)
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining(" "));
    }

    /** What is older than it has to be kept goes. */
    @Scheduled(every = "1h", delayed = "2m")
    void sweep() {
        try {
            long removed = archive.deleteBefore(Instant.now().minus(keep));
            LOG.debugf("removed %d old audit entries", removed);
        } catch (StoreException e) {
            LOG.warnf("old audit entries are not removed now: %s", e.getMessage());
        }
    }
}
