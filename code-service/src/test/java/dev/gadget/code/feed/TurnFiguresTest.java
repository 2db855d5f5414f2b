package dev.gadget.code.feed;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.drone.SimulatedDrone;
import dev.gadget.code.session.TestSessions;
import dev.gadget.model.SessionId;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("S0-30: figures of turns and sessions over HTTP")
class TurnFiguresTest {
    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    @Test
    @DisplayName(
            "a turn and its session tell their tokens by round, their tools and their times, and nobody else's are found")
    void figures() throws Exception {
        TestPeople.Person ada = people.member();
        SessionId session = TestSessions.session(ada);
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = ada.request()
                    .body(Map.of("prompt", "  Count\n the lines. "))
                    .header("Prefer", "respond-async")
                    .post("/api/v1/sessions/" + session + "/turns")
                    .then()
                    .statusCode(202)
                    .extract()
                    .path("turnId");
            drone.take();
            drone.report(
                    new WorkEntry.RoundStarted(1, 1),
                    new WorkEntry.ToolCalled(2, "c1", "run_command", Map.of("command", "wc -l secret")),
                    new WorkEntry.ToolStarted(3, "c1", null),
                    new WorkEntry.ToolEnded(4, "c1", ToolCallState.FAILED, "no"),
                    new WorkEntry.UsageReported(5, new Usage(10, 2, 0, null)),
                    new WorkEntry.RoundStarted(6, 2),
                    new WorkEntry.Response(7, null, "It failed."),
                    new WorkEntry.WorkOrderComplete(8, TurnStatus.FINISHED, null, new Usage(25, 5, 0, null)));
            awaitEnd(ada, id);

            JsonPath turn = ada.request()
                    .get("/api/v1/turns/" + id + "/analytics")
                    .then()
                    .statusCode(200)
                    .body("turn.prompt", equalTo("Count the lines."))
                    .body("turn.status", equalTo("finished"))
                    .body("turn.toolFailures", equalTo(1))
                    .body("rounds.round", contains(1, 2))
                    .body("rounds.inputTokens", contains(10, 15))
                    .body("rounds.outputTokens", contains(2, 3))
                    .body("tools.name", contains("run_command"))
                    .body("tools[0].failed", equalTo(1))
                    .extract()
                    .jsonPath();
            ada.request()
                    .get("/api/v1/sessions/" + session + "/analytics")
                    .then()
                    .statusCode(200)
                    .body("turns", hasSize(1))
                    .body("turns[0].turnId", equalTo(id))
                    .body("turns[0].millis", equalTo(turn.getInt("turn.millis")))
                    .body("leftOut", equalTo(0))
                    .body("usage.inputTokens", equalTo(25))
                    .body("tools.name", hasItem("run_command"));

            TestPeople.Person eve = people.member();
            eve.request().get("/api/v1/turns/" + id + "/analytics").then().statusCode(404);
            eve.request()
                    .get("/api/v1/sessions/" + session + "/analytics")
                    .then()
                    .statusCode(404);
        }
    }

    private static void awaitEnd(TestPeople.Person person, String id) {
        String cursor = "";
        JsonPath events;
        do {
            events = person.request()
                    .queryParam("cursor", cursor)
                    .queryParam("wait", 55)
                    .get("/api/v1/turns/" + id + "/events")
                    .then()
                    .statusCode(200)
                    .extract()
                    .jsonPath();
            cursor = events.getString("cursor");
        } while (!events.getString("status").equals("finished"));
    }
}
