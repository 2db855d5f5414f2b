package dev.gadget.code.account;

import dev.gadget.code.Audit;
import dev.gadget.code.http.Paging;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AccountApi.CreateUser;
import dev.gadget.model.api.AccountApi.UpdateUser;
import dev.gadget.model.api.AccountApi.UserView;
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

    UserResource(Accounts accounts, SecurityIdentity identity) {
        this.accounts = accounts;
        this.identity = identity;
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
        Audit.note(Callers.of(identity).userId(), "account created", made.id());
        return UserViews.of(made);
    }

    @PATCH
    @Path("/{id}")
    @Operation(summary = "Change an account: what is absent stays")
    public UserView update(@PathParam("id") UserId id, UpdateUser update) {
        Account changed = accounts.update(id, update);
        Audit.note(Callers.of(identity).userId(), "account changed", id);
        return UserViews.of(changed);
    }
}
