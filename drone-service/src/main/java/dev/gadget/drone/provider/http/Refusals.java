package dev.gadget.drone.provider.http;

import dev.gadget.model.work.ProviderSpec;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * What a model at an endpoint refused to be asked, and what it is asked instead, so that not every round has to be refused first.
 * Forgotten with the process.
 */
public final class Refusals {
    /** Nothing is asked instead. */
    public static final String NOTHING = "";

    private static final Logger LOG = Logger.getLogger(Refusals.class);
    private static final int MOST = 256;

    private final Map<Refusal, String> known = new ConcurrentHashMap<>();

    private record Refusal(String baseUrl, String model, String what) {}

    public boolean has(ProviderSpec provider, String model, String what) {
        return instead(provider, model, what).isPresent();
    }

    /** What to ask instead, which may be {@link #NOTHING}; empty when this was not refused. */
    public Optional<String> instead(ProviderSpec provider, String model, String what) {
        return Optional.ofNullable(known.get(new Refusal(provider.baseUrl(), model, what)));
    }

    public void add(ProviderSpec provider, String model, String what) {
        add(provider, model, what, NOTHING);
    }

    /** Keeps it without a word: nothing was refused, it was only seen. */
    public boolean see(ProviderSpec provider, String model, String what, String instead) {
        if (known.size() >= MOST) {
            known.clear();
        }
        return !instead.equals(known.put(new Refusal(provider.baseUrl(), model, what), instead));
    }

    public void add(ProviderSpec provider, String model, String what, String instead) {
        if (see(provider, model, what, instead)) {
            LOG.infof(
                    "the endpoint refuses a part of what it is asked, and is asked otherwise from now on"
                            + " provider=%s model=%s refused=%s instead=%s",
                    provider.name(), model, what, instead.isEmpty() ? "nothing" : instead);
        }
    }
}
