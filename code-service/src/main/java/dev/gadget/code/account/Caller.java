package dev.gadget.code.account;

import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AccountApi.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who a request or a socket is from, once it is known.
 *
 * @param tokenId the stored token that was shown, so that revoking it can close what it opened
 * @param droneId set only for {@code kind == DRONE}
 * @param expiresAt from when on that token counts no more; null when it lives until it is revoked
 */
public record Caller(
        UserId userId,
        String email,
        Role role,
        Kind kind,
        String tokenId,
        @Nullable DroneId droneId,
        @Nullable Instant expiresAt) {
    /** What was shown to prove it. */
    public enum Kind {
        /** The session cookie of a browser. */
        BROWSER,
        /** A personal access token. */
        TOKEN,
        /** The credential of a drone, which opens nothing but the drone's own doors. */
        DRONE
    }

    /** Whether what was shown counts no more at this moment. */
    public boolean expired(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }
}
