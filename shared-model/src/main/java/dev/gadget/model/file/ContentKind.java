package dev.gadget.model.file;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether the content of a file can be shown and edited as text. */
public enum ContentKind {
    /** UTF-8 of at most a mebibyte. */
    @JsonProperty("text")
    TEXT,
    /** Something else than UTF-8 text. */
    @JsonProperty("binary")
    BINARY,
    /** More than a mebibyte. */
    @JsonProperty("too_large")
    TOO_LARGE
}
