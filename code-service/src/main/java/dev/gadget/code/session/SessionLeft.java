package dev.gadget.code.session;

import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;

/**
 * Fired inside the service when a session was put away, or works in another workspace from now on: nobody would see what it left running.
 *
 * @param workspace where it was
 */
public record SessionLeft(UserId owner, SessionId session, WorkspaceId workspace) {}
