package dev.gadget.code.session;

import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;

/**
 * Fired inside the service when a session is gone: whatever runs in it stops and writes nothing any more.
 *
 * @param last the session as it was
 */
public record SessionDeleted(ChatSession last) {
    public UserId owner() {
        return last.ownerId();
    }

    public SessionId session() {
        return last.id();
    }
}
