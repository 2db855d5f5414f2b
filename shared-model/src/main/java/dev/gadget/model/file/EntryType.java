package dev.gadget.model.file;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a name in a folder stands for; a link counts as what it leads to, as long as that is inside the workspace. */
public enum EntryType {
    /** A regular file. */
    @JsonProperty("file")
    FILE,
    /** A folder. */
    @JsonProperty("folder")
    FOLDER,
    /** A link that leads nowhere, or outside the workspace. */
    @JsonProperty("link")
    LINK,
    /** A device, a pipe or a socket. */
    @JsonProperty("other")
    OTHER
}
