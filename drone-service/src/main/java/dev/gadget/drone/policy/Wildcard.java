package dev.gadget.drone.policy;

/** Texts with {@code *} for any characters, in at most as many steps as both lengths multiplied. */
final class Wildcard {
    private Wildcard() {}

    static boolean matches(String wanted, String text) {
        int at = 0;
        int in = 0;
        int star = -1;
        int resume = 0;
        while (in < text.length()) {
            if (at < wanted.length() && wanted.charAt(at) == '*') {
                star = at++;
                resume = in;
            } else if (at < wanted.length() && wanted.charAt(at) == text.charAt(in)) {
                at++;
                in++;
            } else if (star >= 0) {
                // The last star takes one more; those before it need never take more than they did.
                at = star + 1;
                in = ++resume;
            } else {
                return false;
            }
        }
        while (at < wanted.length() && wanted.charAt(at) == '*') {
            at++;
        }
        return at == wanted.length();
    }
}
