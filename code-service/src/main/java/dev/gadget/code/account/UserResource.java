package dev.gadget.code.account;

import dev.gadget.code.audit.AuditLog;
import dev.gadget.code.http.Paging;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AccountApi.CreateUser;
import dev.gadget.model.api.AccountApi.Role;
import dev.gadget.model.api.AccountApi.UpdateUser;
import dev.gadget.model.api.AccountApi.UserView;
import dev.gadget.model.api.AuditApi.AuditKind;
import dev.gadget.model.api.Page;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;

/** Accounts, managed by administrators; there is no sign-up. */
@Path("/api/v1/users")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed("admin")
@RunOnVirtualThread
@Tag(name = "users")
public class UserResource {
    private final Accounts accounts;
    private final SecurityIdentity identity;
    private final AuditLog audit;

    UserResource(Accounts accounts, SecurityIdentity identity, AuditLog audit) {
        this.accounts = accounts;
        this.identity = identity;
        this.audit = audit;
    }

    @GET
    @Operation(summary = "List accounts, newest first")
    public Page<UserView> list(@BeanParam Paging paging) {
        return paging.page(accounts.list(paging.after(), paging.limit()), UserViews::of);
    }

    @POST
    @ResponseStatus(201)
    @Operation(summary = "Make an account")
    public UserView create(CreateUser wanted) {
        Account made = accounts.create(wanted);
        audit.note(Callers.of(identity).userId(), AuditKind.USER_CREATED, made.id(), role(made.role()));
        return UserViews.of(made);
    }

    @PATCH
    @Path("/{id}")
    @Operation(summary = "Change an account: what is absent stays")
    public UserView update(@PathParam("id") UserId id, UpdateUser update) {
        Account changed = accounts.update(id, update);
        audit.note(Callers.of(identity).userId(), AuditKind.USER_CHANGED, id, told(update));
        return UserViews.of(changed);
    }

    /** What an update changes, in words. */
    private static String told(UpdateUser update) {
        Boolean disabled = update.disabled();
        return Stream.of(
                        update.name() == null ? null : "name",
                        update.password() == null ? null : "new password",
                        update.role() == null ? null : role(update.role()),
                        disabled == null ? null : disabled ? "locked out" : "let in")
                .filter(Objects::nonNull)
                .collect(Collectors.joining(", "));
    }

    private static String role(Role role) {
        return "role " + role.name().toLowerCase(Locale.ROOT);
    }
}
