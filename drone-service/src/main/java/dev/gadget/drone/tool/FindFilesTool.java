package dev.gadget.drone.tool;

import dev.gadget.drone.policy.PathGlob;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds files by a path pattern. */
@ApplicationScoped
public class FindFilesTool implements Tool {
    private static final int MAX = 300;
    private static final int MAX_FOUND = 50_000;

    private static final ToolSpec SPEC = new ToolSpec(
            "find_files",
            "Finds files by a glob pattern, for example **/*.java or README*. What git ignores is left out.",
            Schema.object()
                    .text("pattern", "The glob pattern. Without a slash it matches names in every directory.")
                    .optionalText(
                            "path", "The directory to search, relative to the workspace; default is the workspace.")
                    .build());

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.READS;
    }

    @Override
    public Map<String, Object> example() {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("pattern", "**/*Test.java");
        example.put("path", ".");
        return example;
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("glob", "pattern", "name", "pattern", "query", "pattern", "directory", "path");
    }

    @Override
    public List<String> touches(Map<String, Object> parameters) {
        return Tool.path(parameters);
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException {
        Path start = FileWalk.start(call);
        if (!Files.isDirectory(start)) {
            return ToolResult.failed("`" + call.workspace().show(start) + "` is a file, not a directory to search.");
        }
        PathGlob pattern = Glob.compile(call.text("pattern"));
        List<String> found = new ArrayList<>();
        FileWalk.over(call.workspace(), start, call.cancel(), (path, directory) -> {
            String relative = start.relativize(path).toString().replace('\\', '/');
            if (!directory && pattern.matches(relative)) {
                found.add(call.workspace().show(path));
            }
            return found.size() < MAX_FOUND;
        });
        return ToolResult.done(
                found.isEmpty()
                        ? "No file matches `" + call.text("pattern") + "` in `"
                                + call.workspace().show(start) + "`."
                        : Listing.of(found, MAX, "use a narrower pattern or path"));
    }
}
