package dev.gadget.code.account;

/** Fired inside the service when a token no longer counts: what it opened is ended. */
public record TokenRevoked(String tokenId) {}
