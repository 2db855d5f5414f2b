package dev.gadget.drone.tool;

import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.Workspace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a file becomes by a patch.
 *
 * @param lines all of it, joined by line breaks; none where it goes
 * @param made whether nothing was there before
 * @param executable whether it may be executed; null where that stays as it is
 */
record PatchedFile(
        Path file,
        String path,
        @Nullable List<String> lines,
        boolean made,
        @Nullable Boolean executable) {

    /** Writes and deletes them all; what cannot be is refused before the first, and what breaks on the way tells what is done by then. */
    static void write(Workspace workspace, List<PatchedFile> files) throws IOException {
        requireNoFileAbove(files);
        List<PatchedFile> done = new ArrayList<>();
        List<PatchedFile> inOrder = new ArrayList<>(files);
        // What goes is last, so that what is moved is never in no place.
        inOrder.sort(Comparator.comparing(file -> file.lines() == null));
        for (PatchedFile file : inOrder) {
            try {
                file.write(workspace);
            } catch (IOException | PathRefusedException e) {
                if (done.isEmpty()) {
                    throw e;
                }
                throw new ToolFailedException(said(done) + (done.size() == 1 ? " is" : " are")
                        + " written already; then `" + file.path() + "` could not be (" + e.getMessage()
                        + "). What is not named here was not changed. Go on with a patch of the rest.");
            }
            done.add(file);
        }
    }

    /** What became of them, in words. */
    static String said(List<PatchedFile> files) {
        return files.stream()
                .map(file ->
                        "`" + file.path() + "`" + (file.lines() == null ? " (deleted)" : file.made() ? " (new)" : ""))
                .collect(Collectors.joining(", "));
    }

    /** The workspace knows of those that are there already. */
    private static void requireNoFileAbove(List<PatchedFile> files) {
        for (PatchedFile file : files) {
            for (PatchedFile above : files) {
                if (file.lines() != null
                        && above.lines() != null
                        && !file.file().equals(above.file())
                        && file.file().startsWith(above.file())) {
                    throw new ToolFailedException("`" + file.path() + "` cannot be written: `" + above.path()
                            + "` above it is a file of this patch, not a directory. Nothing was changed. Use another path for"
                            + " one of them.");
                }
            }
        }
    }

    private void write(Workspace workspace) throws IOException {
        if (lines == null) {
            SafeFiles.delete(workspace, file);
            return;
        }
        byte[] content = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        if (executable == null) {
            SafeFiles.write(workspace, file, content);
        } else {
            SafeFiles.write(workspace, file, content, executable);
        }
    }
}
