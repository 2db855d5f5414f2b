package dev.gadget.drone.provider;

import dev.gadget.model.ProviderType;
import io.quarkus.arc.All;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Finds the implementation for a wire. */
@Singleton
public class ModelProviders {
    private final Map<ProviderType, ModelProvider> byType = new EnumMap<>(ProviderType.class);

    public ModelProviders(@All List<ModelProvider> providers) {
        providers.forEach(provider -> byType.put(provider.type(), provider));
    }

    /** The one that speaks this wire. */
    public ModelProvider of(ProviderType type) {
        ModelProvider provider = byType.get(type);
        if (provider == null) {
            throw new IllegalStateException("nothing here speaks the wire " + type);
        }
        return provider;
    }
}
