package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.policy.CommandSandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class RunCommandToolTest {
    @TempDir
    Path root;

    private ToolBench bench;
    private final Tool tool = new RunCommandTool(new CommandSandbox(), new BackgroundProcesses());

    @BeforeEach
    void make() {
        bench = new ToolBench(root);
    }

    private ToolResult run(String command) throws Exception {
        return bench.run(tool, Map.of("command", command));
    }

    @Test
    @DisplayName("gives exit code and output, both streams in order, and streams it")
    void output() throws Exception {
        ToolResult result = run("echo out; echo err >&2; pwd; exit 3");
        assertThat(result.ok()).isFalse();
        assertThat(result.text()).isEqualTo("Exit code 3.\nout\nerr\n" + root.toRealPath() + "\n");
        assertThat(bench.output.toString()).isEqualTo("out\nerr\n" + root.toRealPath() + "\n");
        assertThat(run("true")).isEqualTo(ToolResult.done("Exit code 0.\n[no output]"));
    }

    @Test
    @DisplayName("nothing waits for a person: input is at its end, no terminal, no prompt, no editor")
    void noInput() throws Exception {
        assertThat(run("cat; test -t 0 || echo no terminal; echo $TERM $GIT_EDITOR $GIT_TERMINAL_PROMPT $PAGER")
                        .text())
                .isEqualTo("Exit code 0.\nno terminal\ndumb true 0 cat\n");
        assertThat(run("exec </dev/tty").text()).contains("/dev/tty");
    }

    @Test
    @DisplayName("A13: the environment is an allow-list, whatever the drone's own holds")
    void environment() throws Exception {
        assertThat(CommandEnvironment.of(Map.of(
                        "PATH",
                        "/bin",
                        "HOME",
                        "/h",
                        "OPENAI_API_KEY",
                        "k",
                        "GADGET_TOKEN",
                        "t",
                        "LC_ALL",
                        "C",
                        "https_proxy",
                        "http://u:p@proxy",
                        "http_proxy",
                        "http://proxy",
                        "SSH_AUTH_SOCK",
                        "/s")))
                .containsKeys("PATH", "HOME", "LC_ALL", "http_proxy", "TERM")
                .doesNotContainKeys("OPENAI_API_KEY", "GADGET_TOKEN", "https_proxy", "SSH_AUTH_SOCK");
        assertThat(run("env | cut -d= -f1 | sort | tr '\\n' ' '").text()).doesNotContain("KEY", "TOKEN ", "SECRET");
    }

    @Test
    @DisplayName("of much output the head and the tail are told, and the live view is bounded")
    void much() throws Exception {
        ToolResult result = run("echo first; yes 0123456789 | head -c 50000000; echo; echo last");
        assertThat(result.text())
                .hasSizeLessThan(33_000)
                .startsWith("Exit code 0.\nfirst\n")
                .endsWith("last\n")
                .contains("are left out here");
        assertThat(bench.output.length()).isLessThan(300_000);
        assertThat(bench.output.toString()).endsWith("[more output follows, which is not shown]");
    }

    @Test
    @DisplayName("A7: what steers a terminal is taken out")
    void escapes() throws Exception {
        assertThat(
                        run("printf '\\033[31mred\\033[0m \\033]8;;http://x\\007link\\033]8;;\\007 \\033]52;c;eA==\\033\\\\end 10%%\\r20%%\\n'")
                                .text())
                .isEqualTo("Exit code 0.\nred link end 10%\n20%\n");
    }

    @Test
    @DisplayName("a time-out kills children, grandchildren and those that left for a session of their own")
    void tree() throws Exception {
        ToolResult result = bench.run(
                tool,
                Map.of(
                        "command",
                        "echo started; sleep 301 & (setsid sh -c 'sleep 302 & sleep 303' &) ; sh -c 'sleep 304 & echo $! >pid4; wait'",
                        "timeout_seconds",
                        5));
        assertThat(result.ok()).isFalse();
        assertThat(result.text()).contains("Ended after 5 seconds", "started");
        assertNoneLeft();
    }

    @Test
    @DisplayName("cancel kills the tree at once, and says so")
    void cancel() throws Exception {
        Thread canceller = Thread.ofVirtual().start(() -> {
            long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (!bench.output.toString().contains("ready") && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            bench.cancel.cancel();
        });
        ToolResult result = run("(setsid sleep 301 &); sleep 302 & echo ready; sleep 303");
        canceller.join();
        assertThat(result.ok()).isFalse();
        assertThat(result.text()).contains("Stopped by the person", "ready");
        assertNoneLeft();
    }

    @Test
    @DisplayName("a background process does not hold the command up, and does not outlive it")
    void background() throws Exception {
        long begin = System.nanoTime();
        ToolResult result = run("nohup setsid sleep 301 >/dev/null 2>&1 & sleep 302 & echo done");
        assertThat(result.ok()).isTrue();
        assertThat(result.text()).contains("done", "left running were ended");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        assertNoneLeft();
    }

    @Test
    @DisplayName("a process that forks on and on while it is killed does not escape")
    void forks() throws Exception {
        Files.writeString(
                root.resolve("spawn.sh"),
                "n=0; while [ $n -lt 200 ]; do sleep 30$((n % 9 + 1)) & n=$((n+1)); done; sleep 309");
        ToolResult result = bench.run(tool, Map.of("command", "sh spawn.sh", "timeout_seconds", 1));
        assertThat(result.text()).contains("Ended after");
        assertNoneLeft();
    }

    @Test
    @DisplayName("bad parameters are told with the schema")
    void bad() throws Exception {
        assertThat(run(" ").text()).contains("is empty");
        assertThat(bench.run(tool, Map.of("command", "ls", "timeout_seconds", 601))
                        .text())
                .contains("at most 600");
        assertThat(bench.run(tool, Map.of("cmd", "echo alias")).text()).contains("alias");
    }

    /** Processes of this test are told apart by the workspace that they run in. */
    private void assertNoneLeft() throws Exception {
        Path real = root.toRealPath();
        assertThat(ProcessHandle.allProcesses().filter(process -> {
                    try {
                        return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/cwd"))
                                .equals(real);
                    } catch (java.io.IOException e) {
                        return false;
                    }
                }))
                .isEmpty();
    }
}
