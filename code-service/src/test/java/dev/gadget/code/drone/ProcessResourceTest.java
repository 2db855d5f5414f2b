package dev.gadget.code.drone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.http.Meanwhile;
import dev.gadget.code.session.TestSessions;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.drone.DroneCommand.ForgetSession;
import dev.gadget.model.drone.DroneCommand.RequestProcesses;
import dev.gadget.model.drone.DroneEvent.ProcessesAnswered;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.process.BackgroundProcess;
import dev.gadget.model.process.ProcessAction;
import dev.gadget.model.process.ProcessStatus;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("What runs in the background of a session over HTTP")
class ProcessResourceTest {
    private static final BackgroundProcess RUNS = new BackgroundProcess(
            "p1", "npm run dev", Instant.EPOCH, null, ProcessStatus.RUNNING, null, "ready on port 5173");
    private static final BackgroundProcess STOPPED = new BackgroundProcess(
            "p1", "npm run dev", Instant.EPOCH, Instant.EPOCH.plusSeconds(9), ProcessStatus.STOPPED, null, "");

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    private TestPeople.Person ada;
    private SessionId id;
    private String session;

    @BeforeEach
    void somebody() {
        ada = people.member();
        id = TestSessions.session(ada);
        session = "/api/v1/sessions/" + id;
    }

    private SimulatedDrone drone() throws Exception {
        var drone = new SimulatedDrone(mapper, ada);
        ada.request()
                .body(Map.of("workspaceId", drone.workspace().value()))
                .patch(session)
                .then()
                .statusCode(200);
        return drone;
    }

    private RequestProcesses asked(SimulatedDrone drone, ProcessAction action) throws Exception {
        var asked = drone.expect(RequestProcesses.class);
        assertThat(asked.action()).isEqualTo(action);
        assertThat(asked.sessionId()).isEqualTo(id);
        return asked;
    }

    private static Response of(CompletableFuture<Response> response) throws Exception {
        return response.get(60, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName(
            "what runs, what it printed and how it ended is what the drone of the workspace answers; a stop is audited")
    void asksTheDrone() throws Exception {
        try (var drone = drone()) {
            var list = Meanwhile.ask(() -> ada.request().get(session + "/processes"));
            var listed = asked(drone, ProcessAction.LIST);
            drone.say(new ProcessesAnswered(listed.requestId(), null, List.of(RUNS), null, null));
            of(list).then()
                    .statusCode(200)
                    .body("items.id", contains("p1"))
                    .body("items[0].command", equalTo("npm run dev"))
                    .body("items[0].status", equalTo("running"))
                    .body("items[0].endedAt", nullValue())
                    .body("items[0].lastOutput", equalTo("ready on port 5173"))
                    .body("next", nullValue());

            var output = Meanwhile.ask(() -> ada.request().get(session + "/processes/p1/output"));
            var read = asked(drone, ProcessAction.OUTPUT);
            assertThat(read.process()).isEqualTo("p1");
            drone.say(new ProcessesAnswered(read.requestId(), null, List.of(), "ready\n", false));
            of(output).then().statusCode(200).body("text", equalTo("ready\n")).body("complete", equalTo(false));

            var stop = Meanwhile.ask(() -> ada.request().post(session + "/processes/p1/stop"));
            lists(drone, RUNS);
            var stopped = asked(drone, ProcessAction.STOP);
            drone.say(new ProcessesAnswered(stopped.requestId(), null, List.of(STOPPED), null, null));
            of(stop).then().statusCode(200).body("status", equalTo("stopped"));
            people.administrator()
                    .request()
                    .get("/api/v1/admin/audit?kind=process_stopped&userId=" + ada.id())
                    .then()
                    .body("items.subject", hasItem(id.value()))
                    .body("items[0].detail", containsString("process p1 on drone "));
        }
    }

    private void lists(SimulatedDrone drone, BackgroundProcess... all) throws Exception {
        drone.say(new ProcessesAnswered(asked(drone, ProcessAction.LIST).requestId(), null, List.of(all), null, null));
    }

    @Test
    @DisplayName(
            "the wish to stop one that runs is audited once, also when its drone does not answer in time; of one that is over nothing is")
    void auditsTheWishOnce() throws Exception {
        try (var drone = drone()) {
            var silent = Meanwhile.ask(() -> ada.request().post(session + "/processes/p1/stop"));
            lists(drone, RUNS);
            asked(drone, ProcessAction.STOP);
            of(silent).then().statusCode(503);
            for (var stands : List.of(RUNS, STOPPED)) {
                var again = Meanwhile.ask(() -> ada.request().post(session + "/processes/p1/stop"));
                lists(drone, stands);
                drone.say(new ProcessesAnswered(
                        asked(drone, ProcessAction.STOP).requestId(), null, List.of(STOPPED), null, null));
                of(again).then().statusCode(200).body("status", equalTo("stopped"));
            }
            people.administrator()
                    .request()
                    .get("/api/v1/admin/audit?kind=process_stopped&userId=" + ada.id())
                    .then()
                    .body("items.detail", contains("process p1 on drone " + drone.id()));
        }
    }

    @Test
    @DisplayName(
            "another person's session is none; a process that there is not, and a drone that is away, are said in words")
    void refuses() throws Exception {
        var eve = people.member();
        eve.request().get(session + "/processes").then().statusCode(404);
        eve.request().get(session + "/processes/p1/output").then().statusCode(404);
        eve.request().post(session + "/processes/p1/stop").then().statusCode(404);
        try (var drone = drone()) {
            var stop = Meanwhile.ask(() -> ada.request().post(session + "/processes/p7/stop"));
            lists(drone, RUNS);
            var asked = asked(drone, ProcessAction.STOP);
            drone.say(new ProcessesAnswered(
                    asked.requestId(),
                    new Failure(FailureCode.NOT_FOUND, "There is no process p7."),
                    List.of(),
                    null,
                    null));
            of(stop).then().statusCode(404).body("detail", containsString("no process p7"));
            ada.request()
                    .post(session + "/processes/" + "p".repeat(33) + "/stop")
                    .then()
                    .statusCode(404);
        }
        ada.request().get(session + "/processes").then().statusCode(503).body("code", equalTo("no_drone"));
    }

    @Test
    @DisplayName("a drone that does not know the question is told of in words, with its version")
    void olderDrone() throws Exception {
        try (var drone = drone()) {
            var list = Meanwhile.ask(() -> ada.request().get(session + "/processes"));
            asked(drone, ProcessAction.LIST);
            of(list).then()
                    .statusCode(503)
                    .body("code", equalTo("drone_lost"))
                    .body("detail", containsString("it has version 0.1.0"))
                    .body("detail", containsString("bring it up to date"));
        }
    }

    @Test
    @DisplayName("what a session left running ends when it is put away, moved, or deleted")
    void leavesNothingRunning() throws Exception {
        try (var drone = drone();
                var other = new SimulatedDrone(mapper, ada)) {
            ada.request().body(Map.of("name", "Shop", "pinned", true)).patch(session);
            ada.request().body(Map.of("archived", true)).patch(session).then().statusCode(200);
            asked(drone, ProcessAction.STOP_ALL);
            ada.request().body(Map.of("archived", false)).patch(session).then().statusCode(200);
            ada.request()
                    .body(Map.of("workspaceId", other.workspace().value()))
                    .patch(session)
                    .then()
                    .statusCode(200);
            asked(drone, ProcessAction.STOP_ALL);
            ada.request().delete(session).then().statusCode(204);
            assertThat(other.expect(ForgetSession.class).sessionId()).isEqualTo(id);
        }
    }

    /** When it is answered, all that the drone said before was taken, and all that it is told when it comes is on its way. */
    private void nothingElseIsAsked(SimulatedDrone drone) throws Exception {
        for (int i = 0; i < 2; i++) {
            var list = Meanwhile.ask(() -> ada.request().get(session + "/processes"));
            answer(drone, asked(drone, ProcessAction.LIST));
            of(list).then().statusCode(200);
        }
    }

    private static void answer(SimulatedDrone drone, RequestProcesses asked) throws Exception {
        drone.say(new ProcessesAnswered(asked.requestId(), null, List.of(), null, null));
    }

    @Test
    @DisplayName("a drone that was away when a session was put away is told whenever it comes, until it has answered")
    void stopsLater() throws Exception {
        try (var drone = drone()) {
            drone.cut();
            ada.request().body(Map.of("archived", true)).patch(session).then().statusCode(200);
            drone.comeBack(DroneStatus.AVAILABLE);
            asked(drone, ProcessAction.STOP_ALL);
            drone.cut();
            drone.comeBack(DroneStatus.AVAILABLE);
            answer(drone, asked(drone, ProcessAction.STOP_ALL));
            nothingElseIsAsked(drone);
            drone.cut();
            drone.comeBack(DroneStatus.AVAILABLE);
            nothingElseIsAsked(drone);
        }
    }

    @Test
    @DisplayName("what the turn of a session that was put away meanwhile started later ends after it")
    void stopsAfterTheTurn() throws Exception {
        try (var drone = drone()) {
            ada.request()
                    .header("Prefer", "respond-async")
                    .body(Map.of("prompt", "Serve it."))
                    .post(session + "/turns")
                    .then()
                    .statusCode(202);
            drone.take();
            ada.request().body(Map.of("archived", true)).patch(session).then().statusCode(200);
            answer(drone, asked(drone, ProcessAction.STOP_ALL));
            drone.report(new WorkEntry.WorkOrderComplete(1, TurnStatus.FINISHED, null, Usage.NONE));
            answer(drone, asked(drone, ProcessAction.STOP_ALL));
            nothingElseIsAsked(drone);
        }
    }
}
