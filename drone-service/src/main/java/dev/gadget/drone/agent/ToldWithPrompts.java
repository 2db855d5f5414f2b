package dev.gadget.drone.agent;

import dev.gadget.model.TurnId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What models were told with the prompts of turns, kept while the drone runs: with it the next turn of a session begins with the very
 * bytes of the one before, which endpoints have in their caches. Without it nothing is lost but that.
 */
final class ToldWithPrompts {
    private static final int MOST = 500;

    private final Map<TurnId, String> told = new LinkedHashMap<>();

    synchronized void keep(TurnId turn, String text) {
        told.put(turn, text);
        if (told.size() > MOST) {
            told.remove(told.keySet().iterator().next());
        }
    }

    /** Nothing where it is not known. */
    synchronized String with(TurnId turn) {
        return told.getOrDefault(turn, "");
    }
}
