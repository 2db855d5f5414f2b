package dev.gadget.drone.agent;

import java.util.regex.Pattern;

/** Names of tools as they are told back to models, which make some up: endpoints refuse a whole conversation over one they do not take. */
final class CallNames {
    private static final int LONGEST = 64;
    private static final Pattern NOT_TAKEN = Pattern.compile("[^A-Za-z0-9_-]");

    private CallNames() {}

    static String sent(String name) {
        String sent = NOT_TAKEN
                .matcher(name.substring(0, Math.min(LONGEST, name.length())))
                .replaceAll("_");
        return sent.isEmpty() ? "unnamed" : sent;
    }
}
