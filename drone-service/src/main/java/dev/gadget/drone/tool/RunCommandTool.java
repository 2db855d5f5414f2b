package dev.gadget.drone.tool;

import dev.gadget.drone.policy.ApprovalRules;
import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.policy.RunsLaterGuard;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Runs a shell command in the workspace. */
@ApplicationScoped
public class RunCommandTool implements Tool {
    private static final int DEFAULT_SECONDS = 120;
    private static final int MAX_SECONDS = 600;

    private static final ToolSpec SPEC = new ToolSpec(
            "run_command",
            "Runs a command with `sh -c` in the working directory and gives its exit code and output. No terminal, no input;"
                    + " background processes are ended with the command. Ends it after timeout_seconds, default "
                    + DEFAULT_SECONDS + ".",
            Schema.object()
                    .text("command", "The shell command.")
                    .optionalNumber("timeout_seconds", "How long it may take.", 1, MAX_SECONDS)
                    .build());

    private final CommandSandbox sandbox;

    public RunCommandTool(CommandSandbox sandbox) {
        this.sandbox = sandbox;
    }

    @Override
    public Optional<ApprovalRules.Verdict> demand() {
        return sandbox.get().demand();
    }

    @Override
    public Optional<String> command(Map<String, Object> parameters) {
        return Optional.ofNullable(parameters.get("command")).map(Object::toString);
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
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("command", "npm test -- --watch=false");
        example.put("timeout_seconds", 300);
        return example;
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("cmd", "command", "script", "command", "timeout", "timeout_seconds");
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException, InterruptedException {
        String command = call.text("command");
        if (command.isBlank() || command.indexOf('\0') >= 0) {
            return ToolResult.failed("`command` is empty or holds a NUL. Give one shell command, for example `ls -l`.");
        }
        int seconds = call.number("timeout_seconds", DEFAULT_SECONDS);
        // Without a sandbox a person has allowed the command, or the owner wants none.
        Optional<RunsLaterGuard> guard =
                sandbox.get().works() ? Optional.of(RunsLaterGuard.before(call.workspace())) : Optional.empty();
        try {
            return run(call, command, seconds, guard);
        } finally {
            guard.ifPresent(RunsLaterGuard::close);
        }
    }

    private ToolResult run(ToolInvocation call, String command, int seconds, Optional<RunsLaterGuard> guard)
            throws IOException, InterruptedException {
        CommandRun.Outcome outcome = CommandRun.start(command, call.workspace(), sandbox.get(), call.output())
                .await(Duration.ofSeconds(seconds), call.cancel());
        String output = outcome.output().isEmpty() ? "[no output]" : outcome.output();
        String left = (outcome.leftOvers() ? "\n[processes that the command left running were ended]" : "")
                + outcome.refusals()
                + (guard.isPresent() ? guard.get().told() : "");
        return switch (outcome.end()) {
            case EXITED ->
                new ToolResult(outcome.status() == 0, "Exit code " + outcome.status() + ".\n" + output + left);
            case TIMED_OUT ->
                ToolResult.failed(
                        "Ended after " + seconds + " seconds, with all that it had started. Its output until then:\n"
                                + output + "\n[if it needs longer, set timeout_seconds, at most " + MAX_SECONDS + "]");
            case CANCELLED -> ToolResult.failed("Stopped by the person. Its output until then:\n" + output);
        };
    }
}
