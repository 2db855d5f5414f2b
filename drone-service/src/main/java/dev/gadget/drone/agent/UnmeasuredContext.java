package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ModelProvider;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ProviderType;
import dev.gadget.model.work.WorkOrder;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * How long a context models have that nobody examined, as their endpoints say it: asked once for each, and nobody's trouble when they do
 * not. Without it a conversation would be cut without a word where it becomes too long.
 */
final class UnmeasuredContext {
    private static final Logger LOG = Logger.getLogger(UnmeasuredContext.class);
    private static final int MOST = 256;

    private final Map<Asked, Optional<Integer>> known = new ConcurrentHashMap<>();

    private record Asked(ProviderType type, String baseUrl, String model) {}

    /** The same order, with a profile that says how long the context is, where that was found out. */
    WorkOrder in(WorkOrder order, ModelProvider provider, CancelSignal cancel) {
        ModelProfile profile = order.profile();
        if (profile != null && profile.contextTokens() != null) {
            return order;
        }
        return tokens(order, provider, cancel)
                .map(tokens -> order.with(
                        profile == null
                                ? ModelProfile.ofContext(tokens, order.createdAt())
                                : profile.withContext(
                                        Math.max(tokens, Objects.requireNonNullElse(profile.contextAtLeast(), 0)))))
                .orElse(order);
    }

    private Optional<Integer> tokens(WorkOrder order, ModelProvider provider, CancelSignal cancel) {
        var asked = new Asked(order.provider().type(), order.provider().baseUrl(), order.model());
        Optional<Integer> before = known.get(asked);
        if (before != null) {
            return before;
        }
        try {
            Optional<Integer> found = provider.usualContext(order.provider(), order.model(), cancel);
            if (known.size() >= MOST) {
                known.clear();
            }
            known.put(asked, found);
            return found;
        } catch (ProviderException e) {
            FailureCode code = e.failure().code();
            if (code != FailureCode.CANCELLED && !code.retryable()) {
                known.put(asked, Optional.empty());
            }
            LOG.debugf(
                    "the endpoint does not say how long its context is model=%s code=%s",
                    order.model(), code.wireName());
            return Optional.empty();
        }
    }
}
