package dev.gadget.drone.provider;

import java.util.function.Consumer;

/** Some endpoints leave reasoning in the content, as {@code <think>…</think>} at its start; this takes it out, however it is cut. */
final class ThinkTags {
    private static final String OPEN = "<think>";
    private static final String CLOSE = "</think>";

    private enum Place {
        START,
        THINKING,
        TEXT
    }

    private final Consumer<String> thinking;
    private final Consumer<String> text;
    private final StringBuilder held = new StringBuilder();
    private Place place = Place.START;
    private boolean afterThinking;

    ThinkTags(Consumer<String> thinking, Consumer<String> text) {
        this.thinking = thinking;
        this.text = text;
    }

    void take(String piece) {
        switch (place) {
            case TEXT -> tellText(piece);
            case START -> {
                held.append(piece);
                start();
            }
            case THINKING -> {
                held.append(piece);
                think();
            }
        }
    }

    /** Nothing follows: what was held back goes out as what it seemed to be. */
    void end() {
        String rest = held.toString();
        held.setLength(0);
        if (place == Place.THINKING) {
            thinking.accept(rest);
        } else {
            tellText(rest);
        }
    }

    private void start() {
        String begun = held.toString().stripLeading();
        if (begun.startsWith(OPEN)) {
            held.setLength(0);
            held.append(begun, OPEN.length(), begun.length());
            place = Place.THINKING;
            think();
        } else if (!OPEN.startsWith(begun)) {
            String all = held.toString();
            held.setLength(0);
            place = Place.TEXT;
            tellText(all);
        }
    }

    private void think() {
        int end = held.indexOf(CLOSE);
        if (end >= 0) {
            thinking.accept(held.substring(0, end));
            String rest = held.substring(end + CLOSE.length());
            held.setLength(0);
            place = Place.TEXT;
            afterThinking = true;
            tellText(rest);
            return;
        }
        int sure = held.length() - heldBack();
        if (sure > 0) {
            thinking.accept(held.substring(0, sure));
            held.delete(0, sure);
        }
    }

    /** How much of the end may be the beginning of the closing tag. */
    private int heldBack() {
        for (int length = Math.min(CLOSE.length() - 1, held.length()); length > 0; length--) {
            if (CLOSE.startsWith(held.substring(held.length() - length))) {
                return length;
            }
        }
        return 0;
    }

    private void tellText(String piece) {
        String shown = afterThinking ? piece.stripLeading() : piece;
        if (!shown.isEmpty()) {
            afterThinking = false;
            text.accept(shown);
        }
    }
}
