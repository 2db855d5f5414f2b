package dev.gadget.drone.tool;

import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.Patch;
import com.github.difflib.patch.PatchFailedException;
import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Applies a unified diff: all of its files, or none. */
@ApplicationScoped
public class ApplyPatchTool implements Tool {
    private static final int MAX_BYTES = 16 * 1024 * 1024;
    private static final int MAX_FILES = 100;
    private static final int MAX_FUZZ = 3;
    private static final Pattern HUNK = Pattern.compile("@@ -(\\d+)(?:,\\d+)? \\+(\\d+)(?:,\\d+)? @@.*");

    private static final ToolSpec SPEC = new ToolSpec(
            "apply_patch",
            "Applies a unified diff (--- a/path, +++ b/path, @@ hunks) to one or more files, all or none. /dev/null as the old path makes"
                    + " a file, as the new path deletes it. For one small change edit_file is easier.",
            Schema.object().text("patch", "The unified diff.").build());

    /** One file of a patch; a side is null where the file is not there. */
    private record FilePatch(
            @Nullable String before, @Nullable String after, List<String> lines) {
        String path() {
            return after == null ? String.valueOf(before) : after;
        }
    }

    /** What a file becomes; no content where it goes. */
    private record Outcome(Path file, String path, byte @Nullable [] content, boolean made) {}

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
        return patch == null
                ? List.of()
                : files(patch.toString()).stream().map(FilePatch::path).toList();
    }

    @Override
    public Optional<String> preview(ToolInvocation call) {
        return call.find("patch");
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException {
        List<FilePatch> files = files(call.text("patch"));
        if (files.isEmpty()) {
            return ToolResult.failed(
                    "The patch names no file: it needs lines `--- a/path` and `+++ b/path` before its hunks.");
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (FilePatch file : files) {
            outcomes.add(outcome(call.workspace(), file));
        }
        for (Outcome outcome : outcomes) {
            if (outcome.content() == null) {
                SafeFiles.delete(call.workspace(), outcome.file());
            } else {
                SafeFiles.write(call.workspace(), outcome.file(), outcome.content());
            }
        }
        return ToolResult.done("Patched " + said(outcomes) + ".");
    }

    /** After a crash: it is done when every file is as the patch would have left it, that is, when it can be taken back. */
    @Override
    public Optional<ToolResult> alreadyDone(ToolInvocation call) throws IOException {
        List<FilePatch> files = files(call.text("patch"));
        for (FilePatch file : files) {
            if (!isDone(call.workspace(), file)) {
                return Optional.empty();
            }
        }
        return files.isEmpty() ? Optional.empty() : Optional.of(ToolResult.done("The patch is applied."));
    }

    private static boolean isDone(Workspace workspace, FilePatch file) throws IOException {
        Optional<List<String>> now = lines(workspace, workspace.toWrite(file.path()));
        if (file.after() == null || now.isEmpty()) {
            return file.after() == null && now.isEmpty();
        }
        try {
            return parsed(file).applyTo(parsed(file).restore(now.get())).equals(now.get());
        } catch (PatchFailedException | RuntimeException e) {
            return false;
        }
    }

    private static String said(List<Outcome> outcomes) {
        return outcomes.stream()
                .map(outcome -> "`" + outcome.path() + "`"
                        + (outcome.content() == null ? " (deleted)" : outcome.made() ? " (new)" : ""))
                .collect(Collectors.joining(", "));
    }

    private static Outcome outcome(Workspace workspace, FilePatch file) throws IOException {
        Path path = workspace.toWrite(file.path());
        Optional<List<String>> now = lines(workspace, path);
        if (file.before() == null && now.isPresent()) {
            throw new ToolFailedException(
                    "`" + file.path() + "` exists already, so that it cannot be made. Nothing was changed.");
        }
        if (file.before() != null && now.isEmpty()) {
            throw new ToolFailedException(NearMisses.missing(workspace, file.path()) + " Nothing was changed.");
        }
        if (file.after() == null) {
            return new Outcome(path, file.path(), null, false);
        }
        boolean windows = now.isPresent() && now.get().stream().limit(50).anyMatch(line -> line.endsWith("\r"));
        FilePatch fitting = windows ? withReturns(file) : file;
        try {
            List<String> patched = parsed(fitting).applyFuzzy(now.orElseGet(List::of), fuzz(fitting));
            String text = String.join("\n", patched);
            boolean ends = now.isEmpty() || !text.isEmpty() && !text.endsWith("\n");
            byte[] content = (now.isEmpty() && ends ? text + "\n" : text).getBytes(StandardCharsets.UTF_8);
            return new Outcome(path, file.path(), content, now.isEmpty());
        } catch (PatchFailedException | RuntimeException e) {
            throw new ToolFailedException(
                    "A hunk for `" + file.path() + "` does not fit: its lines are not in the file at that place ("
                            + e.getMessage() + "). Nothing was changed. Read the file again, or use edit_file.");
        }
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

    private static FilePatch withReturns(FilePatch file) {
        return new FilePatch(
                file.before(),
                file.after(),
                file.lines().stream()
                        .map(line -> line.startsWith("@@")
                                        || line.startsWith("---")
                                        || line.startsWith("+++")
                                        || line.endsWith("\r")
                                ? line
                                : line + "\r")
                        .toList());
    }

    private static Patch<String> parsed(FilePatch file) {
        return UnifiedDiffUtils.parseUnifiedDiff(file.lines());
    }

    /** All lines, so that joined by line breaks they are the file again. */
    private static Optional<List<String>> lines(Workspace workspace, Path file) throws IOException {
        try {
            String text = new String(SafeFiles.read(workspace, file, MAX_BYTES), StandardCharsets.UTF_8);
            return Optional.of(Arrays.asList(text.split("\n", -1)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
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
            String from = head.matches() ? head.group(1) : "1";
            String to = head.matches() ? head.group(2) : "1";
            counted.set(index, "@@ -" + from + "," + counts[0] + " +" + to + "," + counts[1] + " @@");
        });
        return counted;
    }

    private static @Nullable String name(String row) {
        String name = row.substring(4).replaceFirst("\t.*$", "").strip();
        if (name.equals("/dev/null")) {
            return null;
        }
        return name.startsWith("a/") || name.startsWith("b/") ? name.substring(2) : name;
    }
}
