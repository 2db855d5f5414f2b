package dev.gadget.code.audit;

import dev.gadget.model.UserId;
import dev.gadget.model.api.AuditApi.AuditKind;
import java.util.Optional;

/** Which entries are looked for; what is empty does not matter. */
public record AuditFilter(Optional<AuditKind> kind, Optional<UserId> userId) {
    public static final AuditFilter ALL = new AuditFilter(Optional.empty(), Optional.empty());
}
