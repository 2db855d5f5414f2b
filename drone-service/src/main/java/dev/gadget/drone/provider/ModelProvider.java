package dev.gadget.drone.provider;

import dev.gadget.model.ProviderType;
import dev.gadget.model.work.ProviderSpec;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One kind of model endpoint. Implementations are found, never listed. */
public interface ModelProvider {
    /** The wire that it speaks. */
    ProviderType type();

    /**
     * Runs one model response on the calling thread, and returns after its terminal event was given. The sink may block:
     * then no more is read from the endpoint. A cancelled signal closes the connection at once, before the first byte too,
     * and ends the response as {@code Failed(CANCELLED)}.
     */
    void stream(RoundRequest request, Consumer<RoundEvent> sink, CancelSignal cancel);

    /**
     * How many tokens a prompt and its answer may have together, as the endpoint says it of this model; empty when it does not.
     * {@code ProviderException} when it cannot be asked.
     */
    default Optional<Integer> reportedContext(ProviderSpec provider, String model, CancelSignal cancel)
            throws ProviderException {
        return Optional.empty();
    }

    /**
     * How many tokens a prompt and its answer should have together in a model that nobody examined; empty when nothing is known.
     * {@code ProviderException} when it cannot be asked.
     */
    default Optional<Integer> usualContext(ProviderSpec provider, String model, CancelSignal cancel)
            throws ProviderException {
        return reportedContext(provider, model, cancel);
    }

    /** The models that the endpoint offers; {@code ProviderException} when it cannot be asked. */
    List<String> models(ProviderSpec provider) throws ProviderException;
}
