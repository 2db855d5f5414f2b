package dev.gadget.code;

import dev.gadget.model.UserId;
import java.util.Locale;
import org.jboss.logging.Logger;

/** The log category {@code audit}: who did what to accounts, tokens, providers and drones; never a secret, never a prompt. */
public final class Audit {
    private static final Logger LOG = Logger.getLogger("audit");

    private Audit() {}

    /** @param action for example {@code "token created"}; {@code subject} is the id of what it was done to */
    public static void note(UserId who, String action, Object subject) {
        LOG.info(String.format(Locale.ROOT, "user %s: %s %s", who, action, subject));
    }

    /** What happened without anybody being signed in, for example a refused sign-in. */
    public static void note(String event) {
        LOG.info(event);
    }
}
