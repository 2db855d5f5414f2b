package dev.gadget.code.account;

import dev.gadget.code.audit.AuditLog;
import dev.gadget.code.config.CodeConfig;
import dev.gadget.code.store.AccountArchive;
import dev.gadget.model.api.AccountApi.CreateUser;
import dev.gadget.model.api.AccountApi.Role;
import dev.gadget.model.api.AccountApi.UpdateUser;
import dev.gadget.model.api.AuditApi.AuditKind;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.jboss.logging.Logger;

/** Makes one administrator at the first start, and lets back in who has lost the password. */
@ApplicationScoped
public class FirstAdministrator {
    private static final Logger LOG = Logger.getLogger(FirstAdministrator.class);
    private static final int AFTER_THE_STORE = 200;
    private static final int PASSWORD_GROUPS = 5;

    private final AccountArchive archive;
    private final Accounts accounts;
    private final AuditLog audit;
    private final CodeConfig.Admin settings;

    FirstAdministrator(AccountArchive archive, Accounts accounts, AuditLog audit, CodeConfig config) {
        this.archive = archive;
        this.accounts = accounts;
        this.audit = audit;
        this.settings = config.admin();
    }

    void onStart(@Observes @Priority(AFTER_THE_STORE) StartupEvent started) {
        if (settings.reset()) {
            reset();
        } else if (archive.count() == 0) {
            make();
        } else if (settings.password().isPresent()) {
            LOG.info(
                    "gadget.admin.password changes nothing: an earlier start made the administrator, whose password stays"
                            + " as it is. gadget.admin.reset sets it anew.");
        }
    }

    private void make() {
        String password = settings.password().orElseGet(() -> Secrets.readable(PASSWORD_GROUPS));
        Account made = accounts.create(new CreateUser(settings.email(), "Administrator", password, Role.ADMIN));
        audit.byTheService(AuditKind.USER_CREATED, made.id(), "first administrator");
        tell("The first administrator is made", password);
    }

    private void reset() {
        Account account = archive.byEmail(settings.email()).orElse(null);
        if (account == null) {
            make();
            return;
        }
        String password = settings.password().orElseGet(() -> Secrets.readable(PASSWORD_GROUPS));
        accounts.update(account.id(), new UpdateUser(null, password, Role.ADMIN, false));
        audit.byTheService(AuditKind.USER_CHANGED, account.id(), "administrator reset");
        tell("The administrator's password is set anew", password);
        LOG.warn("gadget.admin.reset is on: take it away again, or every start resets the password.");
    }

    /** Only a password that nobody else knows is printed, and only now. */
    private void tell(String what, String password) {
        if (settings.password().isPresent()) {
            LOG.infof("%s: sign in as %s with the password of gadget.admin.password.", what, settings.email());
        } else {
            LOG.infof("%s: sign in as %s with the password %s (shown only now).", what, settings.email(), password);
        }
    }
}
