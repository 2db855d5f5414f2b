package dev.gadget.drone.tool;

import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Deletes one file. */
@ApplicationScoped
public class DeleteFileTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
            "delete_file",
            "Deletes one file. Directories are not deleted.",
            Schema.object().text("path", "The file, relative to the workspace.").build());

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
        return Map.of("path", "src/Unused.java");
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("file_path", "path", "filename", "path", "file", "path");
    }

    @Override
    public List<String> changes(Map<String, Object> parameters) {
        return Stream.ofNullable(parameters.get("path")).map(Object::toString).toList();
    }

    @Override
    public List<Path> places(Workspace workspace, Map<String, Object> parameters) {
        return changes(parameters).stream().map(workspace::toMove).toList();
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException {
        Path file = call.workspace().toMove(call.text("path"));
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            return ToolResult.failed(
                    "`" + call.workspace().show(file) + "` is a directory. Delete its files one by one.");
        }
        return SafeFiles.delete(call.workspace(), file)
                ? ToolResult.done("Deleted `" + call.workspace().show(file) + "`.")
                : ToolResult.failed(NearMisses.missing(call.workspace(), call.text("path")));
    }

    @Override
    public Optional<ToolResult> alreadyDone(ToolInvocation call) {
        Path file = call.workspace().toMove(call.text("path"));
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                ? Optional.empty()
                : Optional.of(ToolResult.done("`" + call.workspace().show(file) + "` is gone."));
    }
}
