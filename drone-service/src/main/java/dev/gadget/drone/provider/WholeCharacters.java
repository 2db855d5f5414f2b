package dev.gadget.drone.provider;

import java.util.function.Consumer;

/** Some endpoints cut text within a character. A half of one cannot be written down, so it waits for the other half. */
final class WholeCharacters {
    private static final String LOST = "\uFFFD";

    private final Consumer<String> told;
    private String half = "";

    WholeCharacters(Consumer<String> told) {
        this.told = told;
    }

    void take(String piece) {
        String text = half.isEmpty() ? piece : half + piece;
        boolean cut = !text.isEmpty() && Character.isHighSurrogate(text.charAt(text.length() - 1));
        int whole = cut ? text.length() - 1 : text.length();
        half = text.substring(whole);
        if (whole > 0) {
            told.accept(text.substring(0, whole));
        }
    }

    /** Nothing follows: the other half never came. */
    void end() {
        if (!half.isEmpty()) {
            half = "";
            told.accept(LOST);
        }
    }
}
