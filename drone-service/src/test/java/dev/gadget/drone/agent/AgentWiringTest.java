package dev.gadget.drone.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.model.ApprovalPolicy;
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
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The parts as the program puts them together. */
@QuarkusTest
class AgentWiringTest {
    @Inject
    Toolbox tools;

    @Inject
    WorkOrderRunner runner;

    @Test
    @DisplayName("every tool is found, and a turn runs")
    void found() {
        assertThat(tools.names())
                .containsExactly(
                        "edit_file", "find_files", "list_files", "read_file", "run_command", "search", "write_file");
        RecordingReport report = new RecordingReport();
        try (ScriptedProvider server = ScriptedProvider.start(Script.marked())) {
            WorkOrder order = new WorkOrder(
                    WorkOrderId.random(),
                    TurnId.random(),
                    SessionId.random(),
                    "a session",
                    null,
                    WorkspaceId.random(),
                    "[[parallel]]",
                    List.of(),
                    new ProviderSpec(ProviderType.OPENAI, "scripted", server.openAiUrl(), null, null),
                    "demo",
                    ReasoningEffort.LOW,
                    Limits.STANDARD,
                    ApprovalPolicy.READ_ONLY,
                    Instant.now());
            runner.run(
                    order,
                    List.of(),
                    report,
                    (callId, signal) -> new WorkOrderRunner.Decision(ApprovalDecision.DENY, null),
                    new CancelSignal());
        }
        assertThat(report.complete().status()).as(report.lines().toString()).isEqualTo(TurnStatus.FINISHED);
        assertThat(report.lines().stream().filter(line -> line.startsWith("done")))
                .hasSize(2);
    }
}
