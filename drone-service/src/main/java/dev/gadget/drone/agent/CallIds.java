package dev.gadget.drone.agent;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** Gives each tool call of a turn an id of its own: the model's, where it is usable and new. Subagents call beside each other. */
final class CallIds {
    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final Set<String> taken = new HashSet<>();

    /** The id is in use. */
    synchronized void take(String id) {
        taken.add(id);
    }

    /** The id to use for the call at this place. */
    synchronized String unique(String proposed, int round, int index) {
        String id = USABLE.matcher(proposed).matches() ? proposed : "call_" + round + "_" + index;
        String free = id;
        for (int i = 2; !taken.add(free); i++) {
            free = (id.length() > 56 ? id.substring(0, 56) : id) + "_" + i;
        }
        return free;
    }
}
