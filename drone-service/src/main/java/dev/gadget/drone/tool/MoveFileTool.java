package dev.gadget.drone.tool;

import dev.gadget.drone.policy.FilesBelow;
import dev.gadget.drone.policy.SafeEntries;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Gives a file or a directory another name or place. */
@ApplicationScoped
public class MoveFileTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
            "move_file",
            "Moves or renames a file or directory inside the workspace. What is at the new path already is not replaced.",
            Schema.object()
                    .text("from", "The present path, relative to the workspace.")
                    .text("to", "The new path; its directories are made.")
                    .build());

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.WRITES;
    }

    @Override
    public Map<String, Object> example() {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("from", "src/Old.java");
        example.put("to", "src/New.java");
        return example;
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of(
                "source", "from", "src", "from", "path", "from", "destination", "to", "dest", "to", "target", "to");
    }

    @Override
    public List<String> changes(Map<String, Object> parameters) {
        return Stream.of("from", "to")
                .map(parameters::get)
                .filter(Objects::nonNull)
                .map(Object::toString)
                .toList();
    }

    @Override
    public List<Path> carries(Workspace workspace, Map<String, Object> parameters) {
        Path from = workspace.toMove(String.valueOf(parameters.get("from")));
        Path to = workspace.toMove(String.valueOf(parameters.get("to")));
        return FilesBelow.moved(workspace, from, to);
    }

    @Override
    public List<Path> places(Workspace workspace, Map<String, Object> parameters) {
        return changes(parameters).stream().map(workspace::toMove).toList();
    }

    /** Under its other name it would be read unasked. */
    @Override
    public List<Path> reads(Workspace workspace, Map<String, Object> parameters) {
        return places(workspace, parameters);
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException {
        Workspace workspace = call.workspace();
        Path from = workspace.toMove(call.text("from"));
        Path to = workspace.toMove(call.text("to"));
        if (to.startsWith(from)) {
            return ToolResult.failed(
                    "`" + call.text("to") + "` is `" + call.text("from") + "` itself, or inside of it.");
        }
        try {
            SafeEntries.move(workspace, from, to);
        } catch (FileAlreadyExistsException e) {
            return ToolResult.failed(
                    "`" + workspace.show(to) + "` exists already. Move or delete it first, or use another name.");
        } catch (NoSuchFileException e) {
            return ToolResult.failed(NearMisses.missing(workspace, call.text("from")));
        }
        return ToolResult.done("Moved `" + workspace.show(from) + "` to `" + workspace.show(to) + "`.");
    }

    @Override
    public Optional<ToolResult> alreadyDone(ToolInvocation call) {
        Path from = call.workspace().toMove(call.text("from"));
        Path to = call.workspace().toMove(call.text("to"));
        return !Files.exists(from, LinkOption.NOFOLLOW_LINKS) && Files.exists(to, LinkOption.NOFOLLOW_LINKS)
                ? Optional.of(ToolResult.done("Moved to `" + call.workspace().show(to) + "`."))
                : Optional.empty();
    }
}
