package dev.gadget.code.audit;

import dev.gadget.code.RefusedException;
import dev.gadget.code.http.Paging;
import dev.gadget.code.store.Slice;
import dev.gadget.model.FailureCode;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AuditApi.AuditKind;
import dev.gadget.model.api.AuditApi.AuditView;
import dev.gadget.model.api.Page;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Who did what, for administrators. It can be read only. */
@Path("/api/v1/admin/audit")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed("admin")
@RunOnVirtualThread
@Tag(name = "administration")
public class AuditResource {
    private final AuditLog audit;

    AuditResource(AuditLog audit) {
        this.audit = audit;
    }

    @GET
    @Operation(summary = "Who did what, newest first; of one person or one kind when asked so")
    public Page<AuditView> list(
            @BeanParam Paging paging,
            @QueryParam("kind") @Nullable String kind,
            @QueryParam("userId") @Nullable String userId) {
        var filter = new AuditFilter(
                given(kind).map(AuditResource::kind), given(userId).map(AuditResource::user));
        Slice<AuditEntry> found = audit.list(filter, paging.after(), paging.limit());
        Map<String, String> names = audit.names(found.items());
        return paging.page(found, entry -> view(entry, names));
    }

    private static Optional<String> given(@Nullable String text) {
        return Optional.ofNullable(text).filter(one -> !one.isBlank());
    }

    private static UserId user(String text) {
        try {
            return new UserId(text);
        } catch (IllegalArgumentException e) {
            throw new RefusedException(FailureCode.INVALID_FIELD, String.valueOf(e.getMessage()), "userId");
        }
    }

    private static AuditKind kind(String text) {
        return Arrays.stream(AuditKind.values())
                .filter(one -> word(one).equals(text))
                .findFirst()
                .orElseThrow(() -> new RefusedException(
                        FailureCode.INVALID_FIELD,
                        "There is no kind '" + text + "'. It is one of "
                                + Arrays.stream(AuditKind.values())
                                        .map(AuditResource::word)
                                        .collect(Collectors.joining(", "))
                                + ".",
                        "kind"));
    }

    private static String word(AuditKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static AuditView view(AuditEntry entry, Map<String, String> names) {
        Map<String, String> own = new HashMap<>(names);
        own.keySet().retainAll(entry.ids());
        return new AuditView(
                entry.id(),
                entry.at(),
                entry.kind(),
                entry.userId(),
                entry.subject(),
                entry.detail(),
                entry.address(),
                own.isEmpty() ? null : own);
    }
}
