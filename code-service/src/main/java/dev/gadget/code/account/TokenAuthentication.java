package dev.gadget.code.account;

import dev.gadget.code.http.Problems;
import dev.gadget.model.FailureCode;
import dev.gadget.model.api.AccountApi.Role;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one way in: an opaque token in {@code Authorization: Bearer} or in the session cookie, looked up in the store. */
@ApplicationScoped
public class TokenAuthentication implements HttpAuthenticationMechanism {
    private static final String BEARER = "bearer ";

    private final Tokens tokens;

    TokenAuthentication(Tokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext context, IdentityProviderManager identities) {
        String bearer = bearer(context);
        String token = bearer != null ? bearer : SessionCookie.read(context.request());
        if (token == null) {
            return Uni.createFrom().nullItem();
        }
        boolean byCookie = bearer == null;
        return Uni.createFrom()
                .item(() -> tokens.caller(token)
                        .filter(caller -> (caller.kind() == Caller.Kind.BROWSER) == byCookie)
                        .map(TokenAuthentication::identity)
                        .orElse(null))
                .runSubscriptionOn(Infrastructure.getDefaultExecutor());
    }

    private static SecurityIdentity identity(Caller caller) {
        QuarkusSecurityIdentity.Builder identity = QuarkusSecurityIdentity.builder()
                .setPrincipal(new QuarkusPrincipal(caller.userId().value()))
                .addAttribute(Callers.ATTRIBUTE, caller);
        if (caller.kind() == Caller.Kind.DRONE) {
            return identity.addRole("drone").build();
        }
        identity.addRole("person");
        if (caller.role() == Role.ADMIN) {
            identity.addRole("admin");
        }
        return identity.build();
    }

    private static @Nullable String bearer(RoutingContext context) {
        String header = context.request().getHeader("Authorization");
        return header != null && header.toLowerCase(Locale.ROOT).startsWith(BEARER)
                ? header.substring(BEARER.length()).strip()
                : null;
    }

    @Override
    public Uni<ChallengeData> getChallenge(RoutingContext context) {
        return Uni.createFrom().item(new ChallengeData(401, "WWW-Authenticate", "Bearer"));
    }

    @Override
    public Uni<Boolean> sendChallenge(RoutingContext context) {
        refuse(context);
        return Uni.createFrom().item(true);
    }

    /** Answers somebody who is not signed in where it is needed. */
    public static void refuse(RoutingContext context) {
        context.response().putHeader("WWW-Authenticate", "Bearer");
        Problems.send(context, Problems.of(FailureCode.UNAUTHENTICATED, Problems.SIGN_IN, Optional.empty()));
    }
}
