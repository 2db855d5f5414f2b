package dev.gadget.code.account;

import dev.gadget.code.RefusedException;
import dev.gadget.code.audit.AuditLog;
import dev.gadget.code.store.AccountArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AccountApi.CreateUser;
import dev.gadget.model.api.AccountApi.Role;
import dev.gadget.model.api.AccountApi.UpdateUser;
import dev.gadget.model.api.AuditApi.AuditKind;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/** The people who may use the service. */
@ApplicationScoped
public class Accounts {
    private static final int MAX_EMAIL = 254;
    private static final int MAX_NAME = 100;
    private static final int PAGE = 100;
    private static final Pattern EMAIL = Pattern.compile("[^@\\s\\p{Cntrl}]+@[^@\\s\\p{Cntrl}]+");

    private final AccountArchive archive;
    private final Passwords passwords;
    private final AttemptLimiter limiter;
    private final Tokens tokens;
    private final AuditLog audit;
    private final Clock clock = Clock.systemUTC();
    /** One change of roles at a time, so that the last two administrators cannot remove each other. */
    private final ReentrantLock changing = new ReentrantLock();

    Accounts(AccountArchive archive, Passwords passwords, AttemptLimiter limiter, Tokens tokens, AuditLog audit) {
        this.archive = archive;
        this.passwords = passwords;
        this.limiter = limiter;
        this.tokens = tokens;
        this.audit = audit;
    }

    /**
     * The account with this email and password; refused in the same words, and after the same time, whether the email is unknown, the
     * password wrong or the account disabled.
     */
    public Account verify(String typed, String password, String address) {
        String email = typed.strip();
        limiter.attempt(email, address);
        Account account = archive.byEmail(email).orElse(null);
        boolean right;
        if (account == null) {
            passwords.matchNobody(password);
            right = false;
        } else {
            right = passwords.matches(password, account.passwordHash()) && !account.disabled();
        }
        if (account == null || !right) {
            audit.refused(AuditKind.SIGN_IN_REFUSED, account == null ? null : account.id(), address);
            throw wrongCredentials();
        }
        limiter.succeeded(email, address);
        return account;
    }

    /**
     * To be called once something was made for an account that was verified before: a change of its password, or its being disabled,
     * takes back only what there is at that moment. Refused like a wrong password when it was changed meanwhile.
     */
    void requireUnchanged(Account verified) {
        boolean same = archive.find(verified.id())
                .filter(now -> !now.disabled() && now.passwordHash().equals(verified.passwordHash()))
                .isPresent();
        if (!same) {
            throw wrongCredentials();
        }
    }

    private static RefusedException wrongCredentials() {
        return new RefusedException(FailureCode.WRONG_CREDENTIALS, "The email or the password is wrong.");
    }

    Optional<Account> find(UserId id) {
        return archive.find(id);
    }

    public Optional<Account> byEmail(String email) {
        return archive.byEmail(email);
    }

    Slice<Account> list(Optional<String> after, int limit) {
        return archive.list(after, limit);
    }

    Account create(CreateUser wanted) {
        Account account = new Account(
                UserId.random(),
                email(wanted.email()),
                name(wanted.name()),
                wanted.role(),
                passwords.hash(wanted.password()),
                false,
                Instant.ofEpochMilli(clock.millis()),
                0);
        try {
            archive.insert(account);
        } catch (StoreException e) {
            if (e.code() == FailureCode.CONFLICT) {
                throw new RefusedException(
                        FailureCode.CONFLICT, "There is an account with this email already.", "email");
            }
            throw e;
        }
        return account;
    }

    /** Changes what the update names; who is disabled or gets a new password is signed out everywhere. */
    Account update(UserId id, UpdateUser update) {
        String hash = update.password() == null ? null : passwords.hash(update.password());
        changing.lock();
        try {
            Account old = archive.find(id)
                    .orElseThrow(() -> new RefusedException(FailureCode.NOT_FOUND, "There is no user " + id + "."));
            Account changed = new Account(
                    old.id(),
                    old.email(),
                    update.name() == null ? old.name() : name(update.name()),
                    update.role() == null ? old.role() : update.role(),
                    hash == null ? old.passwordHash() : hash,
                    update.disabled() == null ? old.disabled() : update.disabled(),
                    old.createdAt(),
                    old.version());
            if (administers(old) && !administers(changed) && isLastAdministrator(id)) {
                throw new RefusedException(
                        FailureCode.CONFLICT,
                        "This is the last administrator. Make somebody else one first.",
                        update.role() == null ? "disabled" : "role");
            }
            archive.replace(changed);
            if (changed.disabled()) {
                tokens.revokeAll(id, Caller.Kind.values());
            } else if (hash != null) {
                tokens.revokeAll(id, Caller.Kind.BROWSER, Caller.Kind.TOKEN);
            }
            tokens.forget(id);
            return archive.find(id).orElse(changed);
        } finally {
            changing.unlock();
        }
    }

    private boolean isLastAdministrator(UserId id) {
        Optional<String> after = Optional.empty();
        do {
            Slice<Account> slice = archive.list(after, PAGE);
            if (slice.items().stream()
                    .anyMatch(one -> administers(one) && !one.id().equals(id))) {
                return false;
            }
            after = slice.next();
        } while (after.isPresent());
        return true;
    }

    private static boolean administers(Account account) {
        return account.role() == Role.ADMIN && !account.disabled();
    }

    private static String email(String email) {
        String stripped = email.strip();
        if (stripped.length() > MAX_EMAIL || !EMAIL.matcher(stripped).matches()) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "An email address has to look like name@host and have at most " + MAX_EMAIL + " characters.",
                    "email");
        }
        return stripped;
    }

    private static String name(String name) {
        String stripped = name.strip();
        if (stripped.isEmpty() || stripped.length() > MAX_NAME) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD, "A name has to have 1 to " + MAX_NAME + " characters.", "name");
        }
        return stripped;
    }
}
