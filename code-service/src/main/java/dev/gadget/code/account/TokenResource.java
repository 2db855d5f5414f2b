package dev.gadget.code.account;

import dev.gadget.code.RefusedException;
import dev.gadget.code.audit.AuditLog;
import dev.gadget.model.FailureCode;
import dev.gadget.model.api.AccountApi.CreateToken;
import dev.gadget.model.api.AccountApi.CreatedToken;
import dev.gadget.model.api.AccountApi.TokenView;
import dev.gadget.model.api.AuditApi.AuditKind;
import dev.gadget.model.api.Page;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** Personal access tokens, for programs that use the API in a person's name. */
@Path("/api/v1/tokens")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RolesAllowed("person")
@RunOnVirtualThread
@Tag(name = "tokens")
public class TokenResource {
    private static final int MAX_NAME = 100;
    private static final int MAX_DAYS = 3650;
    private static final int MAX_TOKENS = 100;

    private final Tokens tokens;
    private final SecurityIdentity identity;
    private final AuditLog audit;

    TokenResource(Tokens tokens, SecurityIdentity identity, AuditLog audit) {
        this.tokens = tokens;
        this.identity = identity;
        this.audit = audit;
    }

    @GET
    @Operation(summary = "List your access tokens, newest first")
    public Page<TokenView> list() {
        return new Page<>(mine().stream().map(TokenResource::view).toList(), null);
    }

    @POST
    @ResponseStatus(201)
    @Operation(summary = "Make an access token; it is shown only in this answer")
    public CreatedToken create(CreateToken wanted) {
        String name = wanted.name().strip();
        if (name.isEmpty() || name.length() > MAX_NAME) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD, "A token's name has to have 1 to " + MAX_NAME + " characters.", "name");
        }
        Duration lifetime = lifetime(wanted.expiresInDays());
        if (mine().size() >= MAX_TOKENS) {
            throw new RefusedException(
                    FailureCode.CONFLICT,
                    "You have " + MAX_TOKENS + " access tokens. Delete one that you do not need.");
        }
        Caller caller = Callers.of(identity);
        Tokens.Issued issued = tokens.issue(caller.userId(), Caller.Kind.TOKEN, null, name, lifetime);
        StoredToken stored = issued.stored();
        audit.note(caller.userId(), AuditKind.TOKEN_CREATED, stored.id(), stored.name());
        return new CreatedToken(stored.id(), stored.name(), issued.token(), stored.createdAt(), stored.expiresAt());
    }

    @DELETE
    @Path("/{id}")
    @Operation(summary = "Revoke an access token and close what it opened")
    public void delete(@PathParam("id") String id) {
        Caller caller = Callers.of(identity);
        if (mine().stream().noneMatch(one -> one.id().equals(id)) || !tokens.revoke(caller.userId(), id)) {
            throw new RefusedException(FailureCode.NOT_FOUND, "You have no such access token.");
        }
        audit.note(caller.userId(), AuditKind.TOKEN_REVOKED, id);
    }

    private List<StoredToken> mine() {
        return tokens.ofUser(Callers.of(identity).userId(), Caller.Kind.TOKEN);
    }

    private static @Nullable Duration lifetime(@Nullable Integer days) {
        if (days == null) {
            return null;
        }
        if (days < 1 || days > MAX_DAYS) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD, "A token can live for 1 to " + MAX_DAYS + " days.", "expiresInDays");
        }
        return Duration.ofDays(days);
    }

    private static TokenView view(StoredToken token) {
        return new TokenView(token.id(), token.name(), token.createdAt(), token.expiresAt(), token.lastUsedAt());
    }
}
