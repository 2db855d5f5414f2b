package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.tool.BackgroundProcesses;
import dev.gadget.drone.tool.ReadProcessTool;
import dev.gadget.drone.tool.RunCommandTool;
import dev.gadget.drone.tool.StartProcessTool;
import dev.gadget.drone.tool.Tool;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.process.BackgroundProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command whose time is over, in a turn. */
class CommandGoesOnTest {
    @TempDir
    Path directory;

    private final BackgroundProcesses processes = new BackgroundProcesses("");
    private final Tool command = new RunCommandTool(new CommandSandbox(), processes);

    private Bench bench(Tool... tools) {
        return new Bench(
                        directory,
                        calls(call(
                                "c1", "run_command", "{\"command\":\"echo begun; sleep 300\",\"timeout_seconds\":1}")),
                        text("ok"))
                .tools(tools);
    }

    private @Nullable Bench last;

    @AfterEach
    void end() {
        processes.stopAll(Objects.requireNonNull(last).session);
    }

    @Test
    @DisplayName("it goes on for the session of the turn where the model can look after it")
    void goesOn() {
        Bench bench =
                bench(command, new StartProcessTool(processes, new CommandSandbox()), new ReadProcessTool(processes));
        last = bench.run();
        assertThat(bench.report.answer("c1"))
                .contains("goes on in the background as p1")
                .endsWith("begun\n");
        assertThat(processes.list(bench.session))
                .extracting(BackgroundProcess::command)
                .containsExactly("echo begun; sleep 300");
    }

    @Test
    @DisplayName("it is ended where the model has not the tools to look after it")
    void isEnded() {
        Bench bench = bench(command, new ReadProcessTool(processes));
        last = bench.run();
        assertThat(bench.report.answer("c1")).startsWith("Ended after 1 seconds");
        assertThat(processes.list(bench.session)).isEmpty();
    }

    @Test
    @DisplayName("what the machine's owner forbids to start in the background does not get there by taking long")
    void isForbidden() throws IOException {
        Files.createDirectory(directory.resolve(".gadget"));
        Files.writeString(
                directory.resolve(".gadget/policy.json"),
                "{\"rules\": [{\"action\": \"deny\", \"tool\": \"start_process\"}]}");
        Bench bench =
                bench(command, new StartProcessTool(processes, new CommandSandbox()), new ReadProcessTool(processes));
        last = bench.run();
        assertThat(bench.report.answer("c1")).startsWith("Ended after 1 seconds");
        assertThat(processes.list(bench.session)).isEmpty();
    }

    @Test
    @DisplayName(
            "what is asked for before it is started in the background goes on there only when this call was asked for, too")
    void isAskedFor() throws IOException {
        Files.createDirectories(directory.resolve(".gadget"));
        Files.writeString(
                directory.resolve(".gadget/policy.json"),
                "{\"rules\": [{\"action\": \"ask\", \"tool\": \"start_process\"}]}");
        Tool[] tools = {command, new StartProcessTool(processes, new CommandSandbox()), new ReadProcessTool(processes)};
        Bench unasked = bench(tools);
        last = unasked.run();
        assertThat(unasked.lines()).doesNotContain("awaits c1");
        assertThat(unasked.report.answer("c1")).startsWith("Ended after 1 seconds");
        assertThat(processes.list(unasked.session)).isEmpty();

        Bench asked = bench(tools);
        asked.policy = ApprovalPolicy.ASK;
        last = asked.run();
        assertThat(asked.lines()).contains("awaits c1");
        assertThat(asked.report.answer("c1")).contains("goes on in the background as p1");
    }
}
