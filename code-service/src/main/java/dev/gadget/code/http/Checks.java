package dev.gadget.code.http;

import dev.gadget.code.RefusedException;
import dev.gadget.model.FailureCode;

/** Rules that several request bodies share. */
public final class Checks {
    private Checks() {}

    /** A line of 1 to {@code max} characters, without blanks at its ends; refused when it is another. */
    public static String line(String field, String value, int max) {
        String stripped = value.strip();
        if (stripped.isEmpty()
                || stripped.length() > max
                || stripped.codePoints().anyMatch(Character::isISOControl)) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "The " + field + " has to be one line of 1 to " + max + " characters.",
                    field);
        }
        return stripped;
    }
}
