package dev.gadget.drone.tool;

import dev.gadget.drone.policy.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** What a search found, up to a bound. */
final class SearchHits {
    static final int MAX_LINES = 200;
    private static final int MAX_CHARS = 30_000;
    private static final int MAX_LINE = 300;

    private record Hit(String path, int line, String text) {}

    private final Workspace workspace;
    private final List<Hit> hits = new ArrayList<>();
    private int chars;
    private boolean more;
    private boolean unread;

    SearchHits(Workspace workspace) {
        this.workspace = workspace;
    }

    /** Takes one; false when no more is wanted. */
    boolean add(Path file, int line, String text) {
        if (hits.size() >= MAX_LINES || chars >= MAX_CHARS) {
            more = true;
            return false;
        }
        String cut = text.length() > MAX_LINE ? text.substring(0, MAX_LINE) + "…" : text;
        hits.add(new Hit(workspace.show(file), line, cut.stripTrailing()));
        chars += cut.length();
        return true;
    }

    /** There may be matches in files that could not be read. */
    void someUnread() {
        unread = true;
    }

    String text(String pattern, String where) {
        return found(pattern, where) + (unread ? "\n[some files could not be read]" : "");
    }

    private String found(String pattern, String where) {
        if (hits.isEmpty()) {
            return "No match for `" + pattern + "` in `" + where + "`.";
        }
        String lines = hits.stream()
                .sorted(Comparator.comparing(Hit::path).thenComparing(Hit::line))
                .map(hit -> hit.path() + ":" + hit.line() + ":" + hit.text())
                .collect(Collectors.joining("\n"));
        return more ? lines + "\n[there are more matches; use a narrower pattern, path or glob]" : lines;
    }
}
