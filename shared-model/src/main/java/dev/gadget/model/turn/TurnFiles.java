package dev.gadget.model.turn;

import java.util.List;

/**
 * What a turn changed in the files of its workspace.
 *
 * @param files the first of them; {@code total} tells how many there are
 * @param diff the beginning of the unified diff
 * @param cut whether the diff has more
 * @param undone whether the files are as they were before the turn again
 */
public record TurnFiles(List<FileChange> files, int total, String diff, boolean cut, boolean undone) {
    public TurnFiles {
        files = List.copyOf(files);
    }

    /** The same, undone or done again. */
    public TurnFiles undone(boolean now) {
        return new TurnFiles(files, total, diff, cut, now);
    }
}
