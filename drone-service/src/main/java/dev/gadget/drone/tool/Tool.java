package dev.gadget.drone.tool;

import dev.gadget.drone.policy.ApprovalRules;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Something that a model can have done. To add one, write one bean of this type; it is found, never listed. */
public interface Tool {
    /** What the model is told of it. */
    ToolSpec spec();

    /** What it can do to the world. */
    ToolEffect effect();

    /** Parameters of a good call, shown to a model that made a bad one. */
    Map<String, Object> example();

    /** Names that models use for a parameter although it is called otherwise: from theirs to ours. */
    default Map<String, String> aliases() {
        return Map.of();
    }

    /** Does it. The parameters were checked against the schema; a {@link ToolFailedException} is told to the model. */
    ToolResult run(ToolInvocation call) throws IOException, InterruptedException;

    /** The paths, as they were passed, of the files that this call would change, as far as it says so. */
    default List<String> changes(Map<String, Object> parameters) {
        return List.of();
    }

    /** Where the files are that this call would change: links are followed, unless it is about the link itself. */
    default List<Path> places(Workspace workspace, Map<String, Object> parameters) {
        return changes(parameters).stream().map(workspace::toWrite).toList();
    }

    /** Where the files are whose content this call would tell the model, as far as it says so: rules are about them, too. */
    default List<Path> reads(Workspace workspace, Map<String, Object> parameters) {
        return List.of();
    }

    /** What else changes its place with the directories that this call moves: rules about paths are about that, too. */
    default List<Path> carries(Workspace workspace, Map<String, Object> parameters) {
        return List.of();
    }

    /** The paths, as they were passed, that this call is about: notes of the project about them are told with its answer. */
    default List<String> touches(Map<String, Object> parameters) {
        return changes(parameters);
    }

    /** The parameter {@code path}, where it was given. */
    static List<String> path(Map<String, Object> parameters) {
        return parameters.get("path") instanceof String path && !path.isBlank() ? List.of(path) : List.of();
    }

    /**
     * After a crash, of a call that was begun and has no result: its result if the world is as it would have left it.
     * The call is then not run again.
     */
    default Optional<ToolResult> alreadyDone(ToolInvocation call) throws IOException {
        return Optional.empty();
    }

    /** The shell line that this call would run, for rules about commands; empty when it runs none. */
    default Optional<String> command(Map<String, Object> parameters) {
        return Optional.empty();
    }

    /** What an approval for the session covers of this tool: calls of the same scope. One scope for all where it is empty. */
    default String scope(Map<String, Object> parameters) {
        return command(parameters).orElse("");
    }

    /** What would come of the call, as a unified diff, where that can be told before. */
    default Optional<String> preview(ToolInvocation call) throws IOException {
        return Optional.empty();
    }

    /**
     * The tools that a call needs to go on in the background when its time is over: first the one that could have started it there, then
     * those that look after it. None where a call only ends.
     */
    default List<String> goesOnBy() {
        return List.of();
    }

    /** Among calls that run beside each other a higher one starts first: what takes long is not to begin when all else is done. */
    default int priority() {
        return 0;
    }

    /** What is demanded of this call beyond the policy of the session; empty for nothing. */
    default Optional<ApprovalRules.Verdict> demand(Map<String, Object> parameters) {
        return Optional.empty();
    }

    /** What a model is told of a call that a person did not let through, as the beginning of a sentence. */
    default String denial() {
        return "The person did not allow this call";
    }
}
