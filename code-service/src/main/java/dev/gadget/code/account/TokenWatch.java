package dev.gadget.code.account;

import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends what a token opened and keeps open (a socket, a stream, a request that waits): at once when the token is revoked, and within five
 * seconds of its expiry, which is fixed when a token is made and does not move with its use.
 */
@ApplicationScoped
public class TokenWatch {
    /** More are not revoked between the moment in which somebody is let in and the one in which that is watched. */
    private static final int MOST_REMEMBERED = 10_000;

    private final Set<Opened> opened = ConcurrentHashMap.newKeySet();
    private final SequencedSet<String> revoked = new LinkedHashSet<>();
    private final Clock clock = Clock.systemUTC();

    /** Something that is open; closed when it is over by itself. */
    public interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Watches something that this caller opened. {@code end} runs once, on any thread, and must not wait; it runs in here when the
     * token was revoked or expired while the caller was let in.
     */
    public Watch watch(Caller caller, Runnable end) {
        var one = new Opened(caller, end);
        opened.add(one);
        if (wasRevoked(caller.tokenId()) || caller.expired(clock.instant())) {
            one.end();
        }
        return one;
    }

    void onRevoked(@Observes TokenRevoked token) {
        // Remembered first, so that what is added meanwhile finds it here or is found below.
        remember(token.tokenId());
        opened.stream()
                .filter(one -> one.caller.tokenId().equals(token.tokenId()))
                .forEach(Opened::end);
    }

    @Scheduled(every = "5s")
    void look() {
        endExpired(clock.instant());
    }

    void endExpired(Instant now) {
        opened.stream().filter(one -> one.caller.expired(now)).forEach(Opened::end);
    }

    private boolean wasRevoked(String tokenId) {
        synchronized (revoked) {
            return revoked.contains(tokenId);
        }
    }

    private void remember(String tokenId) {
        synchronized (revoked) {
            revoked.add(tokenId);
            if (revoked.size() > MOST_REMEMBERED) {
                revoked.removeFirst();
            }
        }
    }

    private final class Opened implements Watch {
        private final Caller caller;
        private final Runnable end;

        Opened(Caller caller, Runnable end) {
            this.caller = caller;
            this.end = end;
        }

        void end() {
            if (opened.remove(this)) {
                end.run();
            }
        }

        @Override
        public void close() {
            opened.remove(this);
        }
    }
}
