package dev.gadget.drone.tool;

import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Says what a model may have meant: a file that is elsewhere, a text that is in the file but for a few characters. */
final class NearMisses {
    private static final int MAX_WALK = 20_000;
    private static final int MAX_LINES = 50_000;
    private static final int MAX_LINE = 300;
    private static final double ALIKE = 0.5;

    private NearMisses() {}

    /** That a path does not exist, and where a file of that name is. */
    static String missing(Workspace workspace, String asked) {
        Path name = Path.of(asked).getFileName();
        List<String> elsewhere = new ArrayList<>();
        if (name != null) {
            String wanted = name.toString().toLowerCase(Locale.ROOT);
            int[] seen = {0};
            try {
                FileWalk.over(workspace, workspace.base(), new CancelSignal(), (path, directory) -> {
                    if (String.valueOf(path.getFileName())
                            .toLowerCase(Locale.ROOT)
                            .equals(wanted)) {
                        elsewhere.add("`" + workspace.show(path) + "`");
                    }
                    return ++seen[0] < MAX_WALK && elsewhere.size() < 5;
                });
            } catch (IOException e) {
                elsewhere.clear();
            }
        }
        return "`" + asked + "` does not exist."
                + (elsewhere.isEmpty()
                        ? " Use find_files or list_files to see what there is."
                        : " There is " + String.join(", ", elsewhere) + ".");
    }

    /** Where a file comes nearest to a text that is not in it. */
    static String nearest(String content, String wanted) {
        List<String> lines = content.lines().limit(MAX_LINES).toList();
        List<String> searched = wanted.lines().dropWhile(String::isBlank).toList();
        if (searched.isEmpty()) {
            return "";
        }
        int same = sameButForBlanks(lines, searched);
        if (same >= 0) {
            return " It differs only in blanks from lines " + (same + 1) + "-" + (same + searched.size())
                    + ", which are exactly:\n" + String.join("\n", lines.subList(same, same + searched.size()));
        }
        String first = searched.getFirst().strip();
        Set<String> pairs = pairs(first);
        record Near(int line, double alike) {}
        List<Near> near = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            double alike = alike(pairs, pairs(lines.get(i).strip()));
            if (alike >= ALIKE) {
                near.add(new Near(i, alike));
            }
        }
        near.sort(Comparator.comparingDouble(Near::alike).reversed());
        if (near.isEmpty()) {
            return " No line of the file is like its first line; read the file again.";
        }
        StringBuilder text = new StringBuilder(" The nearest lines are:");
        for (Near one : near.subList(0, Math.min(3, near.size()))) {
            int from = one.line();
            int to = Math.min(lines.size(), from + Math.min(searched.size(), 6));
            text.append("\nfrom line ").append(from + 1).append(":\n");
            text.append(String.join("\n", lines.subList(from, to)));
        }
        return text.toString();
    }

    private static int sameButForBlanks(List<String> lines, List<String> searched) {
        List<String> wanted = searched.stream().map(NearMisses::squeezed).toList();
        List<String> have = lines.stream().map(NearMisses::squeezed).toList();
        for (int i = 0; i + wanted.size() <= have.size(); i++) {
            if (have.subList(i, i + wanted.size()).equals(wanted)) {
                return i;
            }
        }
        return -1;
    }

    private static String squeezed(String line) {
        return line.replaceAll("\\s+", "");
    }

    private static Set<String> pairs(String line) {
        Set<String> pairs = new HashSet<>();
        int end = Math.min(line.length(), MAX_LINE) - 1;
        for (int i = 0; i < end; i++) {
            pairs.add(line.substring(i, i + 2));
        }
        return pairs;
    }

    private static double alike(Set<String> one, Set<String> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return 0;
        }
        long shared = one.stream().filter(other::contains).count();
        return 2.0 * shared / (one.size() + other.size());
    }
}
