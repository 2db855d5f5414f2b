package dev.gadget.drone.file;

import dev.gadget.model.file.ChangedFile;
import dev.gadget.model.file.GitStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code git status --porcelain=v1 -z} printed, read. */
record GitStatuses(List<ChangedFile> files) {
    static final GitStatuses NONE = new GitStatuses(List.of());

    static GitStatuses read(String printed) {
        Map<String, GitStatus> found = new LinkedHashMap<>();
        int from = 0;
        // What was cut off has no end, and does not count.
        for (int end = printed.indexOf('\0'); end >= 0; end = printed.indexOf('\0', from)) {
            if (end - from > 3) {
                String path = printed.substring(from + 3, end);
                // A file that git was told to forget, and that is there all the same, comes twice.
                status(printed.charAt(from), printed.charAt(from + 1))
                        .ifPresent(status ->
                                found.merge(path, status, (one, other) -> one == other ? one : GitStatus.MODIFIED));
            }
            from = end + 1;
        }
        List<ChangedFile> files = new ArrayList<>();
        found.forEach((path, status) -> files.add(new ChangedFile(path, status)));
        return new GitStatuses(List.copyOf(files));
    }

    /** Both letters together, as the file stands to the last commit. */
    private static Optional<GitStatus> status(char index, char tree) {
        String both = "" + index + tree;
        if (both.equals("??")) {
            return Optional.of(GitStatus.UNTRACKED);
        }
        if (both.equals("!!") || both.equals("AD")) {
            return Optional.empty();
        }
        if (index == 'U' || tree == 'U' || both.equals("AA") || both.equals("DD")) {
            return Optional.of(GitStatus.CONFLICTED);
        }
        if (index == 'A' || tree == 'A') {
            return Optional.of(GitStatus.ADDED);
        }
        return Optional.of(index == 'D' || tree == 'D' ? GitStatus.DELETED : GitStatus.MODIFIED);
    }

    /** The status of each name in a folder; a folder has the status of all below it, or counts as modified. */
    Map<String, GitStatus> in(String folder, List<String> names) {
        String prefix = folder.equals(".") ? "" : folder + "/";
        Map<String, GitStatus> found = new LinkedHashMap<>();
        for (ChangedFile file : files) {
            if (file.path().endsWith("/") && prefix.startsWith(file.path())) {
                names.forEach(name -> found.put(name, file.status()));
            } else if (file.path().startsWith(prefix)) {
                String below = file.path().substring(prefix.length());
                int end = below.indexOf('/');
                found.merge(
                        end < 0 ? below : below.substring(0, end),
                        file.status(),
                        (one, other) -> one == other ? one : GitStatus.MODIFIED);
            }
        }
        return found;
    }
}
