package dev.gadget.code.session;

import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;

/** Fired inside the service when a session is gone: whatever runs in it stops and writes nothing any more. */
public record SessionDeleted(UserId owner, SessionId session) {}
