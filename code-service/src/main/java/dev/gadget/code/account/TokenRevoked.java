package dev.gadget.code.account;

/** Fired inside the service when a token no longer counts: sockets that it opened are closed. */
public record TokenRevoked(String tokenId) {}
