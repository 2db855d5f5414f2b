package dev.gadget.drone.tool;

import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.model.SessionId;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One call of a tool.
 *
 * @param session whose agent made it: what it starts in the background belongs to that
 * @param mayGoOn whether it may go on in the background when its time is over
 * @param denied the files that rules forbid to read; absent where they forbid none
 * @param parameters as {@link ParameterCheck} left them: known names, right types
 * @param output takes what the tool prints while it runs
 */
public record ToolInvocation(
        String callId,
        SessionId session,
        boolean mayGoOn,
        Optional<Predicate<Path>> denied,
        Map<String, Object> parameters,
        Workspace workspace,
        Consumer<String> output,
        CancelSignal cancel) {
    private static final SessionId NONE = new SessionId("none");

    /** One that is made where no rule forbids a file. */
    public ToolInvocation(
            String callId,
            SessionId session,
            boolean mayGoOn,
            Map<String, Object> parameters,
            Workspace workspace,
            Consumer<String> output,
            CancelSignal cancel) {
        this(callId, session, mayGoOn, Optional.empty(), parameters, workspace, output, cancel);
    }

    /** One that is made outside of any session, as in an exam. */
    public ToolInvocation(
            String callId,
            Map<String, Object> parameters,
            Workspace workspace,
            Consumer<String> output,
            CancelSignal cancel) {
        this(callId, NONE, false, parameters, workspace, output, cancel);
    }

    /** Whether a rule forbids to tell the model what is in this file. */
    boolean denied(Path file) {
        return denied.isPresent() && denied.get().test(file);
    }

    /** A required text. */
    public String text(String name) {
        return find(name).orElseThrow(() -> new ToolFailedException("`" + name + "` is missing."));
    }

    public Optional<String> find(String name) {
        return Optional.ofNullable(parameters.get(name)).map(Object::toString);
    }

    public int number(String name, int otherwise) {
        return parameters.get(name) instanceof Number number ? number.intValue() : otherwise;
    }

    public boolean flag(String name) {
        return Boolean.TRUE.equals(parameters.get(name));
    }
}
