package dev.gadget.scripted;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What stands behind a scene's name in its mark: {@code name=value}, {@code name="a value"} or one bare word. */
record Options(Map<String, String> values) {
    /** The option that a bare word is. */
    static final String BARE = "what";

    /** The options that every scene takes. */
    static final Set<String> COMMON = Set.of("rate", "chars", "piece", "cut", "gzip", "field");

    private static final Pattern OPTION = Pattern.compile("([a-z_]+)=(?:\"([^\"]*)\"|(\\S+))|(\\S+)");

    Options {
        values = Map.copyOf(values);
    }

    static Options parsed(String text) {
        Map<String, String> values = new HashMap<>();
        Matcher option = OPTION.matcher(text);
        while (option.find()) {
            if (option.group(4) != null) {
                values.put(BARE, option.group(4));
            } else {
                values.put(option.group(1), option.group(2) != null ? option.group(2) : option.group(3));
            }
        }
        return new Options(values);
    }

    void allowOnly(String scene, Set<String> own) {
        for (String name : new TreeSet<>(values.keySet())) {
            if (!own.contains(name) && !COMMON.contains(name)) {
                throw new IllegalArgumentException("The scene " + scene + " takes no option '" + name
                        + "'; it takes " + String.join(", ", new TreeSet<>(own)) + " and, as every scene, "
                        + String.join(", ", new TreeSet<>(COMMON)));
            }
        }
    }

    String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    /** A whole number from 0 to {@code most}. */
    long number(String name, long otherwise, long most) {
        String text = values.get(name);
        if (text == null) {
            return otherwise;
        }
        if (text.matches("\\d{1,15}") && Long.parseLong(text) <= most) {
            return Long.parseLong(text);
        }
        throw new IllegalArgumentException(
                "The option " + name + " takes a whole number from 0 to " + most + ", not '" + text + "'");
    }

    /** The reply as the common options want it. */
    Reply applied(Reply reply) {
        Reply out = reply;
        if (values.containsKey("rate")) {
            out = out.paced(number("rate", 0, 10_000_000));
        }
        if (values.containsKey("chars")) {
            out = out.inTokensOf((int) number("chars", 1, 1 << 20));
        }
        if (values.containsKey("piece")) {
            out = out.inPiecesOf((int) number("piece", 0, 1 << 20));
        }
        if (values.containsKey("cut")) {
            out = out.cutAfter(number("cut", 0, Long.MAX_VALUE >> 1), new Step.CleanEnd());
        }
        if (values.containsKey("gzip")) {
            out = out.gzipped();
        }
        return values.containsKey("field") ? out.reasoningIn(text("field", "")) : out;
    }
}
