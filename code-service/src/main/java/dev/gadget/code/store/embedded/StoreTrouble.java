package dev.gadget.code.store.embedded;

import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Why the store takes no writes now, if so: said in the log once, to every writer, and by the readiness check. */
final class StoreTrouble {
    private static final Logger LOG = Logger.getLogger(StoreTrouble.class);

    private @Nullable String sentence;
    private boolean forGood;

    synchronized Optional<String> sentence() {
        return Optional.ofNullable(sentence);
    }

    /** Until it is cleared. */
    synchronized void raise(String found, @Nullable Throwable cause) {
        if (sentence == null) {
            LOG.error(found, cause);
            sentence = found;
        }
    }

    /** Until the next start: what is in memory can no longer be trusted. */
    synchronized void raiseForGood(String found, Throwable cause) {
        if (!forGood) {
            LOG.error(found, cause);
            sentence = found;
            forGood = true;
        }
    }

    synchronized void clear() {
        if (sentence != null && !forGood) {
            LOG.info("The store takes writes again.");
            sentence = null;
        }
    }

    synchronized boolean isForGood() {
        return forGood;
    }
}
