package dev.gadget.drone.file;

import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.file.FileAnswer;

/** An answer with the text that belongs to it, empty when there is none. */
public record Reply(FileAnswer answer, String text) {
    static Reply of(FileAnswer answer) {
        return new Reply(answer, "");
    }

    /** It is not done, for this reason. */
    public static Reply refused(FailureCode code, String message) {
        return of(new FileAnswer.Refused(new Failure(code, message)));
    }
}
