package dev.gadget.model;

import java.util.UUID;
import java.util.regex.Pattern;

/** The one rule that every identifier keeps, so that an id can stand in a URL, a file name and a log line. */
final class Ids {
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private Ids() {}

    static void check(String what, String value) {
        if (!SHAPE.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    what + " has to be 1 to 64 letters, digits, '-' or '_', but is " + quoted(value));
        }
    }

    static String random() {
        return UUID.randomUUID().toString();
    }

    private static String quoted(String value) {
        String head = value.length() > 80 ? value.substring(0, 80) + "…" : value;
        return "'" + head.replaceAll("\\p{Cntrl}", "?") + "'";
    }
}
