package dev.gadget.code.account;

import dev.gadget.code.RefusedException;
import dev.gadget.model.FailureCode;
import io.quarkus.elytron.security.common.BcryptUtil;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Hashes and checks passwords with bcrypt. */
@Singleton
class Passwords {
    private static final int COST = 12;
    private static final int MIN_LENGTH = 8;
    /** Where bcrypt stops reading. */
    private static final int MAX_BYTES = 72;

    /** Checks are dear, so a flood of sign-ins leaves the other cores to those who are in. */
    private final Semaphore atOnce =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    /** Checked when there is no such account, so that it takes the same time. */
    private final String nobody = BcryptUtil.bcryptHash(Secrets.readable(4), COST);

    /** The hash of a new password; refused when it is too short or longer than bcrypt reads. */
    String hash(String password) {
        if (password.codePointCount(0, password.length()) < MIN_LENGTH || isLongerThanRead(password)) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "A password has to have at least " + MIN_LENGTH + " characters and at most " + MAX_BYTES
                            + " bytes.",
                    "password");
        }
        return limited(() -> BcryptUtil.bcryptHash(password, COST));
    }

    boolean matches(String password, String hash) {
        return limited(() -> BcryptUtil.matches(password, hash)) && !isLongerThanRead(password);
    }

    private static boolean isLongerThanRead(String password) {
        return password.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
    }

    /** Takes as long as {@link #matches} and is never true. */
    void matchNobody(String password) {
        limited(() -> BcryptUtil.matches(password, nobody));
    }

    private <T> T limited(Supplier<T> work) {
        atOnce.acquireUninterruptibly();
        try {
            return work.get();
        } finally {
            atOnce.release();
        }
    }
}
