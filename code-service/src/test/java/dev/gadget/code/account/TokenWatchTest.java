package dev.gadget.code.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.model.UserId;
import dev.gadget.model.api.AccountApi.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a token opened")
class TokenWatchTest {
    private static final Instant LATER = Instant.now().plusSeconds(3600);

    private final TokenWatch tokens = new TokenWatch();
    private final List<String> ended = new ArrayList<>();

    private static Caller caller(String token, @Nullable Instant expiresAt) {
        return new Caller(UserId.random(), "ada@example.org", Role.MEMBER, Caller.Kind.TOKEN, token, null, expiresAt);
    }

    private TokenWatch.Watch opened(String name, String token, @Nullable Instant expiresAt) {
        return tokens.watch(caller(token, expiresAt), () -> ended.add(name));
    }

    @Test
    @DisplayName("ends once when the token is revoked; what is over by itself, or is another token's, does not")
    void revoked() {
        opened("page", "one", null);
        opened("stream", "one", LATER);
        opened("left", "one", null).close();
        opened("other", "two", null);
        tokens.onRevoked(new TokenRevoked("one"));
        tokens.onRevoked(new TokenRevoked("one"));
        assertThat(ended).containsExactlyInAnyOrder("page", "stream");
    }

    @Test
    @DisplayName("ends at once when the token was revoked while its bearer was let in")
    void revokedBefore() {
        tokens.onRevoked(new TokenRevoked("one"));
        opened("page", "one", null);
        opened("other", "two", null);
        assertThat(ended).containsExactly("page");
    }

    @Test
    @DisplayName("ends when the token expires, or at once when it has; a token without an expiry stays")
    void expired() {
        opened("page", "one", LATER);
        opened("drone", "two", null);
        opened("late", "three", Instant.now().minusMillis(1));
        assertThat(ended).containsExactly("late");
        tokens.endExpired(LATER.minusMillis(1));
        assertThat(ended).containsExactly("late");
        tokens.endExpired(LATER);
        assertThat(ended).containsExactly("late", "page");
    }
}
