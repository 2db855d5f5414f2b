package dev.gadget.drone.tool;

import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lists the commits of a repository. */
@ApplicationScoped
public class GitLogTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
            "git_log",
            "The commits of the repository, newest first: hash, date, author, subject.",
            Repository.with(Schema.object()
                            .optionalText("path", "Only commits that changed this file or directory.")
                            .optionalText("revision", "Where to begin, for example a branch; default HEAD.")
                            .optionalNumber("count", "How many; default 20.", 1, 200))
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
        example.put("path", "src/App.java");
        example.put("count", 10);
        return example;
    }

    @Override
    public ToolResult run(ToolInvocation call) {
        List<String> arguments = new ArrayList<>(List.of(
                "log",
                "--no-color",
                "--date=short",
                "--format=%h %ad %an: %s",
                "--max-count=" + call.number("count", 20),
                "--end-of-options",
                call.find("revision")
                        .map(String::strip)
                        .filter(text -> !text.isEmpty())
                        .orElse("HEAD"),
                "--"));
        call.find("path").filter(path -> !path.isBlank()).ifPresent(path -> arguments.add(":(literal)" + path));
        return Repository.result(Repository.of(call).run(arguments.toArray(String[]::new)), "[no commits]");
    }
}
