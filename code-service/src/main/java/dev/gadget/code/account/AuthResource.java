package dev.gadget.code.account;

import dev.gadget.code.RefusedException;
import dev.gadget.code.audit.AuditLog;
import dev.gadget.code.config.CodeConfig;
import dev.gadget.model.FailureCode;
import dev.gadget.model.api.AccountApi.LoginRequest;
import dev.gadget.model.api.AccountApi.UserView;
import dev.gadget.model.api.AuditApi.AuditKind;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirements;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Signing in and out of the page. */
@Path("/api/v1")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "accounts")
public class AuthResource {
    private final Accounts accounts;
    private final Tokens tokens;
    private final SecurityIdentity identity;
    private final AuditLog audit;
    private final Duration lifetime;

    AuthResource(Accounts accounts, Tokens tokens, SecurityIdentity identity, AuditLog audit, CodeConfig config) {
        this.accounts = accounts;
        this.tokens = tokens;
        this.identity = identity;
        this.audit = audit;
        this.lifetime = config.login().sessionLifetime();
    }

    @POST
    @Path("/auth/login")
    @PermitAll
    @SecurityRequirements
    @Operation(summary = "Sign in: sets the session cookie")
    public UserView login(LoginRequest login, @Context RoutingContext context) {
        HttpServerRequest request = context.request();
        String address = request.remoteAddress().hostAddress();
        Account account = accounts.verify(login.email(), login.password(), address);
        Tokens.Issued issued = tokens.issue(account.id(), Caller.Kind.BROWSER, null, "browser", lifetime);
        try {
            accounts.requireUnchanged(account);
        } catch (RuntimeException refused) {
            tokens.revoke(account.id(), issued.stored().id());
            throw refused;
        }
        SessionCookie.write(request, issued.token(), lifetime);
        audit.cameIn(account.id(), AuditKind.SIGNED_IN, issued.stored().id(), address);
        return UserViews.of(account);
    }

    @POST
    @Path("/auth/logout")
    @PermitAll
    @Consumes(MediaType.WILDCARD)
    @Operation(summary = "Sign out: ends the session of the cookie")
    public void logout(@Context RoutingContext context) {
        if (!identity.isAnonymous() && Callers.of(identity).kind() == Caller.Kind.BROWSER) {
            Caller caller = Callers.of(identity);
            tokens.revoke(caller.userId(), caller.tokenId());
            audit.note(caller.userId(), AuditKind.SIGNED_OUT, caller.tokenId());
        }
        SessionCookie.remove(context.request());
    }

    @GET
    @Path("/me")
    @RolesAllowed("person")
    @Operation(summary = "Who is signed in")
    public UserView me() {
        return accounts.find(Callers.of(identity).userId())
                .map(UserViews::of)
                .orElseThrow(
                        () -> new RefusedException(FailureCode.NOT_FOUND, "This account does not exist any more."));
    }
}
