package dev.gadget.code.http;

import dev.gadget.code.RefusedException;
import dev.gadget.model.FailureCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rules that several requests share. */
public final class Checks {
    private static final int LONGEST_KEY = 200;

    private Checks() {}

    /** What makes a repeated request one; refused when nobody could repeat it. */
    public static Optional<String> idempotencyKey(@Nullable String header) {
        if (header != null && (header.isBlank() || header.length() > LONGEST_KEY)) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "An Idempotency-Key has 1 to " + LONGEST_KEY + " characters, but this one has " + header.length()
                            + ".",
                    "Idempotency-Key");
        }
        return Optional.ofNullable(header);
    }

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

    /**
     * The whole number that {@code text} is; refused when it is none from {@code least} to {@code most}. For parameters of a query, which
     * are taken as text: of another type, one that cannot be read would be answered as an unknown address.
     */
    public static int number(String name, String text, int least, int most) {
        int number;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException _) {
            throw outside(name, least, most);
        }
        if (number < least || number > most) {
            throw outside(name, least, most);
        }
        return number;
    }

    private static RefusedException outside(String name, int least, int most) {
        return new RefusedException(
                FailureCode.INVALID_FIELD, name + " has to be a number from " + least + " to " + most + ".", name);
    }
}
