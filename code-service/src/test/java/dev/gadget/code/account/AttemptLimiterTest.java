package dev.gadget.code.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gadget.code.TooManyAttemptsException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Guessing is slowed down")
class AttemptLimiterTest {
    private final SetClock clock = new SetClock();
    private final AttemptLimiter limiter = new AttemptLimiter(3, 5, Duration.ofMinutes(10), clock);

    private static final class SetClock extends Clock {
        private Instant now = Instant.EPOCH;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    private TooManyAttemptsException refusal(String email, String address) {
        return catchThrowableOfType(TooManyAttemptsException.class, () -> limiter.attempt(email, address));
    }

    @Test
    @DisplayName("one email, whatever its case and wherever from, until the first failure is old enough")
    void byEmail() {
        limiter.attempt("a@b", "1");
        clock.now = clock.now.plusSeconds(60);
        limiter.attempt("A@b", "2");
        limiter.attempt("a@B", "3");
        assertThat(refusal("a@b", "4").retryAfterSeconds()).isEqualTo(540);
        assertThatCode(() -> limiter.attempt("other@b", "4")).doesNotThrowAnyException();

        clock.now = clock.now.plusSeconds(540);
        assertThatCode(() -> limiter.attempt("a@b", "4")).doesNotThrowAnyException();
        assertThat(refusal("a@b", "4").retryAfterSeconds()).isEqualTo(60);
    }

    @Test
    @DisplayName("one address, with whatever emails and codes")
    void byAddress() {
        for (int i = 0; i < 4; i++) {
            limiter.attempt(i + "@b", "1");
        }
        limiter.attempt("1");
        assertThat(refusal("new@b", "1")).isNotNull();
        assertThatCode(() -> limiter.attempt("new@b", "2")).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("who succeeds starts anew, and the address is not charged")
    void success() {
        for (int i = 0; i < 20; i++) {
            limiter.attempt("a@b", "1");
            limiter.succeeded("a@b", "1");
            limiter.attempt("1");
            limiter.succeeded("1");
        }
        assertThatCode(() -> limiter.attempt("a@b", "1")).doesNotThrowAnyException();
    }
}
