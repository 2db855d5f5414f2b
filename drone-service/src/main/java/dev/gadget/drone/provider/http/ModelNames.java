package dev.gadget.drone.provider.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.work.ProviderSpec;
import java.util.ArrayList;
import java.util.List;

/** Reads which models an endpoint offers. */
public final class ModelNames {
    private ModelNames() {}

    /** The names in the {@code field}s of the {@code list} at this path. */
    public static List<String> in(Endpoint endpoint, ProviderSpec provider, String path, String list, String field)
            throws ProviderException {
        JsonNode models = endpoint.get(provider, path).path(list);
        if (!models.isArray()) {
            throw new ProviderException(
                    FailureCode.PROVIDER_PROTOCOL,
                    "The answer to " + path + " is no list of models: it has no array '" + list
                            + "'. Check the provider's type and base URL.");
        }
        List<String> names = new ArrayList<>();
        for (JsonNode model : models) {
            String name = model.path(field).asText("");
            if (!name.isBlank()) {
                names.add(name);
            }
        }
        return names;
    }
}
