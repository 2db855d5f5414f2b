package dev.gadget.drone.mcp;

/** What others wrote, made fit to be shown in a line: no line break, no control character, not too long. */
public final class Shown {
    private Shown() {}

    /** At most so many characters of it. */
    public static String text(String text, int most) {
        String cut = text.length() > most ? text.substring(0, most) + "…" : text;
        return cut.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]", "?");
    }
}
