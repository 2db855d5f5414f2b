package dev.gadget.code.account;

import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A token that opens something, as stored: never the token itself.
 *
 * @param id public, by which it is listed and revoked
 * @param hash SHA-256 of the token in hexadecimal, unique
 * @param kind a browser's cookie, a personal access token or a drone's credential
 * @param droneId set for a drone's credential
 * @param expiresAt null when it lives until it is revoked
 */
public record StoredToken(
        String id,
        String hash,
        UserId userId,
        Caller.Kind kind,
        @Nullable DroneId droneId,
        String name,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant lastUsedAt) {
    @Override
    public String toString() {
        return "StoredToken[" + id + " " + kind + "]";
    }
}
