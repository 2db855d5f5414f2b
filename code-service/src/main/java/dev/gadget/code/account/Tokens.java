package dev.gadget.code.account;

import dev.gadget.code.store.AccountArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.TokenArchive;
import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Makes tokens, tells whom one belongs to, and takes them back. */
@ApplicationScoped
public class Tokens {
    private static final Logger LOG = Logger.getLogger(Tokens.class);
    private static final Duration REMEMBERED = Duration.ofSeconds(10);
    private static final Duration TOUCHED_EVERY = Duration.ofMinutes(1);
    private static final int MAX_REMEMBERED = 10_000;
    private static final int MAX_LENGTH = 100;

    private final TokenArchive tokens;
    private final AccountArchive accounts;
    private final Event<TokenRevoked> revocations;
    private final Clock clock = Clock.systemUTC();
    private final ConcurrentHashMap<String, Known> known = new ConcurrentHashMap<>();
    /** Raised by every change, so that nothing is remembered that was read before one. */
    private final AtomicLong changes = new AtomicLong();

    Tokens(TokenArchive tokens, AccountArchive accounts, Event<TokenRevoked> revocations) {
        this.tokens = tokens;
        this.accounts = accounts;
        this.revocations = revocations;
    }

    /** A new token: what is stored of it, and itself, which is shown once. */
    public record Issued(StoredToken stored, String token) {
        @Override
        public String toString() {
            return "Issued[" + stored + "]";
        }
    }

    private record Known(Caller caller, Instant until) {}

    /** Makes and stores a token; {@code lifetime} null is one that lives until it is revoked. */
    public Issued issue(
            UserId user, Caller.Kind kind, @Nullable DroneId drone, String name, @Nullable Duration lifetime) {
        String token = Secrets.token(prefix(kind));
        // MongoDB keeps milliseconds; what is answered now equals what is read later.
        Instant now = Instant.ofEpochMilli(clock.millis());
        StoredToken stored = new StoredToken(
                UUID.randomUUID().toString(),
                Secrets.hash(token),
                user,
                kind,
                drone,
                name,
                now,
                lifetime == null ? null : now.plus(lifetime),
                null);
        tokens.insert(stored);
        return new Issued(stored, token);
    }

    /** Whom a token belongs to; empty when it is unknown, expired, revoked, or of a disabled account. Reads the store. */
    Optional<Caller> caller(String token) {
        if (token.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String hash = Secrets.hash(token);
        Instant now = clock.instant();
        Known before = known.get(hash);
        if (before != null && now.isBefore(before.until())) {
            return before.caller().expired(now) ? Optional.empty() : Optional.of(before.caller());
        }
        long seen = changes.get();
        Known found = look(hash, now);
        if (found == null) {
            known.remove(hash);
            return Optional.empty();
        }
        remember(hash, found, seen, now);
        return Optional.of(found.caller());
    }

    private void remember(String hash, Known found, long seen, Instant now) {
        if (known.size() >= MAX_REMEMBERED) {
            known.values().removeIf(one -> !now.isBefore(one.until()));
        }
        if (known.size() < MAX_REMEMBERED) {
            known.put(hash, found);
        }
        if (changes.get() != seen) {
            known.remove(hash);
        }
    }

    private @Nullable Known look(String hash, Instant now) {
        StoredToken token = tokens.byHash(hash).orElse(null);
        if (token == null || expired(token.expiresAt(), now)) {
            return null;
        }
        Account account = accounts.find(token.userId()).orElse(null);
        if (account == null || account.disabled()) {
            return null;
        }
        touch(token, now);
        Caller caller = new Caller(
                account.id(),
                account.email(),
                account.role(),
                token.kind(),
                token.id(),
                token.droneId(),
                token.expiresAt());
        return new Known(caller, now.plus(REMEMBERED));
    }

    private void touch(StoredToken token, Instant now) {
        Instant last = token.lastUsedAt();
        if (last != null && last.plus(TOUCHED_EVERY).isAfter(now)) {
            return;
        }
        try {
            tokens.touch(token.id(), now);
        } catch (StoreException e) {
            LOG.debugf(e, "when token %s was last used is not stored", token.id());
        }
    }

    List<StoredToken> ofUser(UserId user, Caller.Kind kind) {
        return tokens.ofUser(user, kind);
    }

    /** Takes one token of a person back, and closes what it opened; false when there is none. */
    public boolean revoke(UserId user, String id) {
        boolean there = tokens.delete(user, id);
        if (there) {
            revocations.fire(new TokenRevoked(id));
        }
        return there;
    }

    /** Takes all tokens of a person of these kinds back. */
    void revokeAll(UserId user, Caller.Kind... kinds) {
        for (Caller.Kind kind : kinds) {
            tokens.deleteOfUser(user, kind).forEach(id -> revocations.fire(new TokenRevoked(id)));
        }
    }

    /** What is known of a person's account has changed. */
    void forget(UserId user) {
        changes.incrementAndGet();
        known.values().removeIf(one -> one.caller().userId().equals(user));
    }

    void onRevoked(@Observes TokenRevoked revoked) {
        changes.incrementAndGet();
        known.values().removeIf(one -> one.caller().tokenId().equals(revoked.tokenId()));
    }

    /** Removes what nobody can use any more, and returns how many. */
    long sweep() {
        return tokens.deleteExpired(clock.instant());
    }

    private static boolean expired(@Nullable Instant expiresAt, Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    private static String prefix(Caller.Kind kind) {
        return switch (kind) {
            case BROWSER -> "gadget_s_";
            case TOKEN -> "gadget_t_";
            case DRONE -> "gadget_d_";
        };
    }
}
