package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.gadget.model.file.ChangedFile;
import dev.gadget.model.file.ContentKind;
import dev.gadget.model.file.EntryType;
import dev.gadget.model.file.FolderEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bodies about the files of a session's workspace. */
public final class FileApi {
    private FileApi() {}

    /** GET /sessions/{id}/files: the names in a folder, folders first; {@code complete} when these are all. */
    public record FolderView(String path, List<FolderEntry> entries, boolean complete) {}

    /** GET /sessions/{id}/files/found: files by a part of their name, those that fit best first; {@code complete} when these are all. */
    public record FoundView(String name, List<String> paths, boolean complete) {}

    /**
     * GET /sessions/{id}/file.
     *
     * @param size in bytes
     * @param sha256 of its bytes; what a change of it has to name. Absent when it is too large
     * @param text absent when it is binary or too large
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record FileView(
            String path,
            ContentKind kind,
            long size,
            @Nullable String sha256,
            @Nullable String text) {
        @Override
        public String toString() {
            return "FileView[" + path + "]";
        }
    }

    /** PUT /sessions/{id}/file: another text, when the file is still the one with this hash. */
    public record SaveFile(String text, String expectedSha256) {
        @Override
        public String toString() {
            return "SaveFile[" + expectedSha256 + "]";
        }
    }

    /** POST /sessions/{id}/file: a new file, empty without a text, or a new folder. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record CreateEntry(EntryType type, @Nullable String text) {
        @Override
        public String toString() {
            return "CreateEntry[" + type + "]";
        }
    }

    /** PATCH /sessions/{id}/file: another path in the workspace. */
    public record RenameEntry(String to) {}

    /** The problem of a change to a file that is another one by now, with that file; without one when it is gone. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record FileProblem(
            @JsonUnwrapped Problem problem, @Nullable FileView current) {}

    /** GET /sessions/{id}/changes: what differs from the last commit; {@code repository} is false where git keeps no versions. */
    public record ChangesView(boolean repository, List<ChangedFile> files, boolean complete) {}

    /** POST /sessions/{id}/changes/commit: these files as they are now, whatever else is staged. */
    public record CommitChanges(String message, List<String> paths) {}

    /** The commit that was made, as git shortens its name. */
    public record CommitView(String commit) {}

    /** GET /sessions/{id}/changes/diff: the differences as git writes them; {@code complete} when these are all. */
    public record DiffView(boolean repository, String diff, boolean complete) {
        @Override
        public String toString() {
            return "DiffView[" + diff.length() + "]";
        }
    }
}
