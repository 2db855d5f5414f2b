package dev.gadget.code.socket;

/**
 * Why a socket is closed, as the other side is told.
 *
 * @param code of RFC 6455, or one of 4000 to 4999 that docs/protocol.md lists
 * @param reason in words
 */
public record CloseReason(int code, String reason) {}
