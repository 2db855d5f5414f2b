package dev.gadget.code.account;

import dev.gadget.model.api.AccountApi.UserView;

/** Accounts as they are shown. */
final class UserViews {
    private UserViews() {}

    static UserView of(Account account) {
        return new UserView(
                account.id(), account.email(), account.name(), account.role(), account.disabled(), account.createdAt());
    }
}
