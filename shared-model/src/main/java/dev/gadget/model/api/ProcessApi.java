package dev.gadget.model.api;

/** Bodies about what runs in the background of a session; the processes themselves are {@code BackgroundProcess}. */
public final class ProcessApi {
    private ProcessApi() {}

    /**
     * The answer to GET /sessions/{id}/processes/{pid}/output.
     *
     * @param text what it printed last, at most 32,768 UTF-16 units
     * @param complete whether that is all that it printed
     */
    public record ProcessOutput(String text, boolean complete) {}
}
