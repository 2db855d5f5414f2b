package dev.gadget.drone.tool;

import dev.gadget.drone.policy.ApprovalRules;
import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Starts a command that goes on while the agent does other things. */
@ApplicationScoped
public class StartProcessTool implements Tool {
    static final String NAME = "start_process";

    private static final ToolSpec SPEC = new ToolSpec(
            NAME,
            "Starts a shell command that goes on in the background: a server, a watcher, a long build. Gives its name for read_process and"
                    + " stop_process. It ends with the drone at the latest.",
            Schema.object().text("command", "The shell command.").build());

    private final BackgroundProcesses processes;
    private static final Duration FIRST_LOOK = Duration.ofSeconds(1);

    private final CommandSandbox sandbox;

    public StartProcessTool(BackgroundProcesses processes, CommandSandbox sandbox) {
        this.processes = processes;
        this.sandbox = sandbox;
    }

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.RUNS;
    }

    @Override
    public Map<String, Object> example() {
        return Map.of("command", "npm run dev");
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("cmd", "command", "script", "command");
    }

    @Override
    public Optional<String> command(Map<String, Object> parameters) {
        return Optional.ofNullable(parameters.get("command")).map(Object::toString);
    }

    @Override
    public Optional<ApprovalRules.Verdict> demand(Map<String, Object> parameters) {
        return sandbox.get().demand();
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException, InterruptedException {
        String command = call.text("command");
        if (command.isBlank() || command.indexOf(0) >= 0) {
            return ToolResult.failed("`command` is empty or holds a NUL. Give one shell command.");
        }
        String id = processes.start(call, command, sandbox.get());
        return ToolResult.done(
                "Started as " + id + ". " + processes.find(call.session(), id).news(FIRST_LOOK, call.cancel()));
    }
}
