package dev.gadget.drone.tool;

import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One call of a tool.
 *
 * @param parameters as {@link ParameterCheck} left them: known names, right types
 * @param output takes what the tool prints while it runs
 */
public record ToolInvocation(
        String callId,
        Map<String, Object> parameters,
        Workspace workspace,
        Consumer<String> output,
        CancelSignal cancel) {

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
