package dev.gadget.drone.tool;

import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A patch between {@code *** Begin Patch} and {@code *** End Patch}, as some models learned to write it: no line numbers, but the lines
 * around each change, and at times a line above it after {@code @@}. What fits in more than one place is refused.
 */
final class EnvelopePatch {
    private static final int MAX_FILES = 100;
    private static final Pattern BEGINS =
            Pattern.compile("^\\*\\*\\* (Begin Patch|(Add|Update|Delete) File: ).*", Pattern.MULTILINE);
    private static final String ENDS = "*** End Patch";
    /** What stands behind the end of a patch and begins like this was meant to be in one. */
    private static final Pattern STRAY = Pattern.compile("(\\+|-|@@|\\*\\*\\* ).*");
    /** How many comparisons of lines a patch may take, long lines counted several times: a second or so. */
    private static final int MOST_WORK = 30_000_000;

    private static final int PART_OF_LINE = 64;
    /** After so many lines, whether it is still wanted. */
    private static final int LOOKS_AGAIN = 1000;

    private static final Pattern NUMBERS = Pattern.compile("-\\d.*");
    private static final String NOTHING = " Nothing was changed.";

    /** Ways to find lines, the strictest first: models lose blanks. Of each what has to be the same of two lines. */
    private static final List<UnaryOperator<String>> ALIKE =
            List.of(UnaryOperator.identity(), String::stripTrailing, String::strip);

    private enum Kind {
        ADD("*** Add File: "),
        UPDATE("*** Update File: "),
        DELETE("*** Delete File: ");

        final String mark;

        Kind(String mark) {
            this.mark = mark;
        }
    }

    /** Some lines that become others, below the lines that are named before. */
    private static final class Hunk {
        final List<String> anchors = new ArrayList<>();
        /** Each with its sign before it. */
        final List<String> rows = new ArrayList<>();

        boolean atEnd;
        /** How many lines at the end may be only what stands between two hunks. */
        int loose;

        /** The lines that it has but for those of this sign. */
        List<String> without(String sign) {
            return rows.stream()
                    .filter(row -> !row.startsWith(sign))
                    .map(row -> row.substring(1))
                    .toList();
        }
    }

    private static final class Section {
        final Kind kind;
        final String path;

        @Nullable
        String to;

        final List<Hunk> hunks = new ArrayList<>();

        Section(Kind kind, String path) {
            this.kind = kind;
            this.path = path;
        }

        Hunk last() {
            if (hunks.isEmpty()) {
                hunks.add(new Hunk());
            }
            return hunks.getLast();
        }
    }

    /** What a place holds by now: all lines, so that joined by line breaks they are the file; none where there is no file. */
    private record Now(
            String path,
            @Nullable List<String> before,
            @Nullable List<String> lines,
            @Nullable Boolean executable) {
        Now with(@Nullable List<String> other) {
            return new Now(path, before, other, executable);
        }

        /** What stood at another place, moved here. */
        Now with(List<String> other, boolean mayRun) {
            return new Now(path, before, other, before != null || mayRun ? Boolean.valueOf(mayRun) : null);
        }
    }

    private final List<Section> sections;
    private final CancelSignal cancel;
    private int work;

    private EnvelopePatch(List<Section> sections, CancelSignal cancel) {
        this.sections = sections;
        this.cancel = cancel;
    }

    /** Whether a text is meant as one. */
    static boolean is(String patch) {
        return BEGINS.matcher(patch).find();
    }

    /** One that nobody stops. */
    static EnvelopePatch of(String patch) {
        return of(patch, new CancelSignal());
    }

    static EnvelopePatch of(String patch, CancelSignal cancel) {
        List<Section> sections = new ArrayList<>();
        boolean behind = false;
        for (String row : patch.lines().toList()) {
            String mark = row.stripTrailing();
            boolean begins = mark.equals("*** Begin Patch");
            if (begins || mark.equals(ENDS)) {
                behind = !sections.isEmpty();
            } else if (!behind || isFile(row)) {
                behind = false;
                read(row, sections);
            } else if (STRAY.matcher(row).matches()) {
                throw new ToolFailedException("The patch has the line `" + shortened(row) + "` behind `" + ENDS
                        + "`, where it belongs to no file." + NOTHING + " Put it below `*** Update File: path`.");
            }
        }
        if (sections.isEmpty()) {
            throw new ToolFailedException("The patch names no file: it needs lines like `*** Update File: path`,"
                    + " `*** Add File: path` or `*** Delete File: path`." + NOTHING);
        }
        if (sections.size() > MAX_FILES) {
            throw new ToolFailedException("The patch has more than " + MAX_FILES + " files. Apply it in parts.");
        }
        return new EnvelopePatch(sections, cancel);
    }

    private static boolean isFile(String row) {
        return Stream.of(Kind.values()).anyMatch(kind -> row.startsWith(kind.mark.stripTrailing()));
    }

    private static String shortened(String row) {
        return row.length() > 100 ? row.substring(0, 100) + "…" : row;
    }

    private static void read(String row, List<Section> sections) {
        for (Kind kind : Kind.values()) {
            if (row.startsWith(kind.mark.stripTrailing())) {
                sections.add(
                        new Section(kind, row.substring(kind.mark.length() - 1).strip()));
                return;
            }
        }
        if (sections.isEmpty()) {
            // The beginning, and what models write around it.
            return;
        }
        Section section = sections.getLast();
        if (section.kind == Kind.UPDATE && row.startsWith("*** Move to:")) {
            section.to = row.substring("*** Move to:".length()).strip();
        } else if (row.stripTrailing().equals("*** End of File")) {
            section.last().atEnd = true;
        } else if (section.kind == Kind.ADD) {
            added(row, section);
        } else if (section.kind == Kind.UPDATE) {
            changed(row, section);
        } else if (!row.isBlank()) {
            throw wrong(section, row, "a file that is deleted has no lines");
        }
    }

    private static void added(String row, Section section) {
        Hunk hunk = section.last();
        if (row.startsWith("+")) {
            hunk.rows.add(row);
            hunk.loose = 0;
        } else if (row.isBlank()) {
            hunk.rows.add("+");
            hunk.loose++;
        } else {
            throw wrong(section, row, "each line of a new file begins with `+`");
        }
    }

    private static void changed(String row, Section section) {
        if (row.startsWith("@@")) {
            if (section.hunks.isEmpty() || !section.last().rows.isEmpty()) {
                section.hunks.add(new Hunk());
            }
            String anchor = row.substring(2).replaceFirst("@@\\s*$", "").strip();
            if (!anchor.isEmpty() && !NUMBERS.matcher(anchor).matches()) {
                section.last().anchors.add(anchor);
            }
            return;
        }
        Hunk hunk = section.last();
        int loose = hunk.loose;
        hunk.loose = 0;
        if (row.isEmpty()) {
            hunk.rows.add(" ");
            hunk.loose = loose + 1;
        } else if (" -+".indexOf(row.charAt(0)) >= 0) {
            hunk.rows.add(row);
        } else {
            throw wrong(
                    section,
                    row,
                    "each line of a change begins with a blank (it stays), `-` (it goes) or `+` (it comes)");
        }
    }

    private static ToolFailedException wrong(Section section, String row, String expected) {
        return new ToolFailedException("The patch for `" + section.path + "` has the line `" + shortened(row)
                + "`, but " + expected + "." + NOTHING);
    }

    /** The paths that it is about, as they stand in it. */
    List<String> paths() {
        return sections.stream()
                .flatMap(section -> section.to == null ? Stream.of(section.path) : Stream.of(section.path, section.to))
                .distinct()
                .toList();
    }

    /** Where the files are that it would change. */
    List<Path> places(Workspace workspace) {
        List<Path> places = new ArrayList<>();
        for (Section section : sections) {
            places.add(place(workspace, section));
            if (section.to != null) {
                places.add(workspace.toWrite(section.to));
            }
        }
        return places.stream().distinct().toList();
    }

    private static Path place(Workspace workspace, Section section) {
        return section.kind == Kind.DELETE || section.to != null
                ? workspace.toMove(section.path)
                : workspace.toWrite(section.path);
    }

    /** Changes all of its files, or none; what it did, in words. */
    String apply(Workspace workspace) throws IOException {
        List<PatchedFile> files = new ArrayList<>();
        outcome(workspace)
                .forEach((place, now) -> files.add(
                        new PatchedFile(place, now.path(), now.lines(), now.before() == null, now.executable())));
        requireWanted();
        PatchedFile.write(workspace, files);
        return PatchedFile.said(files);
    }

    /** What would come of it, as a unified diff. */
    String diff(Workspace workspace) throws IOException {
        return outcome(workspace).values().stream()
                .map(now -> Diff.of(now.path(), text(now.before()), text(now.lines())))
                .collect(Collectors.joining());
    }

    private static String text(@Nullable List<String> lines) {
        return lines == null ? "" : String.join("\n", lines);
    }

    /** Whether the files are as it would have left them: what it adds is there, and what it removes is not. */
    boolean isDone(Workspace workspace) throws IOException {
        for (Section section : sections) {
            Path place = place(workspace, section);
            boolean there = Files.exists(place, LinkOption.NOFOLLOW_LINKS);
            boolean goes = section.kind == Kind.DELETE || section.to != null;
            Path result = section.to == null ? place : workspace.toWrite(section.to);
            if (goes && there
                    || section.kind != Kind.DELETE
                            && (!Files.exists(result, LinkOption.NOFOLLOW_LINKS)
                                    || !isDone(section, lines(workspace, result)))) {
                return false;
            }
        }
        return true;
    }

    private boolean isDone(Section section, List<String> now) {
        if (section.kind == Kind.ADD) {
            return now.equals(made(section));
        }
        List<Hunk> back = section.hunks.stream().map(EnvelopePatch::reversed).toList();
        try {
            return changed(section, changed(section, now, back), section.hunks).equals(now);
        } catch (ToolFailedException e) {
            return false;
        }
    }

    private static Hunk reversed(Hunk hunk) {
        Hunk back = new Hunk();
        back.anchors.addAll(hunk.anchors);
        for (String row : hunk.rows) {
            String sign = row.startsWith("+") ? "-" : row.startsWith("-") ? "+" : " ";
            back.rows.add(sign + row.substring(1));
        }
        back.atEnd = hunk.atEnd;
        back.loose = hunk.loose;
        return back;
    }

    /** What every place would hold, worked out before anything is written. */
    private Map<Path, Now> outcome(Workspace workspace) throws IOException {
        Map<Path, Now> files = new LinkedHashMap<>();
        for (Section section : sections) {
            Path place = place(workspace, section);
            Now now = now(workspace, files, place, section.path);
            List<String> lines = now.lines();
            if (section.kind == Kind.ADD) {
                if (lines != null) {
                    throw new ToolFailedException("`" + section.path
                            + "` exists already, so that it cannot be added. Use `*** Update File: `." + NOTHING);
                }
                files.put(place, now.with(made(section)));
                continue;
            }
            if (lines == null) {
                throw new ToolFailedException(NearMisses.missing(workspace, section.path) + NOTHING);
            }
            if (section.kind == Kind.DELETE) {
                files.put(place, now.with(null));
                continue;
            }
            List<String> changed = changed(section, lines, section.hunks);
            if (section.to == null) {
                files.put(place, now.with(changed));
                continue;
            }
            Path target = workspace.toWrite(section.to);
            Now there = now(workspace, files, target, section.to);
            if (there.lines() != null) {
                throw new ToolFailedException("`" + section.to + "` exists already, so that `" + section.path
                        + "` cannot be moved there. Delete it first, or use another name." + NOTHING);
            }
            files.put(place, now.with(null));
            Boolean known = now.executable();
            files.put(target, there.with(changed, known == null ? Files.isExecutable(place) : known));
        }
        return files;
    }

    private static Now now(Workspace workspace, Map<Path, Now> files, Path place, String path) throws IOException {
        Now known = files.get(place);
        if (known != null) {
            return known;
        }
        if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            return new Now(path, null, null, null);
        }
        if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            throw new ToolFailedException(
                    "`" + path + "` is a directory." + NOTHING + " A patch is about files, one by one.");
        }
        List<String> lines = lines(workspace, place);
        return new Now(path, lines, lines, null);
    }

    private static List<String> lines(Workspace workspace, Path file) throws IOException {
        return Arrays.asList(EditableText.read(workspace, file).split("\n", -1));
    }

    /** A new file ends with a line break. */
    private static List<String> made(Section section) {
        List<String> lines = new ArrayList<>();
        section.hunks.forEach(hunk -> {
            List<String> rows = hunk.without("-");
            // Blank lines at its end stand before the next mark.
            lines.addAll(rows.subList(0, rows.size() - hunk.loose));
        });
        lines.add("");
        return lines;
    }

    private List<String> changed(Section section, List<String> lines, List<Hunk> hunks) {
        List<String> result = new ArrayList<>(lines);
        boolean returns = lines.stream().limit(50).anyMatch(line -> line.endsWith("\r"));
        int from = 0;
        for (Hunk hunk : hunks) {
            if (hunk.rows.isEmpty()) {
                continue;
            }
            int below = from;
            for (String anchor : hunk.anchors) {
                below = find(section, result, List.of(anchor), below).stream()
                                .findFirst()
                                .orElseThrow(() -> new ToolFailedException("The line after @@, `" + anchor
                                        + "`, is not in `" + section.path + "` below the change before it." + NOTHING
                                        + " Read the file again, and name a line that is there."))
                        + 1;
            }
            Place place = place(section, hunk, result, below, hunk.anchors.isEmpty());
            List<String> present = result.subList(place.at(), place.at() + place.count());
            List<String> after = after(hunk.rows.subList(0, hunk.rows.size() - place.without()), present, returns);
            present.clear();
            result.addAll(place.at(), after);
            from = place.at() + after.size();
        }
        if (!lines.getLast().endsWith("\r") && result.getLast().endsWith("\r")) {
            // No line break follows the last line.
            result.set(
                    result.size() - 1,
                    result.getLast().substring(0, result.getLast().length() - 1));
        }
        return result;
    }

    /** Where a hunk goes: so many lines from there on, of its own all but so many at the end. */
    private record Place(int at, int count, int without) {}

    private Place place(Section section, Hunk hunk, List<String> lines, int below, boolean anywhere) {
        int end = lines.getLast().isEmpty() ? lines.size() - 1 : lines.size();
        List<String> before = hunk.without("+");
        if (before.isEmpty()) {
            return new Place(anywhere || hunk.atEnd ? end : Math.min(below, end), 0, 0);
        }
        for (int without = 0; without <= hunk.loose && without < before.size(); without++) {
            List<String> wanted = before.subList(0, before.size() - without);
            List<Integer> found = find(section, lines, wanted, below);
            if (hunk.atEnd && found.contains(end - wanted.size())) {
                found = List.of(end - wanted.size());
            }
            if (found.size() > 1 && anywhere) {
                throw new ToolFailedException("A change for `" + section.path + "` fits in " + found.size()
                        + " places, from lines "
                        + found.stream()
                                .limit(5)
                                .map(at -> String.valueOf(at + 1))
                                .collect(Collectors.joining(", "))
                        + "." + NOTHING + " Give more of the lines around it, or a line above it after @@.");
            }
            if (!found.isEmpty()) {
                return new Place(found.getFirst(), wanted.size(), without);
            }
        }
        String text = String.join("\n", lines);
        throw new ToolFailedException("A change for `" + section.path + "` does not fit: its lines are not in the file"
                + (below > 0 ? " below line " + below : "") + "." + NOTHING
                + NearMisses.nearest(text, String.join("\n", before)));
    }

    private List<Integer> find(Section section, List<String> lines, List<String> wanted, int from) {
        for (UnaryOperator<String> alike : ALIKE) {
            List<String> rows = wanted.stream().map(alike).toList();
            List<Integer> found = new ArrayList<>();
            for (int at = from; at + rows.size() <= lines.size(); at++) {
                if (at % LOOKS_AGAIN == 0) {
                    requireWanted();
                }
                if (fits(section, lines, rows, at, alike)) {
                    found.add(at);
                }
            }
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    private boolean fits(
            Section section, List<String> lines, List<String> wanted, int at, UnaryOperator<String> alike) {
        for (int i = 0; i < wanted.size(); i++) {
            String line = lines.get(at + i);
            work += 1 + (line.length() + wanted.get(i).length()) / PART_OF_LINE;
            if (work > MOST_WORK) {
                throw new ToolFailedException("Where the changes for `" + section.path
                        + "` go takes too long to find: too many lines are alike." + NOTHING
                        + " Give fewer or more distinct lines around each change, or use edit_file.");
            }
            String plain = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
            if (!alike.apply(plain).equals(wanted.get(i))) {
                return false;
            }
        }
        return true;
    }

    private void requireWanted() {
        if (cancel.cancelled()) {
            throw new ToolFailedException("Stopped by the person." + NOTHING);
        }
    }

    /** The lines that come, of which those that stay are as they stand in the file. */
    private static List<String> after(List<String> rows, List<String> present, boolean returns) {
        List<String> after = new ArrayList<>();
        int at = 0;
        for (String row : rows) {
            if (row.startsWith("+")) {
                after.add(row.substring(1) + (returns ? "\r" : ""));
            } else {
                if (row.startsWith(" ")) {
                    after.add(present.get(at));
                }
                at++;
            }
        }
        return after;
    }
}
