package dev.gadget.drone.agent;

import dev.gadget.model.Failure;
import dev.gadget.model.Protocol;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the agent says of the turn it works on. Each call numbers and journals an entry before it returns, and may block while
 * the journal or the connection is behind; this holds up the reading of the model. Safe for use by several threads. What a
 * subagent says and calls comes with its {@code parent}, the call that it works for; the turn itself has none.
 */
public interface WorkReport {
    /** The most that one call may say, in bytes of JSON: an entry has to fit into a frame, with what is around it. */
    int MAX_BYTES = Protocol.MAX_FRAME_BYTES - (4 << 10);

    void roundStarted(@Nullable String parent, int round);

    default void roundStarted(int round) {
        roundStarted(null, round);
    }

    /** The text of this round was cut; it will be said again. */
    void roundSuperseded(@Nullable String parent, int round);

    default void roundSuperseded(int round) {
        roundSuperseded(null, round);
    }

    /** What the person said meanwhile was taken: on disk before this returns. */
    void prompted(TurnId promptId, String text);

    void thinking(@Nullable String parent, String text);

    default void thinking(String text) {
        thinking(null, text);
    }

    void response(@Nullable String parent, String text);

    default void response(String text) {
        response(null, text);
    }

    /** The model writes a call of this tool, of which so many characters came. */
    void callGrows(String name, int chars);

    void toolCalled(@Nullable String parent, String callId, String name, Map<String, Object> parameters);

    default void toolCalled(String callId, String name, Map<String, Object> parameters) {
        toolCalled(null, callId, name, parameters);
    }

    /**
     * The call waits for a person, who is shown a diff of what would come of it, and the hash of all that is shown.
     *
     * @param patterns an approval for the session may cover all that fits these; absent for none
     */
    void toolAwaitsApproval(
            String callId, String reason, @Nullable String preview, String shown, @Nullable List<String> patterns);

    /** The intent to run a tool, with other parameters when a person changed them: on disk before this returns. */
    void toolStarted(String callId, @Nullable Map<String, Object> changed);

    void toolOutput(String callId, String text);

    /** The result of a tool, and a diff of what it changed in files where its parameters do not say it: on disk before this returns. */
    void toolEnded(String callId, ToolCallState state, String response, @Nullable String diff);

    /** Whether anybody reads those diffs, which take a while to make. */
    default boolean readsDiffs() {
        return true;
    }

    /** The result of a tool that changed no files, or of which the parameters say how. */
    default void toolEnded(String callId, ToolCallState state, String response) {
        toolEnded(callId, state, response, null);
    }

    void usage(Usage usage);

    void retrying(Failure failure, int attempt, long delayMillis);

    /** What the turn changed in files. */
    void filesChanged(TurnFiles files);

    /** For how long it was worked on before, of a turn that is taken up again. */
    default Duration workedBefore() {
        return Duration.ZERO;
    }

    /** For how long it was worked on so far: kept for who takes it up again, and told to nobody. */
    default void worked(Duration soFar) {}

    /** The end of the turn, on disk before this returns; nothing may follow. */
    void complete(TurnStatus status, @Nullable Failure failure, Usage usage);
}
