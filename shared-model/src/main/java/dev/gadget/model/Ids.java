package dev.gadget.model;

import java.util.UUID;

/** The one rule that every identifier keeps, so that an id can stand in a URL, a file name and a log line. */
final class Ids {
    private static final int LONGEST = 64;

    private Ids() {}

    static void check(String what, String value) {
        if (!fits(value)) {
            throw new IllegalArgumentException(
                    what + " has to be 1 to 64 letters, digits, '-' or '_', but is " + quoted(value));
        }
    }

    /** By hand, because every message of a drone carries one: a pattern costs as much as the rest of it. */
    private static boolean fits(String value) {
        if (value.isEmpty() || value.length() > LONGEST) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '_') {
                return false;
            }
        }
        return true;
    }

    static String random() {
        return UUID.randomUUID().toString();
    }

    private static String quoted(String value) {
        String head = value.length() > 80 ? value.substring(0, 80) + "…" : value;
        return "'" + head.replaceAll("\\p{Cntrl}", "?") + "'";
    }
}
