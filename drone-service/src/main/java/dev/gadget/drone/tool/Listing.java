package dev.gadget.drone.tool;

import java.util.List;

/** Puts lines together, sorted, up to a number, and says when there are more. */
final class Listing {
    private Listing() {}

    static String of(List<String> lines, int max, String advice) {
        List<String> sorted = lines.stream().sorted().limit(max).toList();
        String text = String.join("\n", sorted);
        return lines.size() > max
                ? text + "\n[" + max + " of " + lines.size() + " are shown; to see others, " + advice + "]"
                : text;
    }
}
