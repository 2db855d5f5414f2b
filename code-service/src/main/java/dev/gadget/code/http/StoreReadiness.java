package dev.gadget.code.http;

import dev.gadget.code.store.AccountArchive;
import dev.gadget.code.store.StoreException;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready is a service whose store answers: it is asked, and an unready one gets no requests from a load balancer. */
@Readiness
@Singleton
public class StoreReadiness implements HealthCheck {
    private static final String NAME = "store";

    private final AccountArchive accounts;

    StoreReadiness(AccountArchive accounts) {
        this.accounts = accounts;
    }

    @Override
    public HealthCheckResponse call() {
        try {
            return HealthCheckResponse.named(NAME).status(accounts.count() > 0).build();
        } catch (StoreException e) {
            return HealthCheckResponse.named(NAME)
                    .down()
                    .withData("reason", String.valueOf(e.getMessage()))
                    .build();
        }
    }
}
