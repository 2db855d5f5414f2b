package dev.gadget.scripted;

import java.util.ArrayList;
import java.util.List;

/** Cuts text into what looks like tokens. */
final class Tokens {
    private Tokens() {}

    /** Words, each with the white space that follows it; nothing is lost. */
    static List<String> words(String text) {
        List<String> out = new ArrayList<>();
        int start = 0;
        for (int i = 1; i < text.length(); i++) {
            if (Character.isWhitespace(text.charAt(i - 1)) && !Character.isWhitespace(text.charAt(i))) {
                out.add(text.substring(start, i));
                start = i;
            }
        }
        if (start < text.length()) {
            out.add(text.substring(start));
        }
        return out;
    }

    /** Pieces of so many characters, never inside a surrogate pair. */
    static List<String> pieces(String text, int size) {
        List<String> out = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int end = Math.min(text.length(), start + size);
            if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
                end++;
            }
            out.add(text.substring(start, end));
            start = end;
        }
        return out;
    }
}
