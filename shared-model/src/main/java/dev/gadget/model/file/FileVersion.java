package dev.gadget.model.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A file as it was at one moment.
 *
 * @param path relative to the workspace, with forward slashes
 * @param size in bytes
 * @param sha256 of its bytes, in hexadecimal digits; absent when it is too large
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FileVersion(
        String path, ContentKind kind, long size, @Nullable String sha256) {}
