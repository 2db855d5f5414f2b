package dev.gadget.drone.tool;

import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Lists a directory. */
@ApplicationScoped
public class ListFilesTool implements Tool {
    private static final int MAX = 500;
    private static final int MAX_READ = 50_000;

    private static final ToolSpec SPEC = new ToolSpec(
            "list_files",
            "Lists a directory, one path a line, directories with / at the end. With recursive, all below it, without what git"
                    + " ignores.",
            Schema.object()
                    .optionalText("path", "The directory, relative to the workspace; default is the workspace.")
                    .optionalFlag("recursive", "Also what is in its directories; default false.")
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
        example.put("path", "src");
        example.put("recursive", true);
        return example;
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("directory", "path", "dir", "path", "dir_path", "path");
    }

    @Override
    public List<String> touches(Map<String, Object> parameters) {
        return Tool.path(parameters);
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException {
        Workspace workspace = call.workspace();
        Path start = FileWalk.start(call);
        if (!Files.isDirectory(start)) {
            return ToolResult.failed("`" + workspace.show(start) + "` is a file. Use read_file to read it.");
        }
        List<String> found = call.flag("recursive") ? below(call, start) : in(workspace, start);
        if (found.isEmpty()) {
            return ToolResult.done("[`" + workspace.show(start) + "` is empty]");
        }
        return ToolResult.done(Listing.of(found, MAX, "list a directory below, or use find_files"));
    }

    private static List<String> in(Workspace workspace, Path start) throws IOException {
        try (Stream<Path> entries = Files.list(start)) {
            return entries.limit(MAX_READ)
                    .filter(path -> !String.valueOf(path.getFileName()).equals(".gadget"))
                    .map(path -> shown(workspace, path, Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)))
                    .toList();
        }
    }

    private static List<String> below(ToolInvocation call, Path start) throws IOException {
        List<String> found = new ArrayList<>();
        FileWalk.over(call.workspace(), start, call.cancel(), (path, directory) -> {
            found.add(shown(call.workspace(), path, directory));
            return found.size() < MAX_READ;
        });
        return found;
    }

    private static String shown(Workspace workspace, Path path, boolean directory) {
        return workspace.show(path) + (directory ? "/" : "");
    }
}
