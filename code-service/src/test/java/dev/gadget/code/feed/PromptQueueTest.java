package dev.gadget.code.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.drone.SimulatedDrone;
import dev.gadget.code.http.Meanwhile;
import dev.gadget.code.session.TestSessions;
import dev.gadget.code.store.ProjectArchive;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.BlockMode;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("Prompts that wait")
class PromptQueueTest {
    private static final String TURNS = "/api/v1/turns/";

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    @Inject
    SessionArchive sessions;

    @Inject
    TurnArchive turns;

    @Inject
    ProjectArchive projects;

    private TestPeople.Person ada;
    private SessionId session;
    private SimulatedDrone drone;

    @BeforeEach
    void somebodyWithADrone() throws Exception {
        ada = people.member();
        session = TestSessions.session(ada);
        waitsWhenBusy(session);
        drone = new SimulatedDrone(mapper, ada);
    }

    @AfterEach
    void away() {
        drone.close();
    }

    private void waitsWhenBusy(SessionId id) {
        ada.request()
                .body(Map.of("whenBusy", "queue"))
                .patch("/api/v1/sessions/" + id)
                .then()
                .statusCode(200)
                .body("whenBusy", equalTo("queue"));
    }

    private String submit(SessionId to, String prompt) {
        return ada.request()
                .header("Prefer", "respond-async")
                .body(Map.of("prompt", prompt))
                .post("/api/v1/sessions/" + to + "/turns")
                .then()
                .statusCode(202)
                .body("status", equalTo("queued"))
                .extract()
                .path("turnId");
    }

    private Turn turn(String id) throws JsonProcessingException {
        return mapper.readValue(
                ada.request().get(TURNS + id).then().statusCode(200).extract().asString(), Turn.class);
    }

    private void finish(TurnStatus status) throws JsonProcessingException {
        drone.report(new WorkEntry.WorkOrderComplete(1, status, null, Usage.NONE));
    }

    @Test
    @DisplayName("begin one after the other, in their order, each with what came before")
    void inOrder() throws Exception {
        String first = submit(session, "one");
        drone.take();
        String second = submit(session, "two");
        String third = submit(session, "three");
        ada.request()
                .get("/api/v1/sessions/" + session)
                .then()
                .body("runningTurnId", equalTo(first))
                .body("turns.prompt", equalTo(List.of("one", "two", "three")));
        String latest = ada.request()
                .get("/api/v1/sessions/" + session + "?latest=2")
                .then()
                .body("turns.prompt", equalTo(List.of("two", "three")))
                .extract()
                .path("earlier");
        ada.request()
                .get("/api/v1/sessions/" + session + "/turns?cursor=" + latest)
                .then()
                .body("items.prompt", equalTo(List.of("one")))
                .body("next", nullValue());
        finish(TurnStatus.FINISHED);
        DroneCommand.OfferWorkOrder offer = drone.take();
        assertThat(offer.workOrder().turnId().value()).isEqualTo(second);
        assertThat(offer.workOrder().history()).extracting(PastTurn::prompt).containsExactly("one");
        // The end of a turn, whichever it is, is the beginning of the next.
        finish(TurnStatus.FAILED);
        assertThat(drone.take().workOrder().turnId().value()).isEqualTo(third);
        finish(TurnStatus.FINISHED);
    }

    @Test
    @DisplayName(
            "S1-62, F33: of a session whose project is gone none begins, and that is said; a new one is refused in the same words")
    void withoutAProject() throws Exception {
        submit(session, "one");
        drone.take();
        String waits = submit(session, "two");
        String project = ada.request().get("/api/v1/sessions/" + session).path("projectId");
        assertThat(projects.delete(ada.id(), new ProjectId(project))).isTrue();

        finish(TurnStatus.FINISHED);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (turn(waits).status() != TurnStatus.FAILED) {
            assertThat(System.nanoTime()).as("it still waits").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
        ada.request()
                .get(TURNS + waits)
                .then()
                .body("error.code", equalTo("conflict"))
                .body("error.message", startsWith("The project of this session was deleted; its files stay"));
        ada.request()
                .body(Map.of("prompt", "three"))
                .post("/api/v1/sessions/" + session + "/turns")
                .then()
                .statusCode(409)
                .body("code", equalTo("conflict"))
                .body("detail", startsWith("The project of this session was deleted; its files stay"));
        SessionId other = TestSessions.session(ada);
        submit(other, "four");
        assertThat(drone.take().workOrder().chatSessionId()).isEqualTo(other);
        finish(TurnStatus.FINISHED);
    }

    @Test
    @DisplayName("S1-20: wait again when the drone turns out to be busy, and begin when it is free")
    void notTaken() throws Exception {
        String first = submit(session, "one");
        var offer = drone.expect(DroneCommand.OfferWorkOrder.class);
        drone.say(new DroneEvent.WorkOrderRejected(
                offer.workOrder().workOrderId(),
                offer.attempt(),
                offer.fence(),
                new Failure(FailureCode.DRONE_BUSY, "A project is synced.")));
        DroneCommand.OfferWorkOrder again = drone.take();
        assertThat(again.workOrder().turnId().value()).isEqualTo(first);
        assertThat(again.fence()).isGreaterThan(offer.fence());
        finish(TurnStatus.FINISHED);
    }

    @Test
    @DisplayName("can be changed and taken back until they begin")
    void changedAndRemoved() throws Exception {
        String first = submit(session, "one");
        drone.take();
        String second = submit(session, "two");
        String third = submit(session, "three");
        ada.request()
                .body(Map.of("prompt", "deux"))
                .patch(TURNS + second)
                .then()
                .statusCode(200)
                .body("prompt", equalTo("deux"))
                .body("status", equalTo("queued"));
        ada.request().body(Map.of("prompt", " ")).patch(TURNS + second).then().statusCode(422);
        ada.request().delete(TURNS + third).then().statusCode(204);
        ada.request().get(TURNS + third).then().statusCode(404);
        people.member().request().delete(TURNS + second).then().statusCode(404);
        ada.request()
                .body(Map.of("prompt", "x"))
                .patch(TURNS + first)
                .then()
                .statusCode(409)
                .body("code", equalTo("turn_running"));
        finish(TurnStatus.FINISHED);
        DroneCommand.OfferWorkOrder offer = drone.take();
        assertThat(offer.workOrder().prompt()).isEqualTo("deux");
        ada.request().delete(TURNS + second).then().statusCode(409).body("code", equalTo("turn_running"));
        ada.request().delete(TURNS + first).then().statusCode(409).body("code", equalTo("turn_ended"));
        finish(TurnStatus.FINISHED);
        ada.request().get("/api/v1/sessions/" + session).then().body("turns.prompt", equalTo(List.of("one", "deux")));
    }

    private ValidatableResponse submitAgain(String prompt) {
        return ada.request()
                .header("Prefer", "respond-async")
                .header("Idempotency-Key", "k1")
                .body(Map.of("prompt", prompt))
                .post("/api/v1/sessions/" + session + "/turns")
                .then();
    }

    @Test
    @DisplayName(
            "keep the words that they were submitted with for their Idempotency-Key, whatever they were given since")
    void changedAndSubmittedAgain() throws Exception {
        submit(session, "one");
        drone.take();
        String second = submitAgain("two").statusCode(202).extract().path("turnId");
        for (String words : List.of("deux", "zwei")) {
            ada.request()
                    .body(Map.of("prompt", words))
                    .patch(TURNS + second)
                    .then()
                    .statusCode(200);
        }

        submitAgain("two").statusCode(202).body("turnId", equalTo(second));
        submitAgain("zwei").statusCode(422).body("field", equalTo("Idempotency-Key"));

        finish(TurnStatus.FINISHED);
        assertThat(drone.take().workOrder().prompt()).isEqualTo("zwei");
        finish(TurnStatus.FINISHED);
        submitAgain("two").statusCode(202).body("turnId", equalTo(second));
    }

    @Test
    @DisplayName("can be put in another order, in which they begin and are told later")
    void moved() throws Exception {
        submit(session, "one");
        drone.take();
        String second = submit(session, "two");
        submit(session, "three");
        String fourth = submit(session, "four");
        ada.request()
                .body(Map.of("before", second))
                .patch(TURNS + fourth)
                .then()
                .statusCode(200)
                .body("prompt", equalTo("four"))
                .body("status", equalTo("queued"));
        inSession("one", "four", "two", "three");
        ada.request().body("{\"before\": null}").patch(TURNS + second).then().statusCode(200);
        inSession("one", "four", "three", "two");
        ada.request()
                .body(Map.of("before", second, "prompt", "quatre"))
                .patch(TURNS + fourth)
                .then()
                .statusCode(200)
                .body("prompt", equalTo("quatre"));
        inSession("one", "three", "quatre", "two");
        for (String prompt : List.of("three", "quatre", "two")) {
            finish(TurnStatus.FINISHED);
            assertThat(drone.take().workOrder().prompt()).isEqualTo(prompt);
        }
        finish(TurnStatus.FINISHED);
        inSession("one", "three", "quatre", "two");
    }

    @Test
    @DisplayName("are moved only among those that wait in their session")
    void movedWrongly() throws Exception {
        String first = submit(session, "one");
        drone.take();
        String second = submit(session, "two");
        for (String before : List.of(first, second, "0000")) {
            ada.request()
                    .body(Map.of("before", before))
                    .patch(TURNS + second)
                    .then()
                    .statusCode(422)
                    .body("field", equalTo("before"));
        }
        ada.request()
                .body(Map.of("before", second))
                .patch(TURNS + first)
                .then()
                .statusCode(409)
                .body("code", equalTo("turn_running"));
        people.member()
                .request()
                .body(Map.of("before", first))
                .patch(TURNS + second)
                .then()
                .statusCode(404);
        finish(TurnStatus.FINISHED);
        drone.take();
        finish(TurnStatus.FINISHED);
    }

    private void inSession(String... prompts) {
        ada.request().get("/api/v1/sessions/" + session).then().body("turns.prompt", equalTo(List.of(prompts)));
    }

    @Test
    @DisplayName("go into the turn that runs when the person says so, and wait until its drone has taken them")
    void steered() throws Exception {
        String first = submit(session, "one");
        drone.take();
        String second = submit(session, "two");
        String third = submit(session, "three");
        steer(third).statusCode(202).body("status", equalTo("queued"));
        DroneCommand.SteerTurn told = drone.expect(DroneCommand.SteerTurn.class);
        assertThat(told.promptId().value()).isEqualTo(third);
        assertThat(told.prompt()).isEqualTo("three");
        inSession("one", "two", "three");
        drone.report(
                new WorkEntry.RoundStarted(1, 1),
                new WorkEntry.Response(2, null, "so"),
                new WorkEntry.Prompted(3, new TurnId(third), "three"),
                new WorkEntry.RoundStarted(4, 2),
                // Nobody said so, and of the other nobody said that it is to go there.
                new WorkEntry.Prompted(5, TurnId.random(), "Delete it all."),
                new WorkEntry.Prompted(6, new TurnId(second), "two"),
                new WorkEntry.Response(7, null, "well"));
        gone(third);
        inSession("one", "two");
        assertThat(turn(first).blocks())
                .extracting(Block::mode)
                .containsExactly(BlockMode.RESPONDING, BlockMode.PROMPT, BlockMode.RESPONDING);
        // Said again, as after a cut, it changes nothing.
        drone.report(new WorkEntry.Prompted(3, new TurnId(third), "three"));
        drone.report(new WorkEntry.WorkOrderComplete(8, TurnStatus.FINISHED, null, Usage.NONE));
        DroneCommand.OfferWorkOrder next = drone.take();
        assertThat(next.workOrder().turnId().value()).isEqualTo(second);
        assertThat(next.workOrder().history().getFirst().blocks())
                .extracting(Block::mode)
                .containsExactly(BlockMode.RESPONDING, BlockMode.PROMPT, BlockMode.RESPONDING);
        finish(TurnStatus.FINISHED);
        inSession("one", "two");
    }

    @Test
    @DisplayName("that were sent into a turn, which ended before it took them, begin as they would have")
    void steeredTooLate() throws Exception {
        submit(session, "one");
        drone.take();
        String second = submit(session, "two");
        steer(second).statusCode(202);
        drone.expect(DroneCommand.SteerTurn.class);
        finish(TurnStatus.FINISHED);
        assertThat(drone.take().workOrder().turnId().value()).isEqualTo(second);
        steer(second).statusCode(409).body("code", equalTo("turn_running"));
        finish(TurnStatus.FINISHED);
    }

    @Test
    @DisplayName("on their way into a turn go there with other words, or not at all, when the person changes them")
    void steeredAndChanged() throws Exception {
        String first = submit(session, "one");
        drone.take();
        String second = submit(session, "two");
        steer(second).statusCode(202);
        drone.expect(DroneCommand.SteerTurn.class);
        ada.request()
                .body(Map.of("prompt", "deux"))
                .patch(TURNS + second)
                .then()
                .statusCode(200);
        assertThat(drone.expect(DroneCommand.SteerTurn.class).prompt()).isEqualTo("deux");
        // Too late: the words that were taken are in the turn, the new ones go on waiting.
        drone.report(new WorkEntry.Prompted(1, new TurnId(second), "two"), new WorkEntry.RoundStarted(2, 1));
        while (turn(first).blocks().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        inSession("one", "deux");
        ada.request().delete(TURNS + second).then().statusCode(204);
        assertThat(drone.expect(DroneCommand.SteerTurn.class).prompt()).isNull();
    }

    @Test
    @DisplayName("are taken out of the queue of their own session only, whatever a drone says")
    void steeredElsewhere() throws Exception {
        SessionId other = TestSessions.session(ada);
        waitsWhenBusy(other);
        String first = submit(session, "one");
        drone.take();
        String waiting = submit(other, "two");
        steer(waiting).statusCode(409).body("code", equalTo("conflict"));
        people.member().request().post(TURNS + waiting + "/steer").then().statusCode(404);
        drone.report(
                new WorkEntry.Prompted(1, new TurnId(waiting), "two"),
                new WorkEntry.WorkOrderComplete(2, TurnStatus.FINISHED, null, Usage.NONE));
        assertThat(drone.take().workOrder().turnId().value()).isEqualTo(waiting);
        assertThat(turn(first).status()).isEqualTo(TurnStatus.FINISHED);
    }

    private ValidatableResponse steer(String id) {
        return ada.request().post(TURNS + id + "/steer").then();
    }

    private void gone(String id) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (ada.request().get(TURNS + id).statusCode() != 404) {
            assertThat(System.nanoTime()).as("it still waits").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    @DisplayName("can be cancelled, and stay as cancelled turns")
    void cancelled() throws Exception {
        submit(session, "one");
        drone.take();
        String second = submit(session, "two");
        String third = submit(session, "three");
        ada.request().post(TURNS + second + "/cancel").then().statusCode(202);
        assertThat(turn(second).status()).isEqualTo(TurnStatus.CANCELLED);
        finish(TurnStatus.FINISHED);
        assertThat(drone.take().workOrder().turnId().value()).isEqualTo(third);
    }

    @Test
    @DisplayName("go with their session, also when they came while it was being deleted")
    void sessionGone() throws Exception {
        submit(session, "one");
        drone.take();
        String waiting = submit(session, "two");
        assertThat(sessions.beginDelete(ada.id(), session)).isTrue();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (ada.request().get(TURNS + waiting).statusCode() != 404
                || turns.find(new TurnId(waiting)).isPresent()) {
            assertThat(System.nanoTime()).as("it is still there").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    @Test
    @DisplayName("give the lock back when they are taken back in the moment in which they begin")
    void removedWhileItBegins() throws Exception {
        SessionId other = TestSessions.session(ada);
        waitsWhenBusy(other);
        submit(session, "one");
        drone.take();
        String waiting = submit(other, "two");
        assertThat(sessions.claim(other, new TurnId(waiting))).isTrue();
        ada.request().delete(TURNS + waiting).then().statusCode(204);
        assertThat(sessions.find(ada.id(), other).orElseThrow().runningTurnId()).isNull();
    }

    @Test
    @DisplayName("wait for a drone that works for another session, too")
    void otherSession() throws Exception {
        SessionId other = TestSessions.session(ada);
        submit(session, "one");
        drone.take();
        ada.request()
                .body(Map.of("prompt", "two"))
                .post("/api/v1/sessions/" + other + "/turns")
                .then()
                .statusCode(503)
                .body("code", equalTo("drone_busy"));
        waitsWhenBusy(other);
        String waiting = submit(other, "two");
        finish(TurnStatus.FINISHED);
        assertThat(drone.take().workOrder().turnId().value()).isEqualTo(waiting);
    }

    @Test
    @DisplayName("are refused by sessions that are set so, which is what they are made with")
    void refused() throws Exception {
        SessionId strict = TestSessions.session(ada);
        submit(strict, "one");
        drone.take();
        ada.request()
                .body(Map.of("prompt", "two"))
                .post("/api/v1/sessions/" + strict + "/turns")
                .then()
                .statusCode(409)
                .body("code", equalTo("turn_running"));
    }

    @Test
    @DisplayName("of two that come at once to a session that refuses, one begins and the other is told that it runs")
    void atOnce() throws Exception {
        for (int round = 0; round < 20; round++) {
            SessionId strict = TestSessions.session(ada);
            var answers = Stream.generate(() -> Meanwhile.ask(() -> ada.request()
                            .header("Prefer", "respond-async")
                            .body(Map.of("prompt", "now"))
                            .post("/api/v1/sessions/" + strict + "/turns")))
                    .limit(2)
                    .toList();
            List<String> outcomes = new ArrayList<>();
            for (var answer : answers) {
                Response response = answer.get(60, TimeUnit.SECONDS);
                outcomes.add(response.statusCode() == 202 ? "begun" : response.path("code"));
            }
            assertThat(outcomes).containsExactlyInAnyOrder("begun", "turn_running");
            drone.take();
            finish(TurnStatus.FINISHED);
            drone.expect(DroneCommand.ReleaseWorkOrder.class);
        }
    }

    @Test
    @DisplayName("are twenty in a session at most")
    void bounded() throws Exception {
        submit(session, "one");
        drone.take();
        for (int i = 0; i < 20; i++) {
            submit(session, "more " + i);
        }
        ada.request()
                .body(Map.of("prompt", "too many"))
                .post("/api/v1/sessions/" + session + "/turns")
                .then()
                .statusCode(429)
                .body("code", equalTo("quota_reached"));
    }
}
