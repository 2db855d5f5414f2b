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
import java.util.List;
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
                    + " what it leaves running is ended with the command. After timeout_seconds, default "
                    + DEFAULT_SECONDS
                    + ", it goes on in the background, as if by start_process, or is ended where that cannot be.",
            Schema.object()
                    .text("command", "The shell command.")
                    .optionalNumber("timeout_seconds", "How long it may take.", 1, MAX_SECONDS)
                    .build());

    private final CommandSandbox sandbox;
    private final BackgroundProcesses processes;

    public RunCommandTool(CommandSandbox sandbox, BackgroundProcesses processes) {
        this.sandbox = sandbox;
        this.processes = processes;
    }

    @Override
    public List<String> goesOnBy() {
        return List.of(StartProcessTool.NAME, ReadProcessTool.NAME);
    }

    @Override
    public Optional<ApprovalRules.Verdict> demand(Map<String, Object> parameters) {
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
        boolean goesOn = false;
        try {
            CommandRun run = CommandRun.start(command, call.workspace(), sandbox.get(), call.output());
            Optional<BackgroundProcesses.Adopted> adopted = adopted(call, command, seconds, run, guard);
            goesOn = adopted.isPresent();
            return goesOn ? goesOn(adopted.get(), seconds) : ended(call, seconds, run, guard);
        } finally {
            if (!goesOn) {
                guard.ifPresent(RunsLaterGuard::close);
            }
        }
    }

    private Optional<BackgroundProcesses.Adopted> adopted(
            ToolInvocation call, String command, int seconds, CommandRun run, Optional<RunsLaterGuard> guard)
            throws InterruptedException {
        return run.ends(Duration.ofSeconds(seconds), call.cancel()) || !call.mayGoOn()
                ? Optional.empty()
                : processes.adopt(call, command, run, guard);
    }

    private static ToolResult goesOn(BackgroundProcesses.Adopted adopted, int seconds) {
        return ToolResult.done("It still runs after " + seconds + " seconds, and goes on in the background as "
                + adopted.id()
                + ": " + ReadProcessTool.NAME + " tells how it goes and can wait for its end, stop_process ends it."
                + " Its output until now:\n" + said(adopted.output()));
    }

    private ToolResult ended(ToolInvocation call, int seconds, CommandRun run, Optional<RunsLaterGuard> guard)
            throws IOException, InterruptedException {
        // Its time was waited for before.
        CommandRun.Outcome outcome = run.await(Duration.ZERO, call.cancel());
        String output = said(outcome.output());
        String left = (outcome.leftOvers() ? "\n[processes that the command left running were ended]" : "")
                + outcome.refusals()
                + (guard.isPresent() ? guard.get().told() : "");
        return switch (outcome.end()) {
            case EXITED ->
                new ToolResult(outcome.status() == 0, "Exit code " + outcome.status() + ".\n" + output + left);
            case TIMED_OUT ->
                ToolResult.failed("Ended after " + seconds
                        + " seconds, with all that it had started. Its output until then:\n" + output + left + "\n["
                        + wayOut(call, seconds) + "]");
            case CANCELLED -> ToolResult.failed("Stopped by the person. Its output until then:\n" + output + left);
        };
    }

    private static String wayOut(ToolInvocation call, int seconds) {
        String longer = seconds < MAX_SECONDS
                ? "if it needs longer, set timeout_seconds, at most " + MAX_SECONDS
                : "no command may take longer here: do it in parts";
        return call.mayGoOn()
                ? "it could not go on in the background, because as many processes run there as may: stop one with"
                        + " stop_process, and start this one with " + StartProcessTool.NAME
                : longer;
    }

    private static String said(String output) {
        return output.isEmpty() ? "[no output]" : output;
    }
}
