package dev.gadget.drone.tool;

import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;

/** Tells what a background process printed. */
@ApplicationScoped
public class ReadProcessTool implements Tool {
    static final String NAME = "read_process";

    private static final ToolSpec SPEC = new ToolSpec(
            NAME,
            "What a process in the background printed since it was last read, and whether it runs. With wait_seconds it waits so long for its"
                    + " end.",
            Schema.object()
                    .text("process", "Its name, for example p1-x4kq.")
                    .optionalNumber("wait_seconds", "How long to wait for its end.", 0, 120)
                    .build());

    private final BackgroundProcesses processes;

    public ReadProcessTool(BackgroundProcesses processes) {
        this.processes = processes;
    }

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
        return Map.of("process", "p1-x4kq", "wait_seconds", 10);
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("id", "process", "name", "process", "wait", "wait_seconds");
    }

    @Override
    public ToolResult run(ToolInvocation call) throws InterruptedException {
        return ToolResult.done(processes
                .find(call.session(), call.text("process"))
                .news(Duration.ofSeconds(call.number("wait_seconds", 0)), call.cancel()));
    }
}
