package dev.gadget.drone.provider.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.drone.provider.http.Endpoint;
import dev.gadget.model.FailureCode;
import dev.gadget.model.work.ProviderSpec;
import java.util.List;
import java.util.Optional;

/** Finds out how large a context an endpoint says that it has: the API itself has no word for it, so servers have their own. */
final class ReportedContext {
    /** What vLLM, OpenRouter, Groq and LM Studio call it in their lists of models. */
    private static final List<String> FIELDS =
            List.of("max_model_len", "context_length", "context_window", "loaded_context_length", "max_context_length");

    private final Endpoint endpoint;
    private final ProviderSpec provider;
    private final CancelSignal cancel;

    ReportedContext(Endpoint endpoint, ProviderSpec provider, CancelSignal cancel) {
        this.endpoint = endpoint;
        this.provider = provider;
        this.cancel = cancel;
    }

    Optional<Integer> of(String model) throws ProviderException {
        Optional<Integer> slot = ofLlamaServer();
        return slot.isPresent() ? slot : ofList(model);
    }

    /** llama-server has properties beside the API; each of its slots has this much. */
    private Optional<Integer> ofLlamaServer() throws ProviderException {
        String base = provider.baseUrl().replaceFirst("/+(v1/*)?$", "");
        var root = new ProviderSpec(
                provider.type(), provider.name(), base, provider.apiKey(), provider.disableStreaming());
        try {
            return positive(endpoint.get(root, "/props", cancel)
                    .path("default_generation_settings")
                    .path("n_ctx"));
        } catch (ProviderException other) {
            FailureCode code = other.failure().code();
            if (code == FailureCode.CANCELLED
                    || code == FailureCode.PROVIDER_UNREACHABLE
                    || code == FailureCode.STALLED) {
                throw other;
            }
            // Any other server: it has no such address, or a page of its own there.
            return Optional.empty();
        }
    }

    private Optional<Integer> ofList(String model) throws ProviderException {
        for (JsonNode entry : endpoint.get(provider, "/models", cancel).path("data")) {
            if (entry.path("id").asText().equals(model)) {
                return FIELDS.stream()
                        .map(field -> positive(entry.path(field)))
                        .flatMap(Optional::stream)
                        .findFirst();
            }
        }
        return Optional.empty();
    }

    private static Optional<Integer> positive(JsonNode tokens) {
        return tokens.canConvertToInt() && tokens.asInt() > 0 ? Optional.of(tokens.asInt()) : Optional.empty();
    }
}
