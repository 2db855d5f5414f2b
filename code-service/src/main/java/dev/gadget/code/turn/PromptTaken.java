package dev.gadget.code.turn;

import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;

/** A prompt that waited became a part of the turn that runs in its session, with these words. */
record PromptTaken(SessionId session, TurnId prompt, TurnId into, String words) {}
