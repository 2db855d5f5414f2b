package dev.gadget.code.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.LogLines;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.drone.SimulatedDrone;
import dev.gadget.code.store.ProjectArchive;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.ToolQueueMode;
import dev.gadget.model.TurnId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.scheduler.Scheduler;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@DisplayName("Sessions")
class SessionResourceTest {
    private static final String SESSIONS = "/api/v1/sessions";

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    @Inject
    Sessions sessions;

    @Inject
    SessionArchive archive;

    @Inject
    TurnArchive turns;

    @Inject
    ProjectArchive projects;

    @Inject
    Scheduler scheduler;

    private TestPeople.Person ada;

    @BeforeEach
    void somebody() {
        ada = people.member();
    }

    private ValidatableResponse create(Map<String, ?> body) {
        return ada.request().body(body).post(SESSIONS).then();
    }

    @Test
    @DisplayName("a session starts with sensible values, the model that of its provider")
    void defaults() {
        String project = TestSessions.project(ada);
        String provider = TestSessions.provider(ada);
        String id = create(Map.of("projectId", project, "providerId", provider))
                .statusCode(201)
                .header("Location", notNullValue())
                .body("name", equalTo("New session"))
                .body("model", equalTo("scripted"))
                .body("reasoningEffort", equalTo("off"))
                .body("approvalPolicy", equalTo("auto"))
                .body("limits.maxRounds", equalTo(60))
                .body("runningTurnId", nullValue())
                .extract()
                .path("id");
        ada.request()
                .get(SESSIONS + "/" + id)
                .then()
                .statusCode(200)
                .body("id", equalTo(id))
                .body("projectId", equalTo(project))
                .body("turns", empty());
    }

    @Test
    @DisplayName("a provider without a default model needs one to be named, on creation and on a change")
    void modelIsNeeded() {
        String project = TestSessions.project(ada);
        String bare = TestSessions.provider(ada, Map.of());
        create(Map.of("projectId", project, "providerId", bare))
                .statusCode(422)
                .body("code", equalTo("invalid_field"))
                .body("field", equalTo("model"));
        create(Map.of("projectId", project, "providerId", bare, "model", "m\nturn ended"))
                .statusCode(422)
                .body("field", equalTo("model"))
                .body("detail", containsString("control characters"));
        create(Map.of("projectId", project, "providerId", bare, "model", "m"))
                .statusCode(201)
                .body("model", equalTo("m"));
        SessionId session = TestSessions.session(ada);
        ada.request()
                .body(Map.of("providerId", bare))
                .patch(SESSIONS + "/" + session)
                .then()
                .statusCode(422)
                .body("field", equalTo("model"));
    }

    @Test
    @DisplayName("what is no number of turns and no cursor of theirs is refused by name")
    void partsOfASession() {
        String session = SESSIONS + "/" + TestSessions.session(ada);
        ada.request().get(session + "?latest=0").then().statusCode(422).body("field", equalTo("latest"));
        for (String cursor : List.of("x", "no%20cursor%21")) {
            ada.request()
                    .get(session + "/turns?cursor=" + cursor)
                    .then()
                    .statusCode(422)
                    .body("field", equalTo("cursor"));
        }
    }

    @Test
    @DisplayName("a limit that stands for a billion digits, and a rule that is none, are refused by name")
    void absurdValues() {
        String session = SESSIONS + "/" + TestSessions.session(ada);
        for (String cost : List.of("1e999999999", "1e1000000", "-1", "1e-999999999")) {
            ada.request()
                    .body("{\"limits\":{\"maxCost\":" + cost + "}}")
                    .patch(session)
                    .then()
                    .statusCode(422)
                    .body("field", equalTo("limits"))
                    .body("detail", containsString("maxCost has to be at least 0, with at most 12 digits"));
        }
        ada.request()
                .body("{\"limits\":{\"maxCost\":12.5}}")
                .patch(session)
                .then()
                .statusCode(200)
                .body("limits.maxCost", equalTo(12.5f));
        ada.request()
                .body("{\"rules\":[{\"action\":\"ask\",\"tool\":\"shell\"},null]}")
                .patch(session)
                .then()
                .statusCode(422)
                .body("field", equalTo("rules[1]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sessions", "projects", "drones", "providers"})
    @DisplayName("what is no cursor of a list is refused by name")
    void noCursor(String list) {
        ada.request()
                .queryParam("cursor", "!")
                .get("/api/v1/" + list)
                .then()
                .statusCode(422)
                .body("code", equalTo("invalid_field"))
                .body("field", equalTo("cursor"));
    }

    @Test
    @DisplayName("another person's project, provider and session do not exist")
    void others() {
        TestPeople.Person eve = people.member();
        String project = TestSessions.project(ada);
        String provider = TestSessions.provider(ada);
        create(Map.of("projectId", TestSessions.project(eve), "providerId", provider))
                .statusCode(422)
                .body("field", equalTo("projectId"));
        create(Map.of("projectId", project, "providerId", TestSessions.provider(eve)))
                .statusCode(422)
                .body("field", equalTo("providerId"));
        SessionId hers = TestSessions.session(eve);
        for (String path : List.of("", "?latest=5", "/turns")) {
            ada.request()
                    .get(SESSIONS + "/" + hers + path)
                    .then()
                    .statusCode(404)
                    .body("code", equalTo("not_found"));
        }
        ada.request()
                .body(Map.of("name", "x"))
                .patch(SESSIONS + "/" + hers)
                .then()
                .statusCode(404);
        ada.request().delete(SESSIONS + "/" + hers).then().statusCode(404);
        eve.request().get(SESSIONS + "/" + hers).then().statusCode(200);
    }

    @Test
    @DisplayName("a session is pinned and put away, which is no news of it")
    void listed() {
        SessionId session = TestSessions.session(ada);
        String at = ada.request()
                .get(SESSIONS + "/" + session)
                .then()
                .body("pinned", equalTo(false))
                .body("archived", equalTo(false))
                .body("turnStatus", nullValue())
                .extract()
                .path("updatedAt");
        ada.request()
                .body(Map.of("pinned", true))
                .patch(SESSIONS + "/" + session)
                .then()
                .statusCode(200)
                .body("pinned", equalTo(true))
                .body("archived", equalTo(false))
                .body("updatedAt", equalTo(at));
        ada.request()
                .body(Map.of("archived", true))
                .patch(SESSIONS + "/" + session)
                .then()
                .statusCode(200);
        ada.request()
                .get(SESSIONS)
                .then()
                .body("items[0].pinned", equalTo(true))
                .body("items[0].archived", equalTo(true))
                .body("items[0].updatedAt", equalTo(at));
    }

    @Test
    @DisplayName("the list says how far a session's turn is, and how the last one ended")
    void turnStatus() throws Exception {
        SessionId session = TestSessions.session(ada);
        try (var drone = new SimulatedDrone(mapper, ada)) {
            ada.request()
                    .header("Prefer", "respond-async")
                    .body(Map.of("prompt", "one"))
                    .post(SESSIONS + "/" + session + "/turns")
                    .then()
                    .statusCode(202);
            drone.take();
            ada.request()
                    .get(SESSIONS)
                    .then()
                    .body("items[0].turnStatus", equalTo("queued"))
                    .body("items[0].turnEndedAt", nullValue());
            drone.report(new WorkEntry.WorkOrderComplete(1, TurnStatus.FAILED, null, Usage.NONE));
            drone.expect(DroneCommand.ReleaseWorkOrder.class);
            ada.request()
                    .get(SESSIONS)
                    .then()
                    .body("items[0].runningTurnId", nullValue())
                    .body("items[0].turnStatus", equalTo("failed"))
                    .body("items[0].turnEndedAt", notNullValue());
        }
    }

    @Test
    @DisplayName("what a change does not name stays, and a blank name is refused")
    void changes() {
        SessionId session = TestSessions.session(ada);
        ada.request()
                .body(Map.of("name", " Cart ", "reasoningEffort", "high", "approvalPolicy", "ask"))
                .patch(SESSIONS + "/" + session)
                .then()
                .statusCode(200)
                .body("name", equalTo("Cart"))
                .body("reasoningEffort", equalTo("high"))
                .body("approvalPolicy", equalTo("ask"))
                .body("model", equalTo("scripted"));
        ada.request()
                .body(Map.of("name", "  "))
                .patch(SESSIONS + "/" + session)
                .then()
                .statusCode(422)
                .body("field", equalTo("name"));
        ada.request()
                .body(Map.of("limits", Map.of("maxRounds", 0)))
                .patch(SESSIONS + "/" + session)
                .then()
                .statusCode(422);
    }

    @Test
    @DisplayName("the list comes newest first, a page at a time")
    void pages() {
        SessionId first = TestSessions.session(ada);
        SessionId second = TestSessions.session(ada);
        String next = ada.request()
                .get(SESSIONS + "?limit=1")
                .then()
                .statusCode(200)
                .body("items.id", contains(second.value()))
                .extract()
                .path("next");
        ada.request()
                .queryParam("cursor", next)
                .get(SESSIONS)
                .then()
                .statusCode(200)
                .body("items.id", contains(first.value()))
                .body("next", nullValue());
    }

    @Test
    @DisplayName("a session that is deleted takes its running turn along, and the drone is told to forget it")
    void deleteWhileRunning() throws Exception {
        SessionId session = TestSessions.session(ada);
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String turn = ada.request()
                    .header("Prefer", "respond-async")
                    .body(Map.of("prompt", "hello"))
                    .post(SESSIONS + "/" + session + "/turns")
                    .then()
                    .statusCode(202)
                    .extract()
                    .path("turnId");
            drone.take();
            drone.report(new WorkEntry.Response(1, null, "It "));
            ada.request().delete(SESSIONS + "/" + session).then().statusCode(204);
            drone.expect(DroneCommand.ReleaseWorkOrder.class);
            drone.report(new WorkEntry.Response(2, null, "goes on"));
            drone.expect(DroneCommand.ReleaseWorkOrder.class);
            ada.request().get("/api/v1/turns/" + turn).then().statusCode(404);
            ada.request().get(SESSIONS + "/" + session).then().statusCode(404);
            ada.request().delete(SESSIONS + "/" + session).then().statusCode(404);
        }
        ada.request().get(SESSIONS).then().body("items", hasSize(0));
    }

    /** One turn of this session; whether its order wants a title. */
    private boolean turn(SimulatedDrone drone, SessionId session) throws Exception {
        ada.request()
                .header("Prefer", "respond-async")
                .body(Map.of("prompt", "Please mend the till."))
                .post(SESSIONS + "/" + session + "/turns")
                .then()
                .statusCode(202);
        Boolean wanted = drone.take().workOrder().wantsTitle();
        drone.report(new WorkEntry.WorkOrderComplete(1, TurnStatus.FINISHED, null, Usage.NONE));
        drone.expect(DroneCommand.ReleaseWorkOrder.class);
        return Boolean.TRUE.equals(wanted);
    }

    private String name(SessionId session) {
        return ada.request().get(SESSIONS + "/" + session).then().extract().path("name");
    }

    /** What a drone says is taken one after the other: when this is the name, all that was said before was heard. */
    private void becomes(SimulatedDrone drone, SessionId session, String title, String name) throws Exception {
        drone.say(new DroneEvent.SessionTitled(session, title, null));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!name(session).equals(name) && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(name(session)).isEqualTo(name);
    }

    @Test
    @DisplayName("the model's title becomes the name after the first turn, in what can be seen of it and 80 characters")
    void titled() throws Exception {
        SessionId session = TestSessions.session(ada);
        try (var drone = new SimulatedDrone(mapper, ada)) {
            assertThat(turn(drone, session)).isTrue();
            drone.say(new DroneEvent.SessionTitled(session, "\u200b", null));
            becomes(
                    drone,
                    session,
                    "Mending\n the\u202e till " + "x".repeat(100),
                    "Mending the till " + "x".repeat(63));
            assertThat(turn(drone, session)).isFalse();
        }
    }

    @Test
    @DisplayName("a cost of titles that comes to more than there can be is not counted, and ends no drone's connection")
    void tooMuchForATitle() throws Exception {
        SessionId session = TestSessions.session(ada);
        var most = new Usage(1, 1, 0, new BigDecimal("9".repeat(40)));
        try (LogLines log = LogLines.of("dev.gadget.code.session.Sessions");
                var drone = new SimulatedDrone(mapper, ada)) {
            turn(drone, session);
            drone.say(new DroneEvent.SessionTitled(session, "", most));
            drone.say(new DroneEvent.SessionTitled(session, "", most));
            becomes(drone, session, "Mending the till", "Mending the till");

            assertThat(log.lines())
                    .anyMatch(line -> line.startsWith("what a title used is not counted sessionId=" + session));
        }
        ada.request().get(SESSIONS + "/" + session).then().body("titleUsage.inputTokens", equalTo(1));
    }

    @Test
    @DisplayName(
            "what a title used is counted for the session, each time, also where none came of it, and for no other one")
    void titleIsCounted() throws Exception {
        SessionId session = TestSessions.session(ada);
        SessionId elsewhere = TestSessions.session(ada);
        try (var drone = new SimulatedDrone(mapper, ada)) {
            turn(drone, session);
            ada.request().get(SESSIONS + "/" + session).then().body("titleUsage", nullValue());
            var used = new Usage(100, 7, 2, new BigDecimal("0.0000001"));
            drone.say(new DroneEvent.SessionTitled(elsewhere, "", used));
            drone.say(new DroneEvent.SessionTitled(session, "", used));
            drone.say(new DroneEvent.SessionTitled(session, "", new Usage(-5, 1, 0, null)));
            drone.say(new DroneEvent.SessionTitled(session, "", new Usage(1, Long.MAX_VALUE, 0, null)));
            drone.say(new DroneEvent.SessionTitled(session, "", new Usage(11, 3, 0, new BigDecimal("0.5"))));
            becomes(drone, session, "Mending the till", "Mending the till");
        }
        Map<String, Object> patched = Map.of("pinned", true);
        ada.request().body(patched).patch(SESSIONS + "/" + session).then().statusCode(200);

        ada.request()
                .get(SESSIONS + "/" + session)
                .then()
                .body("titleUsage.inputTokens", equalTo(111))
                .body("titleUsage.outputTokens", equalTo(10))
                .body("titleUsage.thinkingTokens", equalTo(2))
                .body("titleUsage.cost", equalTo(0.5000001f));
        ada.request()
                .get(SESSIONS + "/" + session + "/analytics")
                .then()
                .body("usage.inputTokens", equalTo(111))
                .body("usage.outputTokens", equalTo(10));
        ada.request().get(SESSIONS + "/" + elsewhere).then().body("titleUsage", nullValue());
    }

    @Test
    @DisplayName("a title that does not come is asked for again, in the first three turns")
    void titleIsAskedForAgain() throws Exception {
        SessionId session = TestSessions.session(ada);
        try (var drone = new SimulatedDrone(mapper, ada)) {
            assertThat(turn(drone, session)).isTrue();
            assertThat(turn(drone, session)).isTrue();
            assertThat(turn(drone, session)).isTrue();
            assertThat(turn(drone, session)).isFalse();
        }
    }

    @Test
    @DisplayName(
            "a name that a person chose stays, whatever a drone says, and so does that of a session in another workspace")
    void renamed() throws Exception {
        SessionId session = TestSessions.session(ada);
        SessionId elsewhere = TestSessions.session(ada);
        SessionId unnamed = TestSessions.session(ada);
        String before = name(elsewhere);
        ada.request()
                .body(Map.of("name", "Mine"))
                .patch(SESSIONS + "/" + session)
                .then()
                .statusCode(200);
        try (var drone = new SimulatedDrone(mapper, ada)) {
            assertThat(turn(drone, session)).isFalse();
            turn(drone, unnamed);
            drone.say(new DroneEvent.SessionTitled(session, "Mending the till", null));
            drone.say(new DroneEvent.SessionTitled(elsewhere, "Mending the till", null));
            becomes(drone, unnamed, "Another one", "Another one");
            assertThat(name(session)).isEqualTo("Mine");
            assertThat(name(elsewhere)).isEqualTo(before);
        }
    }

    @Test
    @DisplayName(
            "S3-22: how tools are run is a setting of the session, in parallel by default, and goes with the order")
    void toolQueue() throws Exception {
        SessionId session = TestSessions.session(ada);
        ada.request().get(SESSIONS + "/" + session).then().body("toolQueue", equalTo("parallel"));
        ada.request()
                .body(Map.of("toolQueue", "sequential"))
                .patch(SESSIONS + "/" + session)
                .then()
                .statusCode(200)
                .body("toolQueue", equalTo("sequential"));
        ada.request()
                .body(Map.of("toolQueue", "twice"))
                .patch(SESSIONS + "/" + session)
                .then()
                .statusCode(422);
        try (var drone = new SimulatedDrone(mapper, ada)) {
            ada.request()
                    .header("Prefer", "respond-async")
                    .body(Map.of("prompt", "hello"))
                    .post(SESSIONS + "/" + session + "/turns")
                    .then()
                    .statusCode(202);
            assertThat(drone.take().workOrder().toolQueue()).isEqualTo(ToolQueueMode.SEQUENTIAL);
        }
    }

    @Test
    @DisplayName("a deletion that a stop of the service cut short is ended: no turn, no worktree is left")
    void deletionIsEnded() throws Exception {
        SessionId session = withWorktree();
        try (var drone = new SimulatedDrone(mapper, ada)) {
            turn(drone, session);
            // The service looks each minute for what it has to end.
            scheduler.pause();
            assertThat(archive.beginDelete(ada.id(), session)).isTrue();
            ada.request().get(SESSIONS + "/" + session).then().statusCode(404);
            ada.request().get(SESSIONS).then().body("items", hasSize(0));
            assertThat(archive.claim(session, TurnId.random())).isFalse();
            assertThat(turns.ofSession(session)).hasSize(1);

            sessions.endDeletes();

            assertThat(turns.ofSession(session)).isEmpty();
            assertThat(drone.expect(DroneCommand.ForgetSession.class).sessionId())
                    .isEqualTo(session);
            assertThat(archive.beingDeleted()).isEmpty();
        } finally {
            scheduler.resume();
        }
    }

    @Test
    @DisplayName("the drone is told of a deleted session that had a worktree of its own, so that it takes it away")
    void forgetsWorktree() throws Exception {
        SessionId session = withWorktree();
        try (var drone = new SimulatedDrone(mapper, ada)) {
            turn(drone, session);
            ada.request().delete(SESSIONS + "/" + session).then().statusCode(204);
            var gone = drone.expect(DroneCommand.ForgetSession.class);
            assertThat(gone.sessionId()).isEqualTo(session);
            assertThat(Objects.requireNonNull(gone.project()).worktree()).isTrue();
        }
    }

    @Test
    @DisplayName("S1-63: the drone is told of a deleted session with a worktree also when its project went before it")
    void forgetsWorktreeOfGoneProject() throws Exception {
        SessionId session = withWorktree();
        try (var drone = new SimulatedDrone(mapper, ada)) {
            turn(drone, session);
            String project = ada.request().get(SESSIONS + "/" + session).path("projectId");
            assertThat(projects.delete(ada.id(), new ProjectId(project))).isTrue();
            drone.cut();
            ada.request().delete(SESSIONS + "/" + session).then().statusCode(204);
            drone.comeBack(DroneStatus.AVAILABLE);
            assertThat(drone.expect(DroneCommand.ForgetSession.class))
                    .isEqualTo(new DroneCommand.ForgetSession(session, null));
        }
    }

    @Test
    @DisplayName(
            "a drone that was away when a session with a worktree was deleted is told of it whenever it comes, until it has answered")
    void forgetsWorktreeLater() throws Exception {
        SessionId session = withWorktree();
        try (var drone = new SimulatedDrone(mapper, ada)) {
            turn(drone, session);
            SessionId other = TestSessions.session(ada);
            turn(drone, other);
            drone.cut();
            ada.request().delete(SESSIONS + "/" + session).then().statusCode(204);
            drone.comeBack(DroneStatus.AVAILABLE);
            assertThat(drone.expect(DroneCommand.ForgetSession.class).sessionId())
                    .isEqualTo(session);
            drone.cut();
            drone.comeBack(DroneStatus.AVAILABLE);
            assertThat(drone.expect(DroneCommand.ForgetSession.class).sessionId())
                    .isEqualTo(session);
            drone.say(new DroneEvent.SessionForgotten(session));
            becomes(drone, other, "Mending the till", "Mending the till");
            drone.cut();
            drone.comeBack(DroneStatus.AVAILABLE);
            ada.request()
                    .header("Prefer", "respond-async")
                    .body(Map.of("prompt", "hello"))
                    .post(SESSIONS + "/" + other + "/turns")
                    .then()
                    .statusCode(202);
            // With nothing else before it.
            assertThat(drone.take().workOrder().chatSessionId()).isEqualTo(other);
        }
    }

    private SessionId withWorktree() {
        SessionId session = TestSessions.session(ada);
        ada.request()
                .body(Map.of("worktree", true))
                .patch(SESSIONS + "/" + session)
                .then()
                .statusCode(200);
        return session;
    }
}
