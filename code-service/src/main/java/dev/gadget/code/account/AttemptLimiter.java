package dev.gadget.code.account;

import dev.gadget.code.TooManyAttemptsException;
import dev.gadget.code.config.CodeConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Slows down whoever guesses passwords or codes: so many failures per email and per address within a window. */
@Singleton
public class AttemptLimiter {
    /** More keys than this push out the one that was used longest ago. */
    private static final int MAX_KEYS = 20_000;

    private final int perEmail;
    private final int perAddress;
    private final Duration window;
    private final Clock clock;
    private final LongAdder refused = new LongAdder();
    private final Map<String, Deque<Instant>> failures = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Instant>> eldest) {
            return size() > MAX_KEYS;
        }
    };

    @Inject
    AttemptLimiter(CodeConfig config) {
        this(
                config.login().maxFailuresPerEmail(),
                config.login().maxFailuresPerAddress(),
                config.login().window(),
                Clock.systemUTC());
    }

    AttemptLimiter(int perEmail, int perAddress, Duration window, Clock clock) {
        this.perEmail = perEmail;
        this.perAddress = perAddress;
        this.window = window;
        this.clock = clock;
    }

    /** Counts an attempt as a failure until {@link #succeeded} takes it back, so that attempts at once are counted too; refused when there were too many. */
    public synchronized void attempt(String email, String address) {
        checkAndCount(emailKey(email), perEmail, addressKey(address), perAddress);
    }

    /** The same for an attempt that names no email. */
    public synchronized void attempt(String address) {
        checkAndCount(addressKey(address), perAddress, addressKey(address), perAddress);
    }

    /** It was no guess: the email starts anew, the address gets this attempt back. */
    public synchronized void succeeded(String email, String address) {
        failures.remove(emailKey(email));
        succeeded(address);
    }

    /** The same for an attempt that names no email. */
    public synchronized void succeeded(String address) {
        Deque<Instant> times = failures.get(addressKey(address));
        if (times != null) {
            times.pollLast();
        }
    }

    /** How many attempts there were too many. */
    public long refusals() {
        return refused.sum();
    }

    private void checkAndCount(String one, int limitOfOne, String other, int limitOfOther) {
        Instant now = clock.instant();
        check(one, limitOfOne, now);
        check(other, limitOfOther, now);
        count(one, now);
        if (!other.equals(one)) {
            count(other, now);
        }
    }

    private void check(String key, int limit, Instant now) {
        Deque<Instant> times = failures.get(key);
        if (times == null) {
            return;
        }
        while (!times.isEmpty() && !times.getFirst().plus(window).isAfter(now)) {
            times.removeFirst();
        }
        if (times.size() >= limit) {
            refused.increment();
            throw new TooManyAttemptsException(
                    Duration.between(now, times.getFirst().plus(window)));
        }
    }

    private void count(String key, Instant now) {
        failures.computeIfAbsent(key, _ -> new ArrayDeque<>()).addLast(now);
    }

    private static String emailKey(String email) {
        return "email " + Secrets.hash(email.toLowerCase(Locale.ROOT));
    }

    private static String addressKey(String address) {
        return "address " + address;
    }
}
