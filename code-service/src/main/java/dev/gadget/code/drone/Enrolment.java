package dev.gadget.code.drone;

import dev.gadget.model.UserId;
import java.time.Instant;

/**
 * A code that enrols one drone, as stored.
 *
 * @param codeHash SHA-256 of the code in hexadecimal
 */
public record Enrolment(String codeHash, UserId ownerId, Instant createdAt, Instant expiresAt) {}
