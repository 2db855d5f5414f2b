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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    @TempDir
    Path directory;

    private final BackgroundProcesses processes = new BackgroundProcesses();
    private final Tool start = new StartProcessTool(processes, new CommandSandbox());
    private final Tool read = new ReadProcessTool(processes);
    private final Tool stop = new StopProcessTool(processes);

    @AfterEach
    void end() {
        processes.stopAll();
    }

    private String run(Tool tool, Object... pairs) throws Exception {
        Map<String, Object> parameters = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            parameters.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return tool.run(new ToolInvocation("c", parameters, new Workspace(directory), text -> {}, new CancelSignal()))
                .text();
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
            processes.start("sleep 100", new Workspace(directory), new CommandSandbox().get());
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
}
