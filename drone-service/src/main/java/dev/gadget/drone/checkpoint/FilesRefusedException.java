package dev.gadget.drone.checkpoint;

import dev.gadget.model.FailureCode;
import java.util.List;

/** The files of a turn cannot be shown, undone or done again; the message says why, {@link #files} what stands in the way. */
public final class FilesRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final FailureCode code;
    private final transient List<String> files;

    FilesRefusedException(FailureCode code, String message, List<String> files) {
        super(message);
        this.code = code;
        this.files = List.copyOf(files);
    }

    public FailureCode code() {
        return code;
    }

    public List<String> files() {
        return files;
    }
}
