package dev.gadget.drone.agent;

import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Gives each tool call of a turn an id of its own: the model's, where it is usable and new. Subagents call beside each other. */
final class CallIds {
    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private static final int MOST = 56;

    private final Set<String> taken;
    private final String ending;

    CallIds() {
        this(ConcurrentHashMap.newKeySet(), "");
    }

    private CallIds(Set<String> taken, String ending) {
        this.taken = taken;
        this.ending = ending;
    }

    /** For what is done again: of what was called the first time a torn journal may not know all ids, so these have an ending that none had. */
    CallIds again() {
        return new CallIds(taken, "_" + UUID.randomUUID().toString().substring(0, 8));
    }

    /** The id is in use. */
    void take(String id) {
        taken.add(id);
    }

    /** The id to use for the call at this place. */
    String unique(String proposed, int round, int index) {
        String id = USABLE.matcher(proposed).matches() ? proposed : "call_" + round + "_" + index;
        String wanted = ending.isEmpty() ? id : cut(id, MOST - ending.length()) + ending;
        String free = wanted;
        for (int i = 2; !taken.add(free); i++) {
            free = cut(wanted, MOST) + "_" + i;
        }
        return free;
    }

    private static String cut(String id, int most) {
        return id.length() > most ? id.substring(0, most) : id;
    }
}
