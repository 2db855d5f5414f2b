package dev.gadget.code.session;

import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;

/** Fired inside the service when a session was made or its settings changed. */
public record SessionUpdated(UserId owner, SessionId session) {}
