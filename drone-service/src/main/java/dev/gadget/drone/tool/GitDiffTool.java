package dev.gadget.drone.tool;

import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows what changed in a repository. */
@ApplicationScoped
public class GitDiffTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
            "git_diff",
            "The changes of the repository as a unified diff: of the working tree against HEAD, or what a commit or a range changed.",
            Repository.with(Schema.object()
                            .optionalText("path", "Only this file or directory, relative to the repository.")
                            .optionalText("revision", "A commit (shows what it changed) or a range like main..HEAD."))
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
        example.put("revision", "HEAD~1..HEAD");
        return example;
    }

    @Override
    public ToolResult run(ToolInvocation call) {
        String revision = call.find("revision")
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .orElse("");
        boolean shows = !revision.isEmpty() && !revision.contains("..");
        List<String> arguments = new ArrayList<>(List.of(shows ? "show" : "diff"));
        arguments.addAll(
                List.of("--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--end-of-options"));
        arguments.add(revision.isEmpty() ? "HEAD" : revision);
        arguments.add("--");
        call.find("path").filter(path -> !path.isBlank()).ifPresent(path -> arguments.add(":(literal)" + path));
        return Repository.result(Repository.of(call).run(arguments.toArray(String[]::new)), "[no changes]");
    }
}
