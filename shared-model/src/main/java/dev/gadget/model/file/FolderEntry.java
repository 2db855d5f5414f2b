package dev.gadget.model.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One name in a folder.
 *
 * @param size of a file, in bytes
 * @param status how it, or something below it, differs from the last commit; absent when it does not, or nobody knows
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FolderEntry(
        String name,
        EntryType type,
        @Nullable Long size,
        @Nullable GitStatus status) {}
