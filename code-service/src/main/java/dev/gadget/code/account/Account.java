package dev.gadget.code.account;

import dev.gadget.model.UserId;
import dev.gadget.model.api.AccountApi.Role;
import java.time.Instant;

/**
 * One person, as stored.
 *
 * @param email as it was typed; it is unique without regard to case
 * @param passwordHash a bcrypt hash in modular crypt form
 */
public record Account(
        UserId id,
        String email,
        String name,
        Role role,
        String passwordHash,
        boolean disabled,
        Instant createdAt,
        long version) {
    @Override
    public String toString() {
        return "Account[" + id + "]";
    }
}
