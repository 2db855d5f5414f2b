package dev.gadget.model;

import java.util.regex.Pattern;

/** What others said, as it may stand in a log or a terminal: one line of a bounded length, without what a terminal acts on. */
public final class OneLine {
    private static final int LONGEST = 2000;
    private static final Pattern NOT_SHOWN = Pattern.compile("[\\p{Cntrl}\\x{80}-\\x{9f}\\x{2028}\\x{2029}]");

    private OneLine() {}

    public static String of(String text) {
        String begin = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
        return NOT_SHOWN.matcher(begin).replaceAll("?");
    }
}
