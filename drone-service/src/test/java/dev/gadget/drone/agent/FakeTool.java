package dev.gadget.drone.agent;

import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolInvocation;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.model.turn.ToolEffect;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A tool with one text parameter that does what the test says. */
record FakeTool(String name, ToolEffect effect, Work work, boolean changes, Optional<ToolResult> before)
        implements Tool {
    /** What it does. */
    interface Work {
        ToolResult run(ToolInvocation call) throws IOException, InterruptedException;
    }

    static FakeTool reads(String name, Work work) {
        return new FakeTool(name, ToolEffect.READS, work, false, Optional.empty());
    }

    static FakeTool runs(String name, Work work) {
        return new FakeTool(name, ToolEffect.RUNS, work, false, Optional.empty());
    }

    static FakeTool writes(String name, Work work) {
        return new FakeTool(name, ToolEffect.WRITES, work, true, Optional.empty());
    }

    FakeTool doneBefore(String text) {
        return new FakeTool(name, effect, work, changes, Optional.of(ToolResult.done(text)));
    }

    @Override
    public ToolSpec spec() {
        return new ToolSpec(
                name,
                "A tool.",
                Map.of(
                        "type",
                        "object",
                        "properties",
                        Map.of("path", Map.of("type", "string", "description", "a path")),
                        "required",
                        List.of("path"),
                        "additionalProperties",
                        false));
    }

    @Override
    public Map<String, Object> example() {
        return Map.of("path", "a.txt");
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException, InterruptedException {
        return work.run(call);
    }

    @Override
    public List<String> changes(Map<String, Object> parameters) {
        return changes ? List.of(String.valueOf(parameters.get("path"))) : List.of();
    }

    @Override
    public Optional<ToolResult> alreadyDone(ToolInvocation call) {
        return before;
    }
}
