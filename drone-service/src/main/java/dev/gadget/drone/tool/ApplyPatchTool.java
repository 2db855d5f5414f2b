package dev.gadget.drone.tool;

import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.Patch;
import com.github.difflib.patch.PatchFailedException;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Applies a unified diff, or a patch of the form that {@link EnvelopePatch} reads: all of its files, or none. */
@ApplicationScoped
public class ApplyPatchTool implements Tool {
    private static final int MAX_FILES = 100;
    private static final int MAX_FUZZ = 3;
    private static final Pattern HUNK = Pattern.compile("@@ -(\\d{1,9})(?:,\\d+)? \\+(\\d{1,9})(?:,\\d+)? @@.*");

    private static final ToolSpec SPEC = new ToolSpec(
            "apply_patch",
            "Applies a unified diff (--- a/path, +++ b/path, @@ hunks) to one or more files, all or none. /dev/null as the old path makes"
                    + " a file, as the new path deletes it. Takes `*** Begin Patch` with `*** Update File: path`, @@ and `*** End Patch`, too."
                    + " For one small change edit_file is easier.",
            Schema.object().text("patch", "The patch.").build());

    /** One file of a patch; a side is null where the file is not there. */
    private record FilePatch(
            @Nullable String before, @Nullable String after, List<String> lines) {
        String path() {
            return after == null ? String.valueOf(before) : after;
        }
    }

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.WRITES;
    }

    @Override
    public Map<String, Object> example() {
        return Map.of("patch", "--- a/src/App.java\n+++ b/src/App.java\n@@ -1,2 +1,2 @@\n int a;\n-int b;\n+int c;\n");
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("diff", "patch", "input", "patch");
    }

    @Override
    public List<String> changes(Map<String, Object> parameters) {
        Object patch = parameters.get("patch");
        if (patch != null && EnvelopePatch.is(patch.toString())) {
            return EnvelopePatch.of(patch.toString()).paths();
        }
        return patch == null
                ? List.of()
                : files(patch.toString()).stream()
                        .map(FilePatch::path)
                        .distinct()
                        .toList();
    }

    @Override
    public List<Path> places(Workspace workspace, Map<String, Object> parameters) {
        Object patch = parameters.get("patch");
        if (patch != null && EnvelopePatch.is(patch.toString())) {
            return EnvelopePatch.of(patch.toString()).places(workspace);
        }
        return patch == null
                ? List.of()
                : List.copyOf(sections(workspace, files(patch.toString())).keySet());
    }

    @Override
    public Optional<String> preview(ToolInvocation call) throws IOException {
        String patch = call.text("patch");
        return Optional.of(
                EnvelopePatch.is(patch) ? EnvelopePatch.of(patch, call.cancel()).diff(call.workspace()) : patch);
    }

    /** Also what does not fit is told. */
    @Override
    public List<Path> reads(Workspace workspace, Map<String, Object> parameters) {
        return places(workspace, parameters);
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException {
        String patch = call.text("patch");
        if (EnvelopePatch.is(patch)) {
            return ToolResult.done(
                    "Patched " + EnvelopePatch.of(patch, call.cancel()).apply(call.workspace()) + ".");
        }
        List<FilePatch> files = files(patch);
        if (files.isEmpty()) {
            return ToolResult.failed(
                    "The patch names no file: it needs lines `--- a/path` and `+++ b/path` before its hunks, or"
                            + " `*** Begin Patch` and `*** Update File: path`.");
        }
        List<PatchedFile> outcomes = new ArrayList<>();
        for (Map.Entry<Path, List<FilePatch>> file :
                sections(call.workspace(), files).entrySet()) {
            outcomes.add(outcome(call.workspace(), file.getKey(), file.getValue()));
        }
        if (call.cancel().cancelled()) {
            return ToolResult.failed("Stopped by the person. Nothing was changed.");
        }
        PatchedFile.write(call.workspace(), outcomes);
        return ToolResult.done("Patched " + PatchedFile.said(outcomes) + ".");
    }

    /** After a crash: it is done when every file is as the patch would have left it, that is, when it can be taken back. */
    @Override
    public Optional<ToolResult> alreadyDone(ToolInvocation call) throws IOException {
        String patch = call.text("patch");
        if (EnvelopePatch.is(patch)) {
            return EnvelopePatch.of(patch, call.cancel()).isDone(call.workspace())
                    ? Optional.of(ToolResult.done("The patch is applied."))
                    : Optional.empty();
        }
        List<FilePatch> files = files(patch);
        for (Map.Entry<Path, List<FilePatch>> file :
                sections(call.workspace(), files).entrySet()) {
            if (!isDone(call.workspace(), file.getKey(), file.getValue())) {
                return Optional.empty();
            }
        }
        return files.isEmpty() ? Optional.empty() : Optional.of(ToolResult.done("The patch is applied."));
    }

    private static boolean isDone(Workspace workspace, Path file, List<FilePatch> sections) throws IOException {
        boolean there = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        if (!there || sections.getLast().after() == null) {
            return !there && sections.getLast().after() == null;
        }
        List<String> now = lines(workspace, file);
        try {
            List<Patch<String>> patches = patches(sections, now);
            List<String> again = now;
            for (Patch<String> patch : patches.reversed()) {
                again = patch.restore(again);
            }
            for (Patch<String> patch : patches) {
                again = patch.applyTo(again);
            }
            return again.equals(now);
        } catch (PatchFailedException | RuntimeException e) {
            return false;
        }
    }

    /** The sections of each place in their order: models repeat the names of a file before each of its hunks. */
    private static Map<Path, List<FilePatch>> sections(Workspace workspace, List<FilePatch> files) {
        Map<Path, List<FilePatch>> sections = new LinkedHashMap<>();
        for (FilePatch file : files) {
            Path place = file.after() == null ? workspace.toMove(file.path()) : workspace.toWrite(file.path());
            sections.computeIfAbsent(place, _ -> new ArrayList<>()).add(file);
        }
        return sections;
    }

    private static PatchedFile outcome(Workspace workspace, Path place, List<FilePatch> sections) throws IOException {
        FilePatch first = sections.getFirst();
        boolean there = Files.exists(place, LinkOption.NOFOLLOW_LINKS);
        if (first.before() == null && there) {
            throw new ToolFailedException(
                    "`" + first.path() + "` exists already, so that it cannot be made. Nothing was changed.");
        }
        if (first.before() != null && !there) {
            throw new ToolFailedException(NearMisses.missing(workspace, first.path()) + " Nothing was changed.");
        }
        requireSequence(sections);
        if (sections.getLast().after() == null) {
            if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
                throw new ToolFailedException("`" + first.path()
                        + "` is a directory. Nothing was changed. A patch deletes files, one by one.");
            }
            return new PatchedFile(place, first.path(), null, false, null);
        }
        List<String> lines = there ? lines(workspace, place) : List.of();
        List<Patch<String>> patches = patches(sections, lines);
        for (int i = 0; i < sections.size(); i++) {
            try {
                lines = moved(patches.get(i), lines).applyFuzzy(lines, fuzz(sections.get(i)));
            } catch (PatchFailedException | RuntimeException e) {
                throw new ToolFailedException(
                        "A hunk for `" + first.path() + "` does not fit: its lines are not in the file at that place ("
                                + e.getMessage() + "). Nothing was changed. Read the file again, or use edit_file.");
            }
            if (i == 0 && !there) {
                // A new file ends with a line break.
                lines.add("");
            }
        }
        return new PatchedFile(place, first.path(), lines, !there, null);
    }

    /** A file that is gone is not changed any more, and one that is there is not made. */
    private static void requireSequence(List<FilePatch> sections) {
        for (int i = 1; i < sections.size(); i++) {
            FilePatch section = sections.get(i);
            boolean gone = sections.get(i - 1).after() == null;
            if (gone ? section.after() != null : section.before() == null) {
                throw new ToolFailedException("The patch "
                        + (gone
                                ? "deletes `" + section.path() + "` and then has another section that changes it"
                                : "has another section for `" + section.path() + "` that makes it anew")
                        + ". Nothing was changed. Put all hunks of a file into one section, below one pair of names.");
            }
        }
    }

    /** The sections of one file, each as a patch of what the sections before it make. */
    private static List<Patch<String>> patches(List<FilePatch> sections, List<String> now) {
        boolean windows = now.stream().limit(50).anyMatch(line -> line.endsWith("\r"));
        List<Patch<String>> patches = new ArrayList<>();
        for (FilePatch section : sections) {
            Patch<String> patch =
                    UnifiedDiffUtils.parseUnifiedDiff(windows ? withReturns(section.lines()) : section.lines());
            patches.add(patches.isEmpty() ? patch : onTop(patch));
        }
        return patches;
    }

    /**
     * The old numbers of a later section are of the file before the whole patch, or of what the sections before it made: its first hunk
     * tells, because the new numbers are the same in both.
     */
    private static Patch<String> onTop(Patch<String> patch) {
        List<AbstractDelta<String>> hunks = patch.getDeltas();
        int shift = hunks.isEmpty()
                ? 0
                : hunks.getFirst().getTarget().getPosition()
                        - hunks.getFirst().getSource().getPosition();
        Patch<String> onTop = new Patch<>();
        for (AbstractDelta<String> hunk : hunks) {
            onTop.addDelta(from(Math.max(0, hunk.getSource().getPosition() + shift), hunk));
        }
        return onTop;
    }

    /** The library knows how far the hunk before was from its number, but not how many lines the hunks before it added or removed. */
    private static Patch<String> moved(Patch<String> patch, List<String> lines) {
        // After the last line break there is no line.
        int end = lines.isEmpty() || !lines.getLast().isEmpty() ? lines.size() : lines.size() - 1;
        Patch<String> moved = new Patch<>();
        int shift = 0;
        int last = 0;
        for (AbstractDelta<String> hunk : patch.getDeltas()) {
            int old = hunk.getSource().size();
            int from = hunk.getSource().getPosition();
            // A place behind the last one where it could be is no place to begin from.
            int most = old == 0 ? end : Math.max(0, lines.size() - old);
            // The library sorts hunks by their numbers, and wrong ones are not to change the order.
            last = Math.max(last, Math.min(from, most) + shift);
            moved.addDelta(from(last, hunk));
            shift += hunk.getTarget().size() - old;
        }
        return moved;
    }

    private static AbstractDelta<String> from(int position, AbstractDelta<String> hunk) {
        return new ChangeDelta<>(new Chunk<>(position, hunk.getSource().getLines()), hunk.getTarget());
    }

    /**
     * How many lines at both ends of each hunk may differ from the file: only those that the patch does not change. The library leaves out
     * so many whatever they are, and would leave out a change at the end of a hunk as well.
     */
    private static int fuzz(FilePatch file) {
        int least = MAX_FUZZ;
        int unchanged = 0;
        boolean changes = false;
        for (String line : file.lines().stream().skip(2).toList()) {
            boolean begins = line.startsWith("@@");
            boolean change = line.startsWith("+") || line.startsWith("-");
            if (begins && changes || change && !changes) {
                least = Math.min(least, unchanged);
            }
            changes = !begins && (changes || change);
            boolean remark = line.startsWith("\\"); // that no line break follows
            unchanged = begins || change ? 0 : remark ? unchanged : unchanged + 1;
        }
        return changes ? Math.min(least, unchanged) : least;
    }

    /** The first two are the names; below them also a removed {@code -- remark} begins like one. */
    private static List<String> withReturns(List<String> rows) {
        List<String> with = new ArrayList<>(rows.subList(0, 2));
        for (String row : rows.subList(2, rows.size())) {
            with.add(row.startsWith("@@") || row.endsWith("\r") ? row : row + "\r");
        }
        return with;
    }

    /** All lines, so that joined by line breaks they are the file again. */
    private static List<String> lines(Workspace workspace, Path file) throws IOException {
        return Arrays.asList(EditableText.read(workspace, file).split("\n", -1));
    }

    private static List<FilePatch> files(String patch) {
        List<FilePatch> files = new ArrayList<>();
        List<String> rows = patch.lines().toList();
        int at = 0;
        while (at + 1 < rows.size()) {
            if (!rows.get(at).startsWith("--- ") || !rows.get(at + 1).startsWith("+++ ")) {
                at++;
                continue;
            }
            int end = endOf(rows, at + 2);
            files.add(new FilePatch(name(rows.get(at)), name(rows.get(at + 1)), counted(rows.subList(at, end))));
            at = end;
            if (files.size() > MAX_FILES) {
                throw new ToolFailedException("The patch has more than " + MAX_FILES + " files. Apply it in parts.");
            }
        }
        return files;
    }

    private static int endOf(List<String> rows, int from) {
        int at = from;
        while (at < rows.size()
                && !rows.get(at).startsWith("diff --git ")
                && !(rows.get(at).startsWith("--- ")
                        && at + 2 < rows.size()
                        && rows.get(at + 1).startsWith("+++ ")
                        && rows.get(at + 2).startsWith("@@"))) {
            at++;
        }
        return at;
    }

    /** Models count lines badly: the counts of each hunk are made from its lines. */
    private static List<String> counted(List<String> rows) {
        List<String> counted = new ArrayList<>(rows.subList(0, 2));
        Map<Integer, int[]> hunks = new LinkedHashMap<>();
        int[] current = new int[2];
        for (String row : rows.subList(2, rows.size())) {
            if (row.startsWith("@@")) {
                current = new int[2];
                hunks.put(counted.size(), current);
                counted.add(row);
            } else if (!hunks.isEmpty() && !row.startsWith("\\") && !row.startsWith("index ")) {
                String line = row.isEmpty() ? " " : row;
                current[0] += line.startsWith("+") ? 0 : 1;
                current[1] += line.startsWith("-") ? 0 : 1;
                counted.add(line);
            }
        }
        hunks.forEach((index, counts) -> {
            Matcher head = HUNK.matcher(counted.get(index));
            boolean numbered = head.matches();
            int from = first(numbered ? head.group(1) : "0", counts[0]);
            int to = first(numbered ? head.group(2) : "0", counts[1]);
            counted.set(index, "@@ -" + from + "," + counts[0] + " +" + to + "," + counts[1] + " @@");
        });
        return counted;
    }

    /** The first line of a side, from 1 on: of one without lines a diff names the line before, which the library does not know. */
    private static int first(String number, int count) {
        int named = Integer.parseInt(number);
        return count == 0 ? named + 1 : Math.max(1, named);
    }

    private static @Nullable String name(String row) {
        String name = row.substring(4).replaceFirst("\t.*$", "").strip();
        if (name.equals("/dev/null")) {
            return null;
        }
        return name.startsWith("a/") || name.startsWith("b/") ? name.substring(2) : name;
    }
}
