package dev.gadget.model.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.gadget.model.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a drone answers about the files of its workspace; a text that belongs to an answer goes before it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(FileAnswer.FolderListed.class),
    @JsonSubTypes.Type(FileAnswer.FilesFound.class),
    @JsonSubTypes.Type(FileAnswer.FileRead.class),
    @JsonSubTypes.Type(FileAnswer.FileWritten.class),
    @JsonSubTypes.Type(FileAnswer.FileConflict.class),
    @JsonSubTypes.Type(FileAnswer.EntriesChanged.class),
    @JsonSubTypes.Type(FileAnswer.ChangesListed.class),
    @JsonSubTypes.Type(FileAnswer.DiffRead.class),
    @JsonSubTypes.Type(FileAnswer.ChangesCommitted.class),
    @JsonSubTypes.Type(FileAnswer.Refused.class)
})
public sealed interface FileAnswer {
    /** The names in a folder, folders first; {@code complete} when these are all. */
    @JsonTypeName("folder_listed")
    record FolderListed(List<FolderEntry> entries, boolean complete) implements FileAnswer {}

    /** Paths of files, those that fit best first; {@code complete} when these are all. */
    @JsonTypeName("files_found")
    record FilesFound(List<String> paths, boolean complete) implements FileAnswer {}

    /** The file, and before it its text when it has one. */
    @JsonTypeName("file_read")
    record FileRead(FileVersion file) implements FileAnswer {}

    /** The file as it is after it was written. */
    @JsonTypeName("file_written")
    record FileWritten(FileVersion file) implements FileAnswer {}

    /** Nothing was written: the file is another one by now, and before this goes its present text; absent when it is gone. */
    @JsonTypeName("file_conflict")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record FileConflict(@Nullable FileVersion file) implements FileAnswer {}

    /** A folder was made, or something was renamed or removed. */
    @JsonTypeName("entries_changed")
    record EntriesChanged() implements FileAnswer {}

    /** The files that differ; {@code repository} is false where git keeps no versions. */
    @JsonTypeName("changes_listed")
    record ChangesListed(boolean repository, List<ChangedFile> files, boolean complete) implements FileAnswer {}

    /** The differences, which are the text before this; {@code complete} when these are all. */
    @JsonTypeName("diff_read")
    record DiffRead(boolean repository, boolean complete) implements FileAnswer {}

    /** They are committed; the commit is named as git shortens it. */
    @JsonTypeName("changes_committed")
    record ChangesCommitted(String commit) implements FileAnswer {}

    /** It was not done, and why. */
    @JsonTypeName("refused")
    record Refused(Failure failure) implements FileAnswer {}
}
