package dev.gadget.drone.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.policy.SessionGrants;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ModelProviders;
import dev.gadget.drone.provider.http.Endpoint;
import dev.gadget.drone.provider.ollama.OllamaProvider;
import dev.gadget.drone.provider.openai.OpenAiProvider;
import dev.gadget.drone.tool.BackgroundProcesses;
import dev.gadget.drone.tool.EditFileTool;
import dev.gadget.drone.tool.FindFilesTool;
import dev.gadget.drone.tool.ListFilesTool;
import dev.gadget.drone.tool.ReadFileTool;
import dev.gadget.drone.tool.RunCommandTool;
import dev.gadget.drone.tool.SearchTool;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.drone.tool.WriteFileTool;
import dev.gadget.drone.workspace.KeptProjects;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Limits;
import dev.gadget.model.ProviderType;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.model.work.WorkOrder;
import dev.gadget.scripted.Script;
import dev.gadget.scripted.ScriptedProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The loop with real wires, real tools and a real directory; only the model is scripted. */
@Timeout(180)
class AgentOverTheWireTest {
    @TempDir
    Path directory;

    private RecordingReport report = new RecordingReport();

    private RecordingReport run(ProviderType type, String prompt, Limits limits) {
        report = new RecordingReport();
        Endpoint endpoint = new Endpoint(new ObjectMapper(), Duration.ofSeconds(20), Duration.ofSeconds(20));
        try (ScriptedProvider server = ScriptedProvider.start(Script.marked())) {
            String url = type == ProviderType.OPENAI ? server.openAiUrl() : server.ollamaUrl();
            WorkOrder order = new WorkOrder(
                    WorkOrderId.random(),
                    TurnId.random(),
                    SessionId.random(),
                    "a session",
                    null,
                    WorkspaceId.random(),
                    prompt,
                    List.of(),
                    new ProviderSpec(type, "scripted", url, null, null),
                    "demo",
                    null,
                    null,
                    ReasoningEffort.LOW,
                    limits,
                    ApprovalPolicy.AUTO,
                    null,
                    null,
                    null,
                    Instant.now());
            new AgentLoop(
                            new ModelProviders(List.of(new OpenAiProvider(endpoint), new OllamaProvider(endpoint))),
                            new Toolbox(List.of(
                                    new ReadFileTool(),
                                    new WriteFileTool(),
                                    new EditFileTool(),
                                    new ListFilesTool(),
                                    new FindFilesTool(),
                                    new SearchTool(),
                                    new RunCommandTool(new CommandSandbox(), new BackgroundProcesses()))),
                            new SessionGrants(),
                            () -> directory,
                            new CommandSandbox(),
                            new SystemPrompt(new CommandSandbox()),
                            new ProjectSetup(new KeptProjects()),
                            new RetryPlan(() -> 0),
                            (time, signal) -> true,
                            Duration.ofSeconds(1))
                    .run(
                            order,
                            List.of(),
                            report,
                            (callId, signal, atMost) -> new WorkOrderRunner.Decision(ApprovalDecision.APPROVE, null),
                            new CancelSignal());
        }
        return report;
    }

    private void assertFinished() {
        assertThat(report.complete().status()).as(report.lines().toString()).isEqualTo(TurnStatus.FINISHED);
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("S0: writes, edits, searches, and the file is really changed")
    void edit(ProviderType type) {
        run(type, "[[edit]]", Limits.STANDARD);
        assertFinished();
        assertThat(directory.resolve("edit-me.txt")).hasContent("one\nzwei\nthree\n");
        assertThat(report.lines()).noneMatch(line -> line.startsWith("failed"));
        assertThat(report.lines().stream().filter(line -> line.startsWith("done")))
                .hasSize(3);
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("a command runs, its output streams and is told")
    void command(ProviderType type) throws Exception {
        run(type, "[[run command=\"echo hello >made.txt; cat made.txt\"]]", Limits.STANDARD);
        assertFinished();
        assertThat(Files.readString(directory.resolve("made.txt"))).isEqualTo("hello\n");
        assertThat(report.lines()).anyMatch(line -> line.startsWith("output ") && line.endsWith(" hello\n"));
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName(
            "several calls at once, thinking before calls, broken arguments, unknown tools: the turn goes on to its end")
    void shapes(ProviderType type) {
        for (String scene :
                List.of("[[parallel]]", "[[think_tool]]", "[[bad_json]]", "[[unknown_tool]]", "[[rounds count=5]]")) {
            RecordingReport fresh = run(type, scene, Limits.STANDARD);
            assertThat(fresh.complete().status()).as(scene + fresh.lines()).isEqualTo(TurnStatus.FINISHED);
        }
        assertThat(directory.resolve("NOTE.md")).exists();
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("a model that calls the same for ever is stopped")
    void loop(ProviderType type) {
        run(type, "[[loop]]", Limits.STANDARD);
        assertThat(report.complete().status()).isEqualTo(TurnStatus.BUDGET_REACHED);
        assertThat(report.lines().stream().filter(line -> line.startsWith("started")))
                .hasSize(4);
    }

    @ParameterizedTest
    @EnumSource(ProviderType.class)
    @DisplayName("an endpoint that is busy twice is asked three times; one that stays broken fails with its code")
    void faults(ProviderType type) {
        run(type, "[[fault 429 times=2]]", Limits.STANDARD);
        assertFinished();
        assertThat(report.lines()).containsSubsequence("retrying 1", "retrying 2");
        RecordingReport broken = run(type, "[[fault 401]]", Limits.STANDARD);
        assertThat(broken.failure().code()).isEqualTo(FailureCode.PROVIDER_UNAUTHORIZED);
    }
}
