package dev.gadget.drone.provider.http;

import dev.gadget.model.work.ProviderSpec;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What a model at an endpoint refused to be asked, so that not every round has to be refused first. Forgotten with the process. */
public final class Refusals {
    private static final int MOST = 256;

    private final Set<Refusal> known = ConcurrentHashMap.newKeySet();

    private record Refusal(String baseUrl, String model, String what) {}

    public boolean has(ProviderSpec provider, String model, String what) {
        return known.contains(new Refusal(provider.baseUrl(), model, what));
    }

    public void add(ProviderSpec provider, String model, String what) {
        if (known.size() >= MOST) {
            known.clear();
        }
        known.add(new Refusal(provider.baseUrl(), model, what));
    }
}
