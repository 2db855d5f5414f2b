package dev.gadget.code.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.drone.SimulatedDrone;
import dev.gadget.model.SessionId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("The workspace of a session (S1-75, S1-76, S1-77, G-05)")
class SessionMoveTest {
    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    private static ValidatableResponse prompt(TestPeople.Person owner, SessionId session) {
        return owner.request()
                .header("Prefer", "respond-async")
                .body(Map.of("prompt", "go"))
                .post("/api/v1/sessions/" + session + "/turns")
                .then();
    }

    private static ValidatableResponse move(TestPeople.Person owner, SessionId session, WorkspaceId to) {
        return owner.request()
                .body(Map.of("workspaceId", to.value()))
                .patch("/api/v1/sessions/" + session)
                .then();
    }

    @Test
    @DisplayName(
            "is that of its first turn; it leaves it only when its person says so, and not in the middle of a turn")
    void staysUntilMoved() throws Exception {
        TestPeople.Person ada = people.member();
        SessionId session = TestSessions.session(ada);
        var laptop = new SimulatedDrone(mapper, ada);
        prompt(ada, session).statusCode(202);
        laptop.take();
        try (var desktop = new SimulatedDrone(mapper, ada)) {
            move(ada, session, desktop.workspace()).statusCode(409).body("code", equalTo("turn_running"));
            laptop.report(new WorkEntry.WorkOrderComplete(1, TurnStatus.FINISHED, null, Usage.NONE));
            laptop.expect(DroneCommand.ReleaseWorkOrder.class);
            laptop.close();
            // The other drone is free, but the session's files are not there.
            laptop.awaitStatus("offline");
            prompt(ada, session)
                    .statusCode(503)
                    .body("code", equalTo("no_drone"))
                    .body("detail", containsString("move the session"));
            move(ada, session, WorkspaceId.random()).statusCode(422).body("field", equalTo("workspaceId"));
            move(ada, session, desktop.workspace())
                    .statusCode(200)
                    .body("workspaceId", equalTo(desktop.workspace().value()));
            prompt(ada, session).statusCode(202);
            assertThat(desktop.take().workOrder().workspaceId()).isEqualTo(desktop.workspace());
        }
    }
}
