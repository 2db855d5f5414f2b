package dev.gadget.code.store;

/** Fired inside the service when the store stopped taking what turns say, and when it takes it again. */
public record DurabilityChanged(boolean saved) {}
