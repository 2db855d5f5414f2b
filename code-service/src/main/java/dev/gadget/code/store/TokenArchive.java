package dev.gadget.code.store;

import dev.gadget.code.account.Caller;
import dev.gadget.code.account.StoredToken;
import dev.gadget.model.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Keeps the hashes of tokens. */
public interface TokenArchive {
    void insert(StoredToken token);

    /** The one with this hash; a unique index, because every request asks. */
    Optional<StoredToken> byHash(String hash);

    /** Those of a person, of one kind, newest first. */
    List<StoredToken> ofUser(UserId user, Caller.Kind kind);

    /** Notes when it was last used. */
    void touch(String id, Instant usedAt);

    /** Removes it; false when it was not there or belongs to somebody else. */
    boolean delete(UserId user, String id);

    /** Removes all of a person's of one kind, and returns the removed ids. */
    List<String> deleteOfUser(UserId user, Caller.Kind kind);

    /** Removes what expired before this moment, and returns how many. */
    long deleteExpired(Instant before);
}
