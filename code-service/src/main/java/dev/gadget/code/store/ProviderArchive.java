package dev.gadget.code.store;

import dev.gadget.code.provider.Provider;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;
import java.util.Optional;

/** Keeps providers; the name is unique per person. */
public interface ProviderArchive {
    /** Stores a new one; {@code CONFLICT} when a unique key is taken. */
    void insert(Provider provider);

    /** The one with this id, when it belongs to this person. */
    Optional<Provider> find(UserId owner, ProviderId id);

    /** Those of a person, newest first. */
    Slice<Provider> list(UserId owner, Optional<String> after, int limit);

    /** Stores a changed one with its version raised by one; {@code CHANGED_MEANWHILE} when the stored version is another. */
    void replace(Provider provider);

    /** Removes it; false when it was not there or belongs to somebody else. */
    boolean delete(UserId owner, ProviderId id);
}
