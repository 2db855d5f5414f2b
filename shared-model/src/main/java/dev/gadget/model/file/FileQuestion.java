package dev.gadget.model.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a drone is asked about the files of its workspace. Paths are relative to where the session works; a text that belongs to a question goes before it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(FileQuestion.ListFolder.class),
    @JsonSubTypes.Type(FileQuestion.FindFiles.class),
    @JsonSubTypes.Type(FileQuestion.ReadFile.class),
    @JsonSubTypes.Type(FileQuestion.WriteFile.class),
    @JsonSubTypes.Type(FileQuestion.CreateEntry.class),
    @JsonSubTypes.Type(FileQuestion.RenameEntry.class),
    @JsonSubTypes.Type(FileQuestion.DeleteEntry.class),
    @JsonSubTypes.Type(FileQuestion.ListChanges.class),
    @JsonSubTypes.Type(FileQuestion.ReadDiff.class),
    @JsonSubTypes.Type(FileQuestion.CommitChanges.class)
})
public sealed interface FileQuestion {
    /** What is in this folder? */
    @JsonTypeName("list_folder")
    record ListFolder(String path) implements FileQuestion {}

    /** Which files below this folder have this in their name, be it in capitals or not? What git ignores is left out. */
    @JsonTypeName("find_files")
    record FindFiles(String path, String name) implements FileQuestion {}

    /** What is in this file? */
    @JsonTypeName("read_file")
    record ReadFile(String path) implements FileQuestion {}

    /** Put the text into this file, when it is still the one with this hash. */
    @JsonTypeName("write_file")
    record WriteFile(String path, String expectedSha256) implements FileQuestion {}

    /** Make a file with the text in it, or a folder; the folders above it are made too. */
    @JsonTypeName("create_entry")
    record CreateEntry(String path, EntryType entryType) implements FileQuestion {}

    /** Give a file or a folder another path. */
    @JsonTypeName("rename_entry")
    record RenameEntry(String path, String to) implements FileQuestion {}

    /** Remove a file, or a folder with all that is in it. */
    @JsonTypeName("delete_entry")
    record DeleteEntry(String path) implements FileQuestion {}

    /** Which files differ from the last commit? */
    @JsonTypeName("list_changes")
    record ListChanges() implements FileQuestion {}

    /** How do they differ? Without a path, all of them. */
    @JsonTypeName("read_diff")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ReadDiff(@Nullable String path) implements FileQuestion {}

    /** Commit these files as they are now, with the text as the message. */
    @JsonTypeName("commit_changes")
    record CommitChanges(List<String> paths) implements FileQuestion {}
}
