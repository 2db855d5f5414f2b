package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.checkpoint.Checkpoints;
import dev.gadget.drone.git.Git;
import dev.gadget.drone.policy.SessionGrants;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.drone.tool.ApplyPatchTool;
import dev.gadget.drone.tool.Arguments;
import dev.gadget.drone.tool.AskPersonTool;
import dev.gadget.drone.tool.DeleteFileTool;
import dev.gadget.drone.tool.EditFileTool;
import dev.gadget.drone.tool.GitDiffTool;
import dev.gadget.drone.tool.MoveFileTool;
import dev.gadget.drone.tool.ReadFileTool;
import dev.gadget.drone.tool.SearchTool;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolInvocation;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.drone.workspace.GadgetFolder;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.Limits;
import dev.gadget.model.SessionId;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.ToolEffect;
import dev.gadget.model.work.WorkEntry;
import dev.gadget.model.work.WorkOrder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** S2-11, S3-04: what waits for a person. */
class ApprovalsTest {
    @TempDir
    Path directory;

    private final AtomicInteger effects = new AtomicInteger();
    private final List<String> asked = new ArrayList<>();

    private Bench bench(ApprovalPolicy policy, ApprovalDecision decision, ScriptedModel.Answer... answers) {
        Bench bench = new Bench(directory, answers)
                .tools(
                        FakeTool.reads("look", call -> ToolResult.done("seen")),
                        FakeTool.writes("put", call -> ToolResult.done("put " + effects.incrementAndGet())),
                        FakeTool.runs("run", call -> ToolResult.done("run " + effects.incrementAndGet())));
        bench.policy = policy;
        bench.approvals = (callId, signal, atMost) -> {
            asked.add(callId);
            return new WorkOrderRunner.Decision(decision, "not today");
        };
        return bench;
    }

    @ParameterizedTest
    @CsvSource({
        "ASK, look, runs", "ASK, put, asks", "ASK, run, asks",
        "AUTO_EDIT, look, runs", "AUTO_EDIT, put, runs", "AUTO_EDIT, run, asks",
        "AUTO, look, runs", "AUTO, put, runs", "AUTO, run, runs",
        "READ_ONLY, look, runs", "READ_ONLY, put, refuses", "READ_ONLY, run, refuses"
    })
    @DisplayName("each policy by effect")
    void policies(ApprovalPolicy policy, String tool, String expected) {
        Bench bench = bench(policy, ApprovalDecision.APPROVE, calls(call("c1", tool, "{\"path\":\"a\"}")), text("ok"))
                .run();
        List<String> lines = bench.lines();
        switch (expected) {
            case "runs" -> assertThat(lines).contains("done c1").doesNotContain("awaits c1");
            case "asks" -> assertThat(lines).containsSubsequence("awaits c1", "started c1", "done c1");
            default -> {
                assertThat(lines).contains("denied c1").doesNotContain("awaits c1", "started c1");
                assertThat(bench.report.answer("c1")).contains("read-only");
            }
        }
    }

    @Test
    @DisplayName("A12: what a rule denies by its path is not found by a search, nor shown by a diff")
    void deniedIsNotFound() throws IOException {
        Git git = Git.in(directory);
        git.ask("init", "--quiet");
        git.ask("config", "user.name", "Tester");
        git.ask("config", "user.email", "tester@localhost");
        Files.createDirectories(directory.resolve("private"));
        Files.writeString(directory.resolve("private/old.txt"), "word before\n");
        Files.writeString(directory.resolve("open.txt"), "word before\n");
        git.ask("add", ".");
        git.ask("commit", "--quiet", "-m", "first");
        String blob = git.ask("rev-parse", "HEAD:private/old.txt").text().strip();
        Files.writeString(directory.resolve("private/old.txt"), "word hidden\n");
        Files.writeString(directory.resolve("open.txt"), "word shown\n");
        Files.createDirectories(directory.resolve(".gadget"));
        Files.writeString(
                directory.resolve(".gadget/policy.json"),
                "{\"rules\": [{\"action\": \"deny\", \"path\": \"private/**\"}]}");
        Bench bench = new Bench(
                        directory,
                        calls(
                                call("c1", "search", "{\"pattern\":\"word\"}"),
                                call("c2", "git_diff", "{}"),
                                call("c3", "git_diff", "{\"revision\":\"HEAD\"}"),
                                call("c4", "git_diff", "{\"revision\":\"HEAD:private/old.txt\"}"),
                                call("c5", "git_diff", "{\"revision\":\"" + blob + "\"}"),
                                call("c6", "git_diff", "{\"path\":\"private/old.txt\"}"),
                                call("c7", "git_diff", "{\"revision\":\"HEAD..HEAD\"}")),
                        text("ok"))
                .tools(new SearchTool(), new GitDiffTool());

        bench.run();

        assertThat(bench.report.answer("c1"))
                .contains("open.txt:1:word shown", "[matches in files that a rule denies are left out: 1]")
                .doesNotContain("hidden");
        assertThat(bench.report.answer("c2")).contains("+word shown").doesNotContain("hidden", "private");
        assertThat(bench.report.answer("c3"))
                .contains("first", "+word before", "b/open.txt")
                .doesNotContain("private");
        assertThat(bench.report.answer("c4")).contains("it has to be a commit or a range");
        assertThat(bench.report.answer("c5")).contains("commit").doesNotContain("before");
        assertThat(bench.report.answer("c6")).isEqualTo("[no changes]");
        assertThat(bench.report.answer("c7")).isEqualTo("[no changes]");
    }

    @Test
    @DisplayName("A12: no diff is shown where the name of what changed cannot be told, because a rule may deny it")
    void namesThatAreNoText() throws Exception {
        Git git = Git.in(directory);
        git.ask("init", "--quiet");
        git.ask(
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@localhost",
                "commit",
                "--quiet",
                "--allow-empty",
                "-m",
                "first");
        String make = "mkdir private && printf hidden > \"private/$(printf 'caf\\351')\" && git add private";
        assertThat(new ProcessBuilder("/bin/sh", "-c", make)
                        .directory(directory.toFile())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        Files.createDirectories(directory.resolve(".gadget"));
        Files.writeString(
                directory.resolve(".gadget/policy.json"),
                "{\"rules\": [{\"action\": \"deny\", \"path\": \"private/**\"}]}");
        Bench bench = new Bench(directory, calls(call("c1", "git_diff", "{}")), text("ok")).tools(new GitDiffTool());

        bench.run();

        assertThat(bench.report.answer("c1")).contains("cannot be told").doesNotContain("hidden");
    }

    @Test
    @DisplayName("a denial is told with its reason, and the turn goes on")
    void deny() {
        Bench bench = bench(
                        ApprovalPolicy.ASK,
                        ApprovalDecision.DENY,
                        calls(call("c1", "run", "{\"path\":\"a\"}")),
                        text("Well."))
                .run();
        assertThat(bench.lines()).containsSubsequence("awaits c1", "denied c1", "response Well.", "complete finished");
        assertThat(bench.report.answer("c1")).contains("did not allow", "not today");
        assertThat(effects).hasValue(0);
    }

    @Test
    @DisplayName("allowed for the session: that tool in that session is not asked again, other tools and sessions are")
    void forSession() {
        Bench bench = bench(
                        ApprovalPolicy.ASK,
                        ApprovalDecision.APPROVE_FOR_SESSION,
                        calls(call("c1", "run", "{\"path\":\"a\"}"), call("c2", "run", "{\"path\":\"b\"}")),
                        calls(call("c3", "put", "{\"path\":\"a\"}")),
                        text("ok"))
                .run();
        assertThat(asked).containsExactly("c1", "c3");

        Bench next = bench(
                ApprovalPolicy.ASK, ApprovalDecision.APPROVE, calls(call("d1", "run", "{\"path\":\"a\"}")), text("ok"));
        next.grants = bench.grants;
        next.session = bench.session;
        next.run();
        assertThat(asked).containsExactly("c1", "c3");

        Bench other = bench(
                ApprovalPolicy.ASK, ApprovalDecision.APPROVE, calls(call("e1", "run", "{\"path\":\"a\"}")), text("ok"));
        other.grants = bench.grants;
        other.session = SessionId.random();
        other.run();
        assertThat(asked).containsExactly("c1", "c3", "e1");
    }

    @Test
    @DisplayName("S1-46, S2-11: what was allowed for the session is known after the drone started again")
    void forSessionAfterARestart() throws IOException {
        Bench before = bench(
                ApprovalPolicy.ASK,
                ApprovalDecision.APPROVE_FOR_SESSION,
                calls(call("c1", "run", "{\"path\":\"a\"}")),
                text("ok"));
        GadgetFolder.open(directory);
        before.grants = new SessionGrants(() -> directory);
        before.run();

        Bench after = bench(
                ApprovalPolicy.ASK, ApprovalDecision.APPROVE, calls(call("d1", "run", "{\"path\":\"a\"}")), text("ok"));
        after.grants = new SessionGrants(() -> directory);
        after.session = before.session;
        after.run();
        assertThat(asked).containsExactly("c1");
    }

    @ParameterizedTest
    @EnumSource(ApprovalPolicy.class)
    @DisplayName(
            "a question waits under every policy, is answered with what the person says, and never with what the model wrote itself")
    void question(ApprovalPolicy policy) {
        Bench bench = bench(
                policy,
                ApprovalDecision.APPROVE,
                calls(call(
                        "c1",
                        "ask_person",
                        "{\"question\":\"Which one?\",\"choices\":\"red\\nblue\",\"answer\":\"red\"}")),
                text("ok"));
        bench.tools(new AskPersonTool());
        bench.approvals = (callId, signal, atMost) -> {
            asked.add(callId);
            assertThat(bench.report.entries().toString()).doesNotContain("answer=red");
            return new WorkOrderRunner.Decision(
                    ApprovalDecision.APPROVE,
                    null,
                    null,
                    Map.of("question", "Which one?", "choices", "red\nblue", "answer", "green, like the sea"));
        };
        bench.run();
        assertThat(asked).containsExactly("c1");
        assertThat(bench.lines()).containsSubsequence("awaits c1", "started c1", "done c1", "complete finished");
        assertThat(bench.report.answer("c1")).isEqualTo("The person answered: green, like the sea");

        // What was answered before a crash is not asked again.
        List<WorkEntry> journal = bench.report.entries();
        int started = IntStream.range(0, journal.size())
                .filter(at -> journal.get(at) instanceof WorkEntry.ToolStarted)
                .findFirst()
                .orElseThrow();
        Bench again = bench(policy, ApprovalDecision.DENY, text("ok")).tools(new AskPersonTool());
        again.run(journal.subList(0, started + 1));
        assertThat(asked).containsExactly("c1");
        assertThat(again.report.answer("c1")).isEqualTo("The person answered: green, like the sea");
    }

    @Test
    @DisplayName(
            "a question without an answer is told as that, whichever way it was not given, and one that is too long is not asked")
    void questionWithoutAnswer() {
        ScriptedModel.Answer asks = calls(call("c1", "ask_person", "{\"question\":\"Which?\",\"answer\":\"red\"}"));
        for (ApprovalDecision decision : ApprovalDecision.values()) {
            Bench bench = bench(ApprovalPolicy.AUTO, decision, asks, text("ok")).tools(new AskPersonTool());
            bench.run();
            assertThat(bench.report.answer("c1")).startsWith("The person gave no answer");
        }
        assertThat(asked).hasSize(ApprovalDecision.values().length);

        asked.clear();
        String choices = "one\\n".repeat(9);
        Bench long9 = bench(
                        ApprovalPolicy.AUTO,
                        ApprovalDecision.APPROVE,
                        calls(
                                call("c1", "ask_person", "{\"question\":\"" + "?".repeat(4001) + "\"}"),
                                call("c2", "ask_person", "{\"question\":\"?\",\"choices\":\"" + choices + "\"}")),
                        text("ok"))
                .tools(new AskPersonTool());
        long9.run();
        assertThat(asked).isEmpty();
        assertThat(long9.report.answer("c1")).contains("4001 characters", "1 to 4000");
        assertThat(long9.report.answer("c2")).contains("9 lines", "8 at most");
    }

    @Test
    @DisplayName("a subagent is not offered to ask the person")
    void subagentsDoNotAsk() {
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        ApprovalDecision.APPROVE,
                        calls(call("c1", "delegate", "{\"task\":\"look\"}")),
                        text("Looked."),
                        text("ok"))
                .tools(new AskPersonTool());
        bench.run();
        assertThat(bench.model.requests).hasSize(3);
        assertThat(bench.model.requests.get(0).tools())
                .extracting(ToolSpec::name)
                .contains("ask_person");
        assertThat(bench.model.requests.get(1).tools())
                .extracting(ToolSpec::name)
                .doesNotContain("ask_person");
    }

    @Test
    @DisplayName(
            "A12: a file that commonly holds secrets is read when a person allows it, also through a link, an edit or a move")
    void secrets() throws IOException {
        Files.writeString(directory.resolve(".env"), "KEY=secret-value\n");
        Files.createSymbolicLink(directory.resolve("plain.txt"), Path.of(".env"));
        Bench bench = bench(
                ApprovalPolicy.AUTO,
                ApprovalDecision.DENY,
                calls(
                        call("c1", "read_file", "{\"path\":\".env\"}"),
                        call("c2", "read_file", "{\"path\":\"plain.txt\"}"),
                        call("c3", "edit_file", "{\"path\":\".env\",\"old_string\":\"KEY=x\",\"new_string\":\"\"}"),
                        call("c4", "move_file", "{\"from\":\".env\",\"to\":\"x.txt\"}"),
                        call("c5", "search", "{\"pattern\":\"secret-\\\\w+\",\"path\":\".env\"}"),
                        call("c6", "search", "{\"pattern\":\"KEY\"}")),
                text("ok"));
        bench.tools(new ReadFileTool(), new EditFileTool(), new MoveFileTool(), new SearchTool());
        bench.prompt = "look at @.env";
        bench.run();
        assertThat(asked).containsExactlyInAnyOrder("c1", "c2", "c3", "c4", "c5");
        assertThat(bench.report.answer("c6")).contains("commonly hold secrets, as .env, are left out: 1");
        assertThat(bench.model.requests.toString())
                .contains("@.env commonly holds secrets")
                .doesNotContain("secret-value");

        asked.clear();
        Bench allowed = bench(
                        ApprovalPolicy.AUTO,
                        ApprovalDecision.APPROVE,
                        calls(call("c1", "read_file", "{\"path\":\".env\"}")),
                        text("ok"))
                .tools(new ReadFileTool());
        allowed.run();
        assertThat(asked).containsExactly("c1");
        assertThat(allowed.report.answer("c1")).contains("secret-value");
    }

    /** A tool whose only parameter is the command that it would run. */
    private Tool commands() {
        FakeTool run = FakeTool.runs("run", call -> ToolResult.done("run " + effects.incrementAndGet()));
        return new Tool() {
            @Override
            public ToolSpec spec() {
                return run.spec();
            }

            @Override
            public ToolEffect effect() {
                return run.effect();
            }

            @Override
            public Map<String, Object> example() {
                return run.example();
            }

            @Override
            public ToolResult run(ToolInvocation call) throws IOException, InterruptedException {
                return run.run(call);
            }

            @Override
            public Optional<String> command(Map<String, Object> parameters) {
                return Optional.of(String.valueOf(parameters.get("path")));
            }
        };
    }

    private Bench commands(WorkOrderRunner.Approvals approvals, String... lines) {
        ScriptedModel.Answer[] answers = new ScriptedModel.Answer[lines.length + 1];
        for (int i = 0; i < lines.length; i++) {
            answers[i] = calls(call("c" + (i + 1), "run", Arguments.write(Map.of("path", lines[i]))));
        }
        answers[lines.length] = text("ok");
        Bench bench = new Bench(directory, answers).tools(commands());
        bench.policy = ApprovalPolicy.ASK;
        bench.approvals = approvals;
        return bench;
    }

    private static List<List<String>> proposed(Bench bench) {
        return bench.report.entries().stream()
                .filter(WorkEntry.ToolAwaitsApproval.class::isInstance)
                .map(entry -> Optional.ofNullable(((WorkEntry.ToolAwaitsApproval) entry).patterns())
                        .orElse(List.of()))
                .toList();
    }

    @Test
    @DisplayName(
            "A18: with the proposed pattern allowed, all that it covers runs unasked from then on, and nothing else")
    void pattern() {
        AtomicReference<Bench> running = new AtomicReference<>();
        Bench bench = commands(
                (callId, signal, atMost) -> {
                    asked.add(callId);
                    return callId.equals("c1")
                            ? new WorkOrderRunner.Decision(
                                    ApprovalDecision.APPROVE_FOR_SESSION,
                                    null,
                                    shown(Objects.requireNonNull(running.get())),
                                    null,
                                    List.of("git diff *"))
                            : new WorkOrderRunner.Decision(ApprovalDecision.DENY, null);
                },
                "git diff a",
                "git diff b --stat",
                "git diff --output=x",
                "git diff | sh",
                "git push --force",
                "git log");
        running.set(bench);
        bench.run();
        assertThat(asked).containsExactly("c1", "c3", "c4", "c5", "c6");
        assertThat(proposed(bench))
                .containsExactly(List.of("git diff *"), List.of(), List.of(), List.of(), List.of("git log *"));
        assertThat(effects).hasValue(2);
    }

    @Test
    @DisplayName("A8: patterns that were not proposed, or are not bound to what was shown, count for nothing")
    void otherPatterns() {
        AtomicReference<Bench> running = new AtomicReference<>();
        Bench bench = commands(
                (callId, signal, atMost) -> {
                    asked.add(callId);
                    return switch (asked.size()) {
                        case 1 ->
                            new WorkOrderRunner.Decision(
                                    ApprovalDecision.APPROVE_FOR_SESSION,
                                    null,
                                    shown(Objects.requireNonNull(running.get())),
                                    null,
                                    List.of("git *"));
                        case 2 ->
                            new WorkOrderRunner.Decision(
                                    ApprovalDecision.APPROVE_FOR_SESSION, null, null, null, List.of("git diff *"));
                        default -> new WorkOrderRunner.Decision(ApprovalDecision.DENY, null);
                    };
                },
                "git diff a");
        running.set(bench);
        bench.run();
        assertThat(asked).hasSize(3);
        assertThat(effects).hasValue(0);
    }

    @Test
    @DisplayName("A33: where this machine's owner wants each command asked for, no pattern is proposed")
    void patternOfNoUse() throws Exception {
        Files.createDirectories(directory.resolve(".gadget"));
        Files.writeString(directory.resolve(".gadget/policy.json"), "{\"approvals\": \"ask\"}");
        Bench bench = commands(
                        (callId, signal, atMost) -> new WorkOrderRunner.Decision(ApprovalDecision.APPROVE, null),
                        "git diff a")
                .run();
        assertThat(proposed(bench)).containsExactly(List.of());
        assertThat(effects).hasValue(1);
    }

    @Test
    @DisplayName("A10: what runs later is asked always; .git and outside are refused without asking")
    void delicate() {
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        ApprovalDecision.APPROVE_FOR_SESSION,
                        calls(
                                call("c1", "put", "{\"path\":\".envrc\"}"),
                                call("c2", "put", "{\"path\":\".vscode/tasks.json\"}"),
                                call("c3", "put", "{\"path\":\".git/hooks/pre-commit\"}"),
                                call("c4", "put", "{\"path\":\"../x\"}"),
                                call("c5", "put", "{\"path\":\"fine.txt\"}")),
                        text("ok"))
                .run();
        assertThat(asked).containsExactly("c1", "c2");
        assertThat(bench.lines()).contains("failed c3", "failed c4", "done c5");
        assertThat(bench.report.answer("c4")).contains("outside the workspace");
    }

    private static String shown(Bench bench) {
        return bench.report.entries().stream()
                .filter(WorkEntry.ToolAwaitsApproval.class::isInstance)
                .map(entry -> String.valueOf(((WorkEntry.ToolAwaitsApproval) entry).shown()))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    @Test
    @DisplayName("A8: an answer to something else than what is shown counts for nothing, and the person is asked again")
    void boundToWhatWasShown() throws Exception {
        Files.writeString(directory.resolve("a.txt"), "one\n");
        Bench bench = new Bench(
                        directory,
                        calls(call(
                                "c1",
                                "edit_file",
                                "{\"path\":\"a.txt\",\"old_string\":\"one\",\"new_string\":\"two\"}")),
                        text("ok"))
                .tools(new EditFileTool());
        bench.policy = ApprovalPolicy.ASK;
        AtomicInteger round = new AtomicInteger();
        bench.approvals = (callId, signal, atMost) -> switch (round.incrementAndGet()) {
            case 1 -> new WorkOrderRunner.Decision(ApprovalDecision.APPROVE, null, "0".repeat(64), null);
            case 2 -> {
                write("a.txt", "one\nand more\n");
                yield new WorkOrderRunner.Decision(ApprovalDecision.APPROVE, null, shown(bench), null);
            }
            default -> new WorkOrderRunner.Decision(ApprovalDecision.APPROVE, null, shown(bench), null);
        };
        bench.run();
        assertThat(round).hasValue(3);
        List<WorkEntry.ToolAwaitsApproval> asks = bench.report.entries().stream()
                .filter(WorkEntry.ToolAwaitsApproval.class::isInstance)
                .map(WorkEntry.ToolAwaitsApproval.class::cast)
                .toList();
        assertThat(asks.get(0).preview()).contains("-one", "+two");
        assertThat(asks.get(1).reason()).contains("something else");
        assertThat(asks.get(2).reason()).contains("no longer what was shown");
        assertThat(asks.get(2).preview()).contains("and more");
        assertThat(asks.get(0).shown())
                .isEqualTo(asks.get(1).shown())
                .isNotEqualTo(asks.get(2).shown());
        assertThat(directory.resolve("a.txt")).hasContent("two\nand more");
    }

    private void write(String path, String content) {
        try {
            Files.writeString(directory.resolve(path), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @DisplayName("a person changes the command: that one runs, is told, and is what a restart would find")
    void changed() {
        List<Object> ran = new ArrayList<>();
        Bench bench = new Bench(directory, calls(call("c1", "run", "{\"path\":\"npm publish\"}")), text("ok"))
                .tools(FakeTool.runs("run", call -> {
                    ran.add(call.parameters().get("path"));
                    return ToolResult.done("did");
                }));
        bench.policy = ApprovalPolicy.ASK;
        AtomicInteger round = new AtomicInteger();
        bench.approvals = (callId, signal, atMost) -> new WorkOrderRunner.Decision(
                ApprovalDecision.APPROVE,
                null,
                null,
                round.incrementAndGet() == 1 ? Map.of("nonsense", true) : Map.of("path", "npm pack"));
        bench.run();
        assertThat(ran).containsExactly("npm pack");
        assertThat(bench.report.entries())
                .anySatisfy(entry -> assertThat(entry)
                        .isInstanceOfSatisfying(
                                WorkEntry.ToolStarted.class,
                                started -> assertThat(started.parameters()).isEqualTo(Map.of("path", "npm pack"))));
        assertThat(RecoveredTurn.of(bench.report.entries())
                        .rounds()
                        .getFirst()
                        .calls()
                        .getFirst()
                        .parameters())
                .isEqualTo(Map.of("path", "npm pack"));
    }

    @Test
    @DisplayName("an ask that nobody answers expires, says so, and the turn goes on")
    void expires() throws Exception {
        Files.createDirectories(directory.resolve(".gadget"));
        Files.writeString(directory.resolve(".gadget/policy.json"), "{\"approvalMinutes\": 7}");
        Bench bench = bench(
                ApprovalPolicy.ASK, ApprovalDecision.APPROVE, calls(call("c1", "run", "{\"path\":\"a\"}")), text("ok"));
        List<Duration> waited = new ArrayList<>();
        bench.approvals = (callId, signal, atMost) -> {
            waited.add(atMost);
            return null;
        };
        bench.run();
        assertThat(waited).containsExactly(Duration.ofMinutes(7));
        assertThat(bench.report.answer("c1")).contains("Nobody answered within 7 minutes");
        assertThat(bench.lines()).containsSubsequence("awaits c1", "denied c1", "complete finished");
        assertThat(effects).hasValue(0);
    }

    @Test
    @DisplayName("A33: the machine's own policy stands above what a session says, and a broken one stops everything")
    void local() throws Exception {
        Files.createDirectories(directory.resolve(".gadget"));
        Files.writeString(
                directory.resolve(".gadget/policy.json"),
                "{\"approvals\": \"ask\", \"rules\": [{\"action\": \"deny\", \"tool\": \"put\"}]}");
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        ApprovalDecision.APPROVE,
                        calls(call("c1", "run", "{\"path\":\"a\"}"), call("c2", "put", "{\"path\":\"a\"}")),
                        text("ok"))
                .run();
        assertThat(asked).containsExactly("c1");
        assertThat(bench.report.answer("c2")).contains("this machine's owner");
        Files.writeString(directory.resolve(".gadget/policy.json"), "{\"approvals\": 7");
        Bench broken = bench(
                        ApprovalPolicy.AUTO,
                        ApprovalDecision.APPROVE,
                        calls(call("d1", "run", "{\"path\":\"a\"}")),
                        text("ok"))
                .run();
        assertThat(broken.lines()).containsExactly("complete failed");
        assertThat(broken.report.failure().message()).contains(".gadget/policy.json");
    }

    @Test
    @DisplayName("what a person takes to answer does not count as the turn's time")
    void clockStandsStill() {
        Bench bench = bench(
                ApprovalPolicy.ASK, ApprovalDecision.APPROVE, calls(call("c1", "run", "{\"path\":\"a\"}")), text("ok"));
        bench.limits = new Limits(null, null, 1, null, null, null);
        bench.second = Duration.ofSeconds(4);
        bench.approvals = (callId, signal, atMost) -> {
            Thread.sleep(4500);
            return new WorkOrderRunner.Decision(ApprovalDecision.APPROVE, null);
        };
        bench.run();
        assertThat(bench.lines()).contains("done c1", "complete finished");
    }

    @Test
    @DisplayName("rules about paths are about what moves with a directory, at both of its places")
    void directories() throws IOException {
        Files.createDirectories(directory.resolve(".gadget"));
        Files.writeString(
                directory.resolve(".gadget/policy.json"),
                "{\"rules\":[{\"action\":\"deny\",\"path\":\"db/**\"},{\"action\":\"ask\",\"path\":\"*.lock\"}]}");
        for (String file :
                List.of("db/schema.sql", "all/db/x.sql", "x/schema.sql", "locked/deep/yarn.lock", "free/a.txt")) {
            Files.createDirectories(directory.resolve(file).getParent());
            Files.writeString(directory.resolve(file), "x");
        }
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        ApprovalDecision.DENY,
                        calls(
                                call("c1", "move_file", "{\"from\":\"db\",\"to\":\"y\"}"),
                                call("c2", "move_file", "{\"from\":\"x\",\"to\":\"db/new\"}"),
                                call("c3", "move_file", "{\"from\":\"all/db\",\"to\":\"db/deep\"}"),
                                call("c4", "move_file", "{\"from\":\"locked\",\"to\":\"z\"}"),
                                call("c5", "move_file", "{\"from\":\"free\",\"to\":\"freed\"}"),
                                call("c6", "move_file", "{\"from\":\"all\",\"to\":\"most\"}")),
                        text("ok"))
                .tools(new MoveFileTool());
        bench.run();
        assertThat(bench.lines()).contains("denied c1", "denied c2", "denied c3", "denied c4", "done c5", "done c6");
        assertThat(asked).containsExactly("c4");
        assertThat(directory.resolve("db/schema.sql")).exists();
    }

    @Test
    @DisplayName("a directory does not come to a forbidden place by being moved as a whole")
    void whole() throws IOException {
        Files.createDirectories(directory.resolve(".gadget"));
        Files.writeString(
                directory.resolve(".gadget/policy.json"), "{\"rules\":[{\"action\":\"deny\",\"path\":\"db/*.sql\"}]}");
        Files.createDirectories(directory.resolve("x"));
        Files.writeString(directory.resolve("x/schema.sql"), "x");
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        ApprovalDecision.DENY,
                        calls(call("c1", "move_file", "{\"from\":\"x\",\"to\":\"db\"}")),
                        text("ok"))
                .tools(new MoveFileTool());
        bench.run();
        assertThat(bench.lines()).contains("denied c1");
        assertThat(directory.resolve("db")).doesNotExist();
    }

    @Test
    @DisplayName("rules about paths know a link that is deleted or moved by its own name, and undo brings it back")
    void links() throws Exception {
        Files.createDirectories(directory.resolve(".gadget"));
        Files.writeString(
                directory.resolve(".gadget/policy.json"), "{\"rules\":[{\"action\":\"deny\",\"path\":\"kept*\"}]}");
        Files.writeString(directory.resolve(".gitignore"), "ignored\n");
        Files.writeString(directory.resolve("kept.txt"), "k");
        Files.writeString(directory.resolve("free.txt"), "f");
        for (String link : List.of("deleted", "ignored", "moved", "patched")) {
            Files.createSymbolicLink(directory.resolve(link), Path.of("kept.txt"));
        }
        Files.createSymbolicLink(directory.resolve("kept-link"), Path.of("free.txt"));
        String patch = "--- a/patched\\n+++ /dev/null\\n@@ -1 +0,0 @@\\n-k\\n";
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        ApprovalDecision.DENY,
                        calls(
                                call("c1", "delete_file", "{\"path\":\"deleted\"}"),
                                call("c2", "delete_file", "{\"path\":\"ignored\"}"),
                                call("c3", "move_file", "{\"from\":\"moved\",\"to\":\"there\"}"),
                                call("c4", "apply_patch", "{\"patch\":\"" + patch + "\"}"),
                                call("c5", "delete_file", "{\"path\":\"kept-link\"}"),
                                call("c6", "move_file", "{\"from\":\"kept-link\",\"to\":\"x\"}")),
                        text("ok"))
                .tools(new DeleteFileTool(), new MoveFileTool(), new ApplyPatchTool());
        WorkOrder order = bench.order();
        bench.loop().run(order, List.of(), bench.report, bench.approvals, bench.cancel);
        assertThat(bench.lines()).contains("done c1", "done c2", "done c3", "done c4", "denied c5", "denied c6");
        assertThat(directory.resolve("kept.txt")).hasContent("k");
        for (String link : List.of("deleted", "ignored", "moved", "patched")) {
            assertThat(Files.isSymbolicLink(directory.resolve(link))).as(link).isFalse();
        }

        Checkpoints.of(new Workspace(directory)).restore(order.turnId(), true, false);
        for (String link : List.of("deleted", "ignored", "moved", "patched")) {
            assertThat(Files.readSymbolicLink(directory.resolve(link))).as(link).hasToString("kept.txt");
        }
        assertThat(Files.isSymbolicLink(directory.resolve("there"))).isFalse();
    }

    @Test
    @DisplayName("a patch that the tool refuses before it runs is a call that failed, and the turn goes on")
    void refusedPatch() throws Exception {
        String files = IntStream.rangeClosed(1, 101)
                .mapToObj(i -> "--- /dev/null\\n+++ b/f" + i + "\\n@@ -0,0 +1 @@\\n+x\\n")
                .collect(Collectors.joining());
        Bench bench = bench(
                        ApprovalPolicy.AUTO,
                        ApprovalDecision.DENY,
                        calls(call("c1", "apply_patch", "{\"patch\":\"" + files + "\"}")),
                        text("smaller, then"))
                .tools(new ApplyPatchTool());
        bench.loop().run(bench.order(), List.of(), bench.report, bench.approvals, bench.cancel);
        assertThat(bench.lines()).contains("failed c1");
        assertThat(directory.resolve("f1")).doesNotExist();
    }
}
