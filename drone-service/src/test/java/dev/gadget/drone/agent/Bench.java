package dev.gadget.drone.agent;

import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.policy.SessionGrants;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ModelProviders;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.drone.workspace.KeptProjects;
import dev.gadget.drone.workspace.ProjectBook;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.Limits;
import dev.gadget.model.ModelPrice;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ProviderType;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.ToolQueueMode;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.model.work.WorkEntry;
import dev.gadget.model.work.WorkOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An agent loop around a scripted model, with what a test may change of it. */
final class Bench {
    final RecordingReport report = new RecordingReport();
    final CancelSignal cancel = new CancelSignal();
    final List<Duration> pauses = new ArrayList<>();
    final Path directory;
    final ScriptedModel model;
    List<Tool> tools = List.of();
    String prompt = "do it";
    ProviderSpec provider = new ProviderSpec(ProviderType.OPENAI, "p", "http://127.0.0.1:1/v1", null, null);

    @Nullable
    ToolQueueMode toolQueue;

    boolean wantsTitle;

    @Nullable
    ModelPrice price;

    List<PastTurn> history = List.of();
    Limits limits = Limits.STANDARD;
    ApprovalPolicy policy = ApprovalPolicy.AUTO;

    @Nullable
    ModelProfile profile;

    @Nullable
    ProjectRef project;

    ProjectBook book = new KeptProjects();
    SessionGrants grants = new SessionGrants();
    SessionId session = SessionId.random();
    Duration second = Duration.ofSeconds(1);
    Pause pause = (time, signal) -> pauses.add(time);
    WorkOrderRunner.Approvals approvals =
            (callId, signal, atMost) -> new WorkOrderRunner.Decision(ApprovalDecision.APPROVE, null);

    Bench(Path directory, ScriptedModel.Answer... answers) {
        this.directory = directory;
        model = new ScriptedModel(answers);
    }

    Bench tools(Tool... given) {
        tools = List.of(given);
        return this;
    }

    Bench run() {
        return run(List.of());
    }

    Bench run(List<WorkEntry> earlier) {
        loop().run(order(), earlier, report, approvals, cancel);
        return this;
    }

    AgentLoop loop() {
        return new AgentLoop(
                new ModelProviders(List.of(model)),
                new Toolbox(tools),
                grants,
                () -> directory,
                new CommandSandbox(),
                new SystemPrompt(new CommandSandbox()),
                new ProjectSetup(book),
                new RetryPlan(() -> 0),
                pause,
                second);
    }

    WorkOrder order() {
        return new WorkOrder(
                WorkOrderId.random(),
                TurnId.random(),
                session,
                "a session",
                project,
                WorkspaceId.random(),
                prompt,
                history,
                provider,
                "m",
                profile,
                price,
                ReasoningEffort.LOW,
                limits,
                policy,
                null,
                toolQueue,
                wantsTitle ? true : null,
                Instant.parse("2026-01-02T03:04:05Z"));
    }

    List<String> lines() {
        return report.lines();
    }
}
