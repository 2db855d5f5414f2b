package dev.gadget.drone.tool;

import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;

/** Stops a background process. */
@ApplicationScoped
public class StopProcessTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
            "stop_process",
            "Stops a process in the background, with all that it started.",
            Schema.object().text("process", "Its name, for example p1-x4kq.").build());

    private final BackgroundProcesses processes;

    public StopProcessTool(BackgroundProcesses processes) {
        this.processes = processes;
    }

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    /** It ends only what the agent itself started, so that nobody is asked. */
    @Override
    public ToolEffect effect() {
        return ToolEffect.READS;
    }

    @Override
    public Map<String, Object> example() {
        return Map.of("process", "p1-x4kq");
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("id", "process", "name", "process");
    }

    @Override
    public ToolResult run(ToolInvocation call) throws InterruptedException {
        return ToolResult.done(processes.stop(call.session(), call.text("process"), call.cancel()));
    }
}
