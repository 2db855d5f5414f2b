package dev.gadget.drone.tool;

import dev.gadget.drone.policy.SecretFiles;
import dev.gadget.drone.policy.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
    /** The only file that was asked for, by its name. */
    private final Path start;

    private final ToolInvocation call;
    private int secret;
    private int denied;
    private @Nullable Path last;
    private boolean lastDenied;

    /** Of a search from here: who asks for one file by its name was allowed to read it. */
    SearchHits(ToolInvocation call, Path start) {
        this.call = call;
        workspace = call.workspace();
        this.start = start;
    }

    /** Takes one; false when no more is wanted. */
    boolean add(Path file, int line, String text) {
        if (deniedByRule(file)) {
            denied++;
            return true;
        }
        if (SecretFiles.is(file) && !file.equals(start)) {
            secret++;
            return true;
        }
        if (hits.size() >= MAX_LINES || chars >= MAX_CHARS) {
            more = true;
            return false;
        }
        String cut = text.length() > MAX_LINE ? text.substring(0, MAX_LINE) + "…" : text;
        hits.add(new Hit(workspace.show(file), line, cut.stripTrailing()));
        chars += cut.length();
        return true;
    }

    /** Hits come file by file, and rules take a while. */
    private boolean deniedByRule(Path file) {
        if (!file.equals(last)) {
            last = file;
            lastDenied = call.denied(file);
        }
        return lastDenied;
    }

    /** There may be matches in files that could not be read. */
    void someUnread() {
        unread = true;
    }

    String text(String pattern, String where) {
        return found(pattern, where)
                + (unread ? "\n[some files could not be read]" : "")
                + (secret > 0
                        ? "\n[matches in files that commonly hold secrets, as .env, are left out: " + secret
                                + "; read_file asks the person]"
                        : "")
                + (denied > 0 ? "\n[matches in files that a rule denies are left out: " + denied + "]" : "");
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
