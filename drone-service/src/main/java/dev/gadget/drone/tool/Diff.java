package dev.gadget.drone.tool;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import java.util.Arrays;
import java.util.List;

/** The difference of two texts, as a unified diff. */
final class Diff {
    private static final int CONTEXT = 3;
    /** More would take long to compare, and nobody would read it. */
    private static final int MAX_LINES = 20_000;

    private Diff() {}

    /** Of a file; a side is empty where the file is not there. */
    static String of(String path, String before, String after) {
        List<String> from = lines(before);
        List<String> to = lines(after);
        if (from.size() > MAX_LINES || to.size() > MAX_LINES) {
            return "--- a/" + path + "\n+++ b/" + path + "\n[" + from.size() + " lines become " + to.size()
                    + "; too many to compare]\n";
        }
        List<String> diff = UnifiedDiffUtils.generateUnifiedDiff(
                before.isEmpty() ? "/dev/null" : "a/" + path,
                after.isEmpty() ? "/dev/null" : "b/" + path,
                from,
                DiffUtils.diff(from, to),
                CONTEXT);
        return diff.isEmpty() ? "" : String.join("\n", diff) + "\n";
    }

    private static List<String> lines(String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        String whole = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        return Arrays.asList(whole.split("\n", -1));
    }
}
