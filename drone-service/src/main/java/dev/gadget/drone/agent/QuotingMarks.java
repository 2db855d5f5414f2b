package dev.gadget.drone.agent;

import java.util.regex.Pattern;

/**
 * Marks around what is quoted for a model, as {@code <name>} and {@code </name>}: nothing that is quoted can end its quotation or begin
 * another. The beginning of such a mark is made another character that can be seen, because what is taken away can leave a new mark.
 */
final class QuotingMarks {
    private final Pattern marks;

    /** Of these names, also as the beginning of a longer one. */
    QuotingMarks(String... names) {
        marks = Pattern.compile("<(?=\\s*+/?\\s*+(?:" + String.join("|", names) + "))", Pattern.CASE_INSENSITIVE);
    }

    String defused(String text) {
        return marks.matcher(text).replaceAll("‹");
    }
}
