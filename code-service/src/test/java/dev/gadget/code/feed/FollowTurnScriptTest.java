package dev.gadget.code.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.drone.SimulatedDrone;
import dev.gadget.code.session.TestSessions;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("docs/clients/follow-turn.sh")
class FollowTurnScriptTest {
    private static final Path SCRIPT = Path.of("../docs/clients/follow-turn.sh");

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    private TestPeople.Person ada;

    @BeforeEach
    void somebody() throws Exception {
        for (String program : new String[] {"bash", "curl", "jq"}) {
            assumeTrue(isThere(program), program + " is needed");
        }
        ada = people.member();
    }

    private static boolean isThere(String program) throws InterruptedException {
        try {
            return new ProcessBuilder(program, "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException _) {
            return false;
        }
    }

    private Process script() throws IOException {
        var builder = new ProcessBuilder(
                "bash", SCRIPT.toString(), TestSessions.session(ada).value(), "Say \"it\"");
        builder.environment().put("GADGET_URL", "http://127.0.0.1:" + RestAssured.port);
        builder.environment().put("GADGET_TOKEN", ada.token());
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder.start();
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("prints what the model says, once, and tells by its exit status that the turn finished")
    void finishes() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            Process process = script();
            assertThat(drone.take().workOrder().prompt()).isEqualTo("Say \"it\"");
            drone.report(
                    new WorkEntry.Thinking(1, null, "not shown"),
                    new WorkEntry.Response(2, null, "A shop 🛒\n\n"),
                    new WorkEntry.Response(3, null, "with a \"cart\"\\"));
            drone.report(
                    new WorkEntry.RoundStarted(4, 2),
                    new WorkEntry.Thinking(5, null, "hm"),
                    new WorkEntry.Response(6, null, "and ä till"));
            drone.report(new WorkEntry.WorkOrderComplete(7, TurnStatus.FINISHED, null, Usage.NONE));
            assertThat(output(process)).isEqualTo("A shop 🛒\n\nwith a \"cart\"\\\nand ä till\n");
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        }
    }

    @Test
    @DisplayName("S0-52: prints nothing of what subagents say")
    void subagents() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            Process process = script();
            drone.take();
            drone.report(
                    new WorkEntry.Response(1, null, "I ask."),
                    new WorkEntry.ToolCalled(2, "d1", "delegate", Map.of("task", "look")),
                    new WorkEntry.ToolStarted(3, "d1", null),
                    new WorkEntry.Response(4, null, "not ", "d1"));
            drone.report(new WorkEntry.Response(5, null, "shown", "d1"));
            drone.report(
                    new WorkEntry.ToolEnded(6, "d1", ToolCallState.DONE, "not shown"),
                    new WorkEntry.RoundStarted(7, 2),
                    new WorkEntry.Response(8, null, "It is so."),
                    new WorkEntry.WorkOrderComplete(9, TurnStatus.FINISHED, null, Usage.NONE));
            assertThat(output(process)).isEqualTo("I ask.\nIt is so.\n");
            assertThat(process.waitFor()).isZero();
        }
    }

    @Test
    @DisplayName("waits for a drone that is away, and prints what it says when it is back")
    void interrupted() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            Process process = script();
            var offer = drone.take();
            drone.report(new WorkEntry.Response(1, null, "A "));
            drone.cut();
            var told = new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
            assertThat(told.readLine()).isEqualTo("the drone is away; waiting for it");
            drone.comeBack(DroneStatus.BUSY, drone.held(offer, 3, true, false));
            drone.report(
                    new WorkEntry.Response(1, null, "A "),
                    new WorkEntry.Response(2, null, "shop"),
                    new WorkEntry.WorkOrderComplete(3, TurnStatus.FINISHED, null, Usage.NONE));
            assertThat(output(process)).isEqualTo("A shop\n");
            assertThat(process.waitFor()).isZero();
        }
    }

    @Test
    @DisplayName("tells a turn that failed, and a prompt that was refused, by its exit status")
    void fails() throws Exception {
        Process refused = script();
        assertThat(output(refused)).isEmpty();
        assertThat(refused.waitFor()).isEqualTo(2);
        assertThat(new String(refused.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("refused: no_drone: ");
        try (var drone = new SimulatedDrone(mapper, ada)) {
            Process process = script();
            drone.take();
            drone.report(
                    new WorkEntry.Response(1, null, "So "),
                    new WorkEntry.WorkOrderComplete(
                            2, TurnStatus.FAILED, new Failure(FailureCode.TRUNCATED, "It was cut."), Usage.NONE));
            assertThat(output(process)).isEqualTo("So \n");
            assertThat(process.waitFor()).isEqualTo(1);
            assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("failed: It was cut.\n");
        }
    }
}
