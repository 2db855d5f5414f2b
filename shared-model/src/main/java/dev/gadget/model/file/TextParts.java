package dev.gadget.model.file;

import dev.gadget.model.Protocol;
import java.util.ArrayList;
import java.util.List;

/** Cuts a text so that each part fits into a message, and no character is cut in two. */
public final class TextParts {
    private TextParts() {}

    /** The parts in their order; none of an empty text. */
    public static List<String> of(String text) {
        List<String> parts = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int to = Math.min(text.length(), from + Protocol.TEXT_PART_CHARS);
            if (to < text.length() && Character.isHighSurrogate(text.charAt(to - 1))) {
                to--;
            }
            parts.add(text.substring(from, to));
            from = to;
        }
        return parts;
    }
}
