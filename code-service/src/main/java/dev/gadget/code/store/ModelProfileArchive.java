package dev.gadget.code.store;

import dev.gadget.code.provider.ExaminedModel;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;
import java.util.List;
import java.util.Optional;

/** Keeps what models were found to do: of each model of a provider the last that is known. */
public interface ModelProfileArchive {
    /** Stores it in place of what was known of the model before. */
    void put(ExaminedModel examined);

    /** That of this model, when the provider belongs to this person. */
    Optional<ExaminedModel> find(UserId owner, ProviderId provider, String model);

    /** Those of a provider of this person, by the names of the models. */
    List<ExaminedModel> ofProvider(UserId owner, ProviderId provider);

    /** Removes all of a provider of this person. */
    void deleteOfProvider(UserId owner, ProviderId provider);
}
