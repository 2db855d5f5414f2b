package dev.gadget.code.store;

import dev.gadget.code.account.Account;
import dev.gadget.model.UserId;
import java.util.Optional;

/** Keeps accounts; the email is unique without regard to case. */
public interface AccountArchive {
    /** Stores a new one; {@code CONFLICT} when the email is taken. */
    void insert(Account account);

    Optional<Account> find(UserId id);

    /** The one with this email, in whatever case. */
    Optional<Account> byEmail(String email);

    /** All of them, newest first. */
    Slice<Account> list(Optional<String> after, int limit);

    /** Stores a changed one with its version raised by one; {@code CHANGED_MEANWHILE} when the stored version is another. */
    void replace(Account account);

    long count();
}
