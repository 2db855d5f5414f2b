package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.file.TestRepository;
import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.tool.BackgroundProcesses;
import dev.gadget.drone.tool.GitStatusTool;
import dev.gadget.drone.tool.ReadFileTool;
import dev.gadget.drone.tool.RunCommandTool;
import dev.gadget.drone.tool.WriteFileTool;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.FileChange;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.WorkEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ProjectSetupTest {
    @TempDir
    Path directory;

    @TempDir
    Path source;

    private final ProjectId id = ProjectId.random();
    private Path root;

    @BeforeEach
    void setUp() throws Exception {
        root = directory.toRealPath();
        Files.createDirectory(root.resolve(".gadget"));
        Files.writeString(root.resolve(".gadget/policy.json"), "{\"cloneFromFiles\":true}");
        Files.writeString(source.resolve("a.txt"), "one\n");
        Files.writeString(source.resolve("AGENTS.md"), "Use tabs.");
        TestRepository.of(source);
    }

    private Bench bench(boolean worktree, ScriptedModel.Answer... answers) {
        Bench bench = new Bench(root, answers)
                .tools(
                        new ReadFileTool(),
                        new WriteFileTool(),
                        new GitStatusTool(),
                        new RunCommandTool(new CommandSandbox(), new BackgroundProcesses()));
        bench.session = new SessionId("abcdef12-3");
        bench.project = new ProjectRef(id, "shop", "file://" + source, worktree);
        return bench;
    }

    @Test
    @DisplayName("S1-63: the project is cloned before the first round, as a tool that is seen, and the work is in it")
    void clonesFirst() {
        Bench bench = bench(
                        false,
                        calls(
                                call("c1", "read_file", "{\"path\":\"a.txt\"}"),
                                call("c2", "run_command", "{\"command\":\"pwd\"}"),
                                call("c3", "git_status", "{}"),
                                call("c4", "write_file", "{\"path\":\"b.txt\",\"content\":\"two\"}")),
                        text("Done."))
                .run();
        assertThat(bench.lines().subList(0, 2))
                .containsExactly("called setup-clone clone_project", "started setup-clone");
        assertThat(bench.lines().indexOf("done setup-clone"))
                .isPositive()
                .isLessThan(bench.lines().indexOf("round 1"));
        assertThat(bench.lines()).anyMatch(line -> line.startsWith("output setup-clone Cloning into"));
        assertThat(bench.report.answer("c1")).contains("one");
        assertThat(bench.report.answer("c2")).contains(root + "/shop");
        assertThat(bench.report.answer("c3")).contains("trunk...origin/trunk");
        assertThat(root.resolve("shop/b.txt")).hasContent("two");
        assertThat(files(bench)).containsExactly("shop/b.txt");
        String prompt =
                String.valueOf(bench.model.requests.getFirst().messages().getFirst());
        assertThat(prompt)
                .contains("Working directory: " + root + "/shop", "the workspace around it is " + root, "Use tabs.");
        assertThat(bench.model.asSent.getFirst().messages().getLast().toString())
                .contains("branch trunk...origin/trunk, clean");
        assertThat(bench.model.requests.getFirst().messages()).hasSize(2);
    }

    private static List<String> files(Bench bench) {
        return bench.report.entries().stream()
                .filter(WorkEntry.FilesChanged.class::isInstance)
                .flatMap(entry -> ((WorkEntry.FilesChanged) entry).files().files().stream())
                .map(FileChange::path)
                .toList();
    }

    @Test
    @DisplayName("a second turn finds the project there, and a session with a worktree works beside it")
    void worksInAWorktree() {
        bench(false, text("Done.")).run();
        Bench again = bench(false, text("Done.")).run();
        assertThat(again.lines()).noneMatch(line -> line.contains("clone_project"));
        Bench bench = bench(
                        true,
                        calls(
                                call(
                                        "c1",
                                        "run_command",
                                        "{\"command\":\"pwd; echo x > c.txt; git branch --show-current\"}"),
                                call("c2", "write_file", "{\"path\":\"b.txt\",\"content\":\"two\"}")),
                        text("Done."))
                .run();
        assertThat(bench.report.answer("c1")).contains(".worktrees/shop-abcdef12", "gadget/abcdef12-a-session");
        assertThat(root.resolve(".worktrees/shop-abcdef12/b.txt")).hasContent("two");
        assertThat(root.resolve("shop/b.txt")).doesNotExist();
        assertThat(files(bench))
                .containsExactlyInAnyOrder(".worktrees/shop-abcdef12/b.txt", ".worktrees/shop-abcdef12/c.txt");
    }

    @Test
    @DisplayName("a clone that fails ends the turn with what git said, and the model is not asked")
    void failsTheTurn() {
        Bench bench = bench(false, text("never"));
        bench.project = new ProjectRef(id, "shop", "file://" + source + "/none", null);
        bench.run();
        assertThat(bench.report.complete().status()).isEqualTo(TurnStatus.FAILED);
        assertThat(bench.report.failure().code()).isEqualTo(FailureCode.GIT_FAILED);
        assertThat(bench.report.failure().message()).contains("does not appear to be a git repository", "git clone");
        assertThat(bench.lines()).contains("failed setup-clone");
        assertThat(bench.model.requests).isEmpty();
    }

    @Test
    @DisplayName(
            "S1-79: after a crash in the middle of the clone it is cloned again under the same call, and nothing is superseded")
    void goesOnAfterACrash() {
        Bench first = bench(false, text("Done.")).run();
        List<WorkEntry> begun = first.report.until(WorkEntry.ToolStarted.class::isInstance);
        deleteShop();
        Bench again = bench(false, text("Done.")).run(begun);
        assertThat(again.lines())
                .startsWith("started setup-clone")
                .contains("done setup-clone", "round 1", "complete finished")
                .noneMatch(line -> line.startsWith("superseded") || line.startsWith("called"));
        Bench whole = bench(false, text("Done.")).run(begun);
        assertThat(whole.lines()).startsWith("done setup-clone", "round 1");
        List<WorkEntry> over = first.report.until(entry -> entry instanceof WorkEntry.RoundStarted);
        assertThat(bench(false, text("Done.")).run(over).lines()).startsWith("round 2");
    }

    private void deleteShop() {
        try {
            assertThat(new ProcessBuilder("rm", "-rf", root.resolve("shop").toString())
                            .start()
                            .waitFor())
                    .isZero();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("the clone of an earlier turn is nothing that the model called")
    void historyWithoutIt() {
        bench(false, text("Done.")).run();
        Bench bench = bench(false, text("Done."));
        var clone = new ToolCall(
                ProjectSetup.CALL_ID, ProjectSetup.TOOL, Map.of(), ToolCallState.DONE, null, "there", null, null, null);
        bench.history = List.of(new PastTurn(
                TurnId.random(),
                "before",
                TurnStatus.FINISHED,
                List.of(
                        new Block.Tool(0, Instant.EPOCH, Instant.EPOCH, null, clone),
                        new Block.Responding(1, Instant.EPOCH, Instant.EPOCH, null, "I did."))));
        bench.run();
        assertThat(bench.model.requests.getFirst().messages().subList(1, 4))
                .containsExactly(
                        new ChatMessage.User("before"),
                        new ChatMessage.Assistant("I did.", null, List.of()),
                        new ChatMessage.User("do it"));
    }
}
