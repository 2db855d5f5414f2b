package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.Sandbox;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.workspace.GadgetFolder;
import dev.gadget.model.SessionId;
import dev.gadget.model.process.BackgroundProcess;
import dev.gadget.model.process.ProcessStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands in the background, with real processes. */
class BackgroundProcessesTest {
    private static final SessionId ONE = new SessionId("one");
    private static final SessionId OTHER = new SessionId("other");

    @TempDir
    Path directory;

    private final BackgroundProcesses processes = new BackgroundProcesses("");
    private final Tool start = new StartProcessTool(processes, new CommandSandbox());
    private final Tool read = new ReadProcessTool(processes);
    private final Tool stop = new StopProcessTool(processes);

    @AfterEach
    void end() {
        processes.stopAll();
    }

    private String run(Tool tool, Object... pairs) throws Exception {
        return run(ONE, tool, pairs);
    }

    private String run(SessionId session, Tool tool, Object... pairs) throws Exception {
        Map<String, Object> parameters = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            parameters.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return tool.run(new ToolInvocation(
                        "c", session, true, parameters, new Workspace(directory), text -> {}, new CancelSignal()))
                .text();
    }

    private ToolInvocation of(CancelSignal cancel) throws IOException {
        return new ToolInvocation("c", ONE, true, Map.of(), new Workspace(directory), text -> {}, cancel);
    }

    private static void eventually(Callable<Boolean> so) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!so.call()) {
            assertThat(System.nanoTime()).as("it came to be in time").isLessThan(end);
            Thread.sleep(20);
        }
    }

    private static String state(long pid) throws IOException {
        Path stat = Path.of("/proc", String.valueOf(pid), "stat");
        try {
            String text = Files.readString(stat);
            return text.substring(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3);
        } catch (NoSuchFileException e) {
            return "gone";
        }
    }

    @Test
    @DisplayName("it goes on, is read piece by piece, and is stopped with all that it started")
    void lives() throws Exception {
        StringBuilder told = new StringBuilder(run(
                start,
                "command",
                "echo one; sleep 300 & echo $! > child; echo $$ > parent; read x < /dev/tty; sleep 300"));
        // The last line says that it has no terminal; the first look may be over before that.
        eventually(() -> {
            boolean all = told.indexOf("/dev/tty") >= 0 && told.charAt(told.length() - 1) == '\n';
            if (!all) {
                told.append(run(read, "process", "p1"));
            }
            return all;
        });
        assertThat(told.toString()).startsWith("Started as p1. It runs.").contains("one");
        assertThat(run(read, "process", "p1")).isEqualTo("It runs.\n[nothing new]");
        long child = Long.parseLong(Files.readString(directory.resolve("child")).strip());
        eventually(() -> state(child).equals("S"));
        assertThat(run(stop, "process", "p1")).startsWith("It was stopped.");
        assertThat(state(child)).isIn("gone", "Z");
        assertThat(run(read, "process", "p1")).startsWith("It was stopped.");
    }

    @Test
    @DisplayName("a name does not come again when the drone is started again, and is short")
    void names() throws Exception {
        var before = new BackgroundProcesses();
        var after = new BackgroundProcesses();
        try {
            String old = before.start(of(new CancelSignal()), "sleep 300", Sandbox.off());
            String fresh = after.start(of(new CancelSignal()), "sleep 301", Sandbox.off());

            assertThat(old).matches("p1-[a-z2-9]{4}");
            assertThat(fresh).matches("p1-[a-z2-9]{4}").isNotEqualTo(old);
            assertThat(after.stopForPerson(ONE, old)).isEmpty();
            assertThat(after.list(ONE))
                    .singleElement()
                    .satisfies(one -> assertThat(one.status()).isEqualTo(ProcessStatus.RUNNING));
        } finally {
            before.stopAll();
            after.stopAll();
        }
    }

    @Test
    @DisplayName("its end is waited for, and told with its exit code; its output is bounded")
    void ends() throws Exception {
        run(
                start,
                "command",
                "for i in 1 2 3; do seq 1 20000; done; until [ -e go ]; do sleep 0.05; done; echo last; exit 3");
        Files.createFile(directory.resolve("go"));
        String news = run(read, "process", "p1", "wait_seconds", 20);
        assertThat(news).startsWith("It ended with exit code 3.").endsWith("last\n");
        assertThat(news.length()).isLessThan(40_000);
    }

    @Test
    @DisplayName("names that there are not, and too many at once")
    void refusals() throws Exception {
        assertThatThrownBy(() -> run(read, "process", "p9"))
                .hasMessageContaining("There is no process `p9`. None runs.");
        for (int i = 0; i < 8; i++) {
            processes.start(of(new CancelSignal()), "sleep 100", new CommandSandbox().get());
        }
        assertThatThrownBy(() -> run(start, "command", "sleep 1"))
                .hasMessageContaining("There run 8 processes already");
    }

    @Test
    @DisplayName(
            "A16: what it leaves behind that would run later is set aside at its end; what was written in the open stays")
    void runsLater() throws Exception {
        Path root = directory.toRealPath();
        CommandSandbox sandbox = new CommandSandbox();
        sandbox.use(Sandbox.find(Sandbox.Mode.REQUIRE, false, List.of(), GadgetFolder.open(root)));
        assumeTrue(sandbox.get().works(), sandbox.get().report());
        Workspace workspace = new Workspace(root);
        Tool inSandbox = new StartProcessTool(processes, sandbox);
        run(
                inSandbox,
                "command",
                "echo evil > .envrc; mkdir .husky; echo evil > .husky/pre-commit; until [ -e go ]; do sleep 0.05; done");
        Path last = root.resolve(".husky/pre-commit");
        eventually(() -> Files.exists(last) && Files.size(last) > 0);
        SafeFiles.write(workspace, workspace.toWrite(".vscode/settings.json"), "{}".getBytes(StandardCharsets.UTF_8));
        SafeFiles.write(workspace, workspace.toWrite(".husky/mine"), "mine".getBytes(StandardCharsets.UTF_8));
        assertThat(root.resolve(".envrc")).exists();

        Files.createFile(root.resolve("go"));

        assertThat(run(read, "process", "p1", "wait_seconds", 20))
                .startsWith("It ended with exit code 0.")
                .contains("[set aside, because an editor, a shell or git would run it later: .envrc, .husky.");
        assertThat(root.resolve(".envrc")).doesNotExist();
        assertThat(root.resolve(".husky")).doesNotExist();
        assertThat(root.resolve(".vscode/settings.json")).hasContent("{}");
    }

    @Test
    @Timeout(60)
    @DisplayName("who waits for its end stops waiting when the turn is stopped; the process goes on")
    void stopsWaiting() throws Exception {
        run(start, "command", "sleep 300");
        CancelSignal cancel = new CancelSignal();
        CompletableFuture<String> waits = CompletableFuture.supplyAsync(() -> {
            try {
                return read.run(new ToolInvocation(
                                "c",
                                ONE,
                                false,
                                Map.of("process", "p1", "wait_seconds", 120),
                                new Workspace(directory),
                                text -> {},
                                cancel))
                        .text();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        cancel.cancel();
        assertThat(waits.get(60, TimeUnit.SECONDS)).startsWith("It runs.");
    }

    @Test
    @DisplayName("it belongs to its session: another one neither reads, stops nor lists it, nor learns its command")
    void belongsToItsSession() throws Exception {
        run(start, "command", "echo secret-of-one; sleep 300");
        run(OTHER, start, "command", "sleep 200");

        assertThatThrownBy(() -> run(OTHER, read, "process", "p1"))
                .hasMessageContaining("There is no process `p1`. There run: p2 (sleep 200).")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> run(OTHER, stop, "process", "p1")).hasMessageContaining("no process `p1`");
        assertThat(processes.output(OTHER, "p1")).isEmpty();
        assertThat(processes.stopForPerson(OTHER, "p1")).isEmpty();
        assertThat(processes.list(OTHER)).extracting(BackgroundProcess::id).containsExactly("p2");
        assertThat(processes.list(ONE)).singleElement().satisfies(one -> {
            assertThat(one.id()).isEqualTo("p1");
            assertThat(one.status()).isEqualTo(ProcessStatus.RUNNING);
        });
    }

    @Test
    @DisplayName(
            "how many run is bounded for the drone; who is refused is told how many are others', and not what they are")
    void boundOfTheDrone() throws Exception {
        for (int i = 0; i < 7; i++) {
            processes.start(of(new CancelSignal()), "sleep 111", new CommandSandbox().get());
        }
        run(OTHER, start, "command", "sleep 222");

        assertThatThrownBy(() -> run(OTHER, start, "command", "sleep 1"))
                .hasMessageContaining("Stop one first: p8 (sleep 222). 7 more belong to other sessions")
                .hasMessageNotContaining("111");
        assertThatThrownBy(() -> run(new SessionId("third"), start, "command", "sleep 1"))
                .hasMessageContaining("8 belong to other sessions of this workspace")
                .hasMessageNotContaining("Stop one first");
    }

    @Test
    @DisplayName("what a person reads is still news for the agent, and its end is bounded")
    void personReads() throws Exception {
        run(start, "command", "until [ -e go ]; do sleep 0.05; done; seq 1 20000; echo the last line; sleep 300");
        Files.createFile(directory.resolve("go"));
        eventually(() -> processes.list(ONE).getFirst().lastOutput().equals("the last line"));

        BackgroundProcesses.Output output = processes.output(ONE, "p1").orElseThrow();

        assertThat(output.text()).endsWith("20000\nthe last line\n").hasSizeLessThanOrEqualTo(32 * 1024);
        assertThat(output.complete()).isFalse();
        assertThat(run(read, "process", "p1")).startsWith("It runs.\n1\n2\n").endsWith("the last line\n");
        assertThat(processes.output(ONE, "p1")).contains(output);
    }

    @Test
    @DisplayName("a person stops one, once is enough; the agent is told who it was")
    void personStops() throws Exception {
        run(start, "command", "sleep 300 & echo $! > child; wait");
        eventually(() -> Files.exists(directory.resolve("child"))
                && !Files.readString(directory.resolve("child")).isBlank());
        long child = Long.parseLong(Files.readString(directory.resolve("child")).strip());

        BackgroundProcess stopped = processes.stopForPerson(ONE, "p1").orElseThrow();

        assertThat(stopped.status()).isEqualTo(ProcessStatus.STOPPED);
        assertThat(stopped.endedAt()).isAfterOrEqualTo(stopped.startedAt());
        assertThat(stopped.exitCode()).isNull();
        assertThat(state(child)).isIn("gone", "Z");
        assertThat(processes.stopForPerson(ONE, "p1")).contains(stopped);
        assertThat(run(read, "process", "p1")).startsWith("The person stopped it.");
        assertThat(processes.stopForPerson(ONE, "p9")).isEmpty();
    }

    @Test
    @DisplayName("the end of a session is that of its processes, and of no others")
    void endsWithItsSession() throws Exception {
        run(start, "command", "sleep 300");
        run(OTHER, start, "command", "sleep 300");

        processes.stopAll(ONE);

        eventually(() -> processes.list(ONE).getFirst().status() == ProcessStatus.STOPPED);
        assertThat(processes.list(OTHER).getFirst().status()).isEqualTo(ProcessStatus.RUNNING);
    }

    @Test
    @DisplayName(
            "nothing is started or taken over for a turn that was stopped: it would go on after the end of its session")
    void afterTheEnd() throws Exception {
        CancelSignal cancel = new CancelSignal();
        CommandRun run =
                CommandRun.start("sleep 300", new Workspace(directory), new CommandSandbox().get(), text -> {});
        cancel.cancel();

        assertThat(processes.adopt(of(cancel), "sleep 300", run, Optional.empty()))
                .isEmpty();
        assertThatThrownBy(() -> processes.start(of(cancel), "touch made; sleep 300", new CommandSandbox().get()))
                .hasMessage("Not started: the turn was stopped before.");

        run.await(Duration.ZERO, cancel);
        assertThat(processes.list(ONE)).isEmpty();
        assertThat(directory.resolve("made")).doesNotExist();
    }

    @Test
    @DisplayName("of those that ended a bounded number is kept, the latest ones")
    void keepsTheLatest() throws Exception {
        for (int i = 0; i < 40; i++) {
            String id = processes.start(of(new CancelSignal()), "exit 4", new CommandSandbox().get());
            eventually(() -> processes.list(ONE).getLast().status() == ProcessStatus.EXITED);
            assertThat(processes.list(ONE).getLast().id()).isEqualTo(id);
        }
        assertThat(processes.list(ONE)).hasSize(32);
        assertThat(processes.list(ONE).getLast()).satisfies(last -> {
            assertThat(last.id()).isEqualTo("p40");
            assertThat(last.exitCode()).isEqualTo(4);
        });
    }

    private final Tool command = new RunCommandTool(new CommandSandbox(), processes);

    @Test
    @DisplayName(
            "a command goes on in the background when its time is over; nothing of its output is lost or told twice")
    void commandGoesOn() throws Exception {
        String told = run(
                command,
                "command",
                "echo first; until [ -e go ]; do sleep 0.05; done; echo last; exit 3",
                "timeout_seconds",
                1);
        assertThat(told)
                .startsWith("It still runs after 1 seconds, and goes on in the background as p1: read_process tells")
                .endsWith("first\n");
        assertThat(processes.list(ONE).getFirst().status()).isEqualTo(ProcessStatus.RUNNING);
        Files.createFile(directory.resolve("go"));

        assertThat(run(read, "process", "p1", "wait_seconds", 60)).isEqualTo("It ended with exit code 3.\nlast\n");
        assertThat(processes.output(ONE, "p1")).contains(new BackgroundProcesses.Output("first\nlast\n", true));
        assertThat(processes.list(OTHER)).isEmpty();
    }

    @Test
    @DisplayName("A16: what looks after a command goes on with it: what runs later is set aside at its end")
    void guardGoesOn() throws Exception {
        Path root = directory.toRealPath();
        CommandSandbox sandbox = new CommandSandbox();
        sandbox.use(Sandbox.find(Sandbox.Mode.REQUIRE, false, List.of(), GadgetFolder.open(root)));
        assumeTrue(sandbox.get().works(), sandbox.get().report());
        String told = run(
                new RunCommandTool(sandbox, processes),
                "command",
                "echo evil > .envrc; until [ -e go ]; do sleep 0.05; done",
                "timeout_seconds",
                2);
        assertThat(told).contains("goes on in the background as p1");
        assertThat(root.resolve(".envrc")).exists();

        Files.createFile(root.resolve("go"));

        assertThat(run(read, "process", "p1", "wait_seconds", 60))
                .startsWith("It ended with exit code 0.")
                .contains("[set aside, because an editor, a shell or git would run it later: .envrc.");
        assertThat(root.resolve(".envrc")).doesNotExist();
    }

    @Test
    @DisplayName(
            "where nothing may go on, or too much does, it is ended when its time is over, and the way out is said")
    void commandIsEnded() throws Exception {
        String forbidden = command.run(new ToolInvocation(
                        "c",
                        ONE,
                        false,
                        Map.of("command", "echo first; sleep 300", "timeout_seconds", 1),
                        new Workspace(directory),
                        text -> {},
                        new CancelSignal()))
                .text();
        assertThat(forbidden)
                .startsWith("Ended after 1 seconds, with all that it had started. Its output until then:\nfirst\n")
                .contains("set timeout_seconds, at most 600");
        assertThat(processes.list(ONE)).isEmpty();

        for (int i = 0; i < 8; i++) {
            processes.start(of(new CancelSignal()), "sleep 100", new CommandSandbox().get());
        }
        assertThat(run(command, "command", "sleep 300", "timeout_seconds", 1))
                .startsWith("Ended after 1 seconds")
                .contains("stop one with stop_process, and start this one with start_process");
        assertThat(processes.list(ONE)).hasSize(8);
    }
}
