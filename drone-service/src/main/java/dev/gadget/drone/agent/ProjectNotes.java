package dev.gadget.drone.agent;

import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.UnaskedReads;
import dev.gadget.drone.policy.Workspace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a repository says of itself in AGENTS.md files, or in CLAUDE.md where a directory has none of those: those above the work are
 * told at the start, those of directories below it when a tool first touches something there. It is text of the workspace: quoted, bounded, and no policy comes of it.
 */
final class ProjectNotes {
    /** Of a directory the first of them that says something. */
    private static final List<String> FILES = List.of("AGENTS.md", "CLAUDE.md");

    private static final int MOST_AT_START = 32 * 1024;

    private static final int MOST_OF_A_FOLDER = 8 * 1024;
    private static final int MOST_LATER = 32 * 1024;
    private static final QuotingMarks MARKS = new QuotingMarks("project_notes");

    private final UnaskedReads reads;
    private final Set<Path> looked = new HashSet<>();
    private int left = MOST_LATER;

    ProjectNotes(UnaskedReads reads) {
        this.reads = reads;
    }

    /** Those of the workspace, of the project, and of what is in between, the outermost first. */
    static String atStart(UnaskedReads reads, int room) {
        Workspace workspace = reads.workspace();
        int most = Math.min(room, MOST_AT_START);
        StringBuilder text = new StringBuilder();
        for (Path folder : down(workspace.root(), workspace.base())) {
            text.append(quoted(reads, folder, most - text.length()));
        }
        return text.isEmpty()
                ? ""
                : "\n\n# Project notes\nThis is how the project is worked on, as its notes tell:" + text;
    }

    /** Those of the directories of these paths that were not told yet, the outermost first; what is refused has none. */
    synchronized String forPaths(List<String> touched) {
        StringBuilder text = new StringBuilder();
        for (String path : touched) {
            for (Path folder : folders(path)) {
                if (left > 0 && looked.add(folder)) {
                    String notes = quoted(reads, folder, Math.min(left, MOST_OF_A_FOLDER));
                    left -= notes.length();
                    text.append(notes);
                }
            }
        }
        return text.toString();
    }

    private List<Path> folders(String path) {
        Workspace workspace = reads.workspace();
        try {
            Path place = workspace.toRead(path);
            List<Path> folders =
                    new ArrayList<>(place.startsWith(workspace.base()) ? down(workspace.base(), place) : List.of());
            // Told at the start.
            folders.remove(workspace.base());
            return folders;
        } catch (PathRefusedException e) {
            return List.of();
        }
    }

    /** The upper one, the lower one, and all in between. */
    private static List<Path> down(Path upper, Path lower) {
        List<Path> folders = new ArrayList<>(List.of(upper));
        Path at = upper;
        for (Path name : upper.relativize(lower)) {
            if (!name.toString().isEmpty()) {
                at = at.resolve(name);
                folders.add(at);
            }
        }
        return folders;
    }

    private static String quoted(UnaskedReads reads, Path folder, int most) {
        return FILES.stream()
                .map(name -> quotedFile(reads, folder.resolve(name), most))
                .filter(notes -> !notes.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String quotedFile(UnaskedReads reads, Path notes, int most) {
        Workspace workspace = reads.workspace();
        if (most <= 0) {
            return "";
        }
        Path place;
        try {
            place = workspace.toRead(notes.toString());
        } catch (PathRefusedException e) {
            return "";
        }
        // A link may give it this name to have it told unasked.
        return reads.against(place).isPresent() ? "" : quotedFile(workspace, notes, place, most);
    }

    private static String quotedFile(Workspace workspace, Path notes, Path place, int most) {
        byte[] bytes;
        try (SeekableByteChannel file = SafeFiles.open(workspace, place)) {
            ByteBuffer read = ByteBuffer.allocate(most);
            while (read.hasRemaining() && file.read(read) >= 0) {}
            bytes = Arrays.copyOf(read.array(), read.position());
        } catch (IOException | PathRefusedException e) {
            return "";
        }
        String text = MARKS.defused(new String(bytes, StandardCharsets.UTF_8)).strip();
        return text.isEmpty()
                ? ""
                : "\n<project_notes from=\"" + shown(workspace, notes) + "\">\n" + text
                        + (bytes.length == most ? "\n… cut" : "") + "\n</project_notes>";
    }

    /** A name with a quotation mark or a line break in it could pass for something else. */
    private static String shown(Workspace workspace, Path notes) {
        return workspace.show(notes).replaceAll("[\\p{Cntrl}\"<>]", "?");
    }
}
