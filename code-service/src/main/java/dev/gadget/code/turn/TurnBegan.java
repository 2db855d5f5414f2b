package dev.gadget.code.turn;

import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;

/** Fired inside the service when a turn began, or was taken up again: readers of its session follow it now. */
public record TurnBegan(UserId owner, SessionId session, TurnId turn) {}
