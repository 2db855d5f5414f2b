package dev.gadget.model;

import java.math.BigDecimal;

/** The rule for numbers with a fraction: a few letters, as 1e999999999, can stand for a billion digits, and no store holds these. */
public final class Decimals {
    private Decimals() {}

    /**
     * The value; {@code IllegalArgumentException} when it is below 0, or has more digits than these.
     *
     * @param name what it is, for the message
     * @param whole digits before the point
     * @param fraction digits after it
     */
    public static BigDecimal checked(String name, BigDecimal value, int whole, int fraction) {
        if (value.signum() < 0 || value.scale() > fraction || (long) value.precision() - value.scale() > whole) {
            throw new IllegalArgumentException(name + " has to be at least 0, with at most " + whole
                    + " digits before the point and " + fraction + " after it, but is " + shown(value));
        }
        return value;
    }

    /** With an exponent where it is huge, and cut where it is long. */
    private static String shown(BigDecimal value) {
        String text = value.toString();
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }
}
