package dev.gadget.code.account;

import dev.gadget.code.store.EnrolmentArchive;
import dev.gadget.code.store.StoreException;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import org.jboss.logging.Logger;

/** Removes expired tokens and enrolment codes; that they have expired is also checked whenever one is read. */
@ApplicationScoped
public class TokenSweeper {
    private static final Logger LOG = Logger.getLogger(TokenSweeper.class);

    private final Tokens tokens;
    private final EnrolmentArchive enrolments;

    TokenSweeper(Tokens tokens, EnrolmentArchive enrolments) {
        this.tokens = tokens;
        this.enrolments = enrolments;
    }

    @Scheduled(every = "1h", delayed = "1m")
    void sweep() {
        try {
            long removed = tokens.sweep() + enrolments.deleteExpired(Instant.now());
            LOG.debugf("removed %d expired tokens and codes", removed);
        } catch (StoreException e) {
            LOG.warnf("expired tokens are not removed now: %s", e.getMessage());
        }
    }
}
