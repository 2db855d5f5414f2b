package dev.gadget.code.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.drone.SimulatedDrone;
import dev.gadget.code.http.Meanwhile;
import dev.gadget.code.session.TestSessions;
import dev.gadget.code.turn.ReaderCopy;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.api.SessionApi.TurnEvents;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@DisplayName("Turns over HTTP")
class TurnResourceTest {
    private static final String TURNS = "/api/v1/turns/";
    private static final Usage USAGE = new Usage(10, 20, 5, null);

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    @Inject
    OpenPolls polls;

    private TestPeople.Person ada;
    private SessionId session;

    @BeforeEach
    void somebody() {
        ada = people.member();
        session = TestSessions.session(ada);
    }

    private String turnsOfSession() {
        return "/api/v1/sessions/" + session + "/turns";
    }

    private RequestSpecification prompt() {
        return ada.request().body(Map.of("prompt", "What is this?"));
    }

    private String submitAsync() {
        return prompt().header("Prefer", "respond-async")
                .post(turnsOfSession())
                .then()
                .statusCode(202)
                .extract()
                .path("turnId");
    }

    private static WorkEntry end(long seq) {
        return new WorkEntry.WorkOrderComplete(seq, TurnStatus.FINISHED, null, USAGE);
    }

    private Turn turn(String id) throws Exception {
        return mapper.readValue(
                ada.request().get(TURNS + id).then().statusCode(200).extract().asString(), Turn.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/event-stream", "*/*"})
    @DisplayName("what fails before the first token fails with its status, whatever is accepted")
    void failsEarly(String accept) {
        prompt().accept(accept)
                .post(turnsOfSession())
                .then()
                .statusCode(503)
                .contentType("application/problem+json")
                .body("code", equalTo("no_drone"));
        ada.request()
                .accept(accept)
                .body(Map.of("prompt", " "))
                .post(turnsOfSession())
                .then()
                .statusCode(422)
                .contentType("application/problem+json")
                .body("field", equalTo("prompt"));
        prompt().accept(accept).post("/api/v1/sessions/unknown/turns").then().statusCode(404);
        ada.request().accept(accept).get(TURNS + "unknown/events").then().statusCode(404);
        prompt().auth().none().accept(accept).post(turnsOfSession()).then().statusCode(401);
    }

    private static DroneEvent.WorkOrderRejected rejected(DroneCommand.OfferWorkOrder offer, FailureCode code) {
        return new DroneEvent.WorkOrderRejected(
                offer.workOrder().workOrderId(),
                offer.attempt(),
                offer.fence(),
                new Failure(code, "The disk is full."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/event-stream"})
    @DisplayName("S2-13: what the drone refuses before it begins fails with its status, whatever is accepted")
    void refusedByTheDrone(String accept) throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            for (FailureCode code : List.of(FailureCode.JOURNAL_FAILED, FailureCode.DRONE_BUSY)) {
                var answer = Meanwhile.ask(() -> prompt().accept(accept).post(turnsOfSession()));
                drone.say(rejected(drone.expect(DroneCommand.OfferWorkOrder.class), code));
                answer.get(60, TimeUnit.SECONDS)
                        .then()
                        .statusCode(503)
                        .contentType("application/problem+json")
                        .body("code", equalTo(code == FailureCode.DRONE_BUSY ? "drone_busy" : "drone_rejected"))
                        .body("detail", containsString("The disk is full."));
            }
        }
    }

    @Test
    @DisplayName("text/event-stream: the turn as it grows, from the snapshot to the end, and then the stream ends")
    void streams() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            var request = EventStream.request(ada.token(), turnsOfSession())
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"prompt\":\"What is this?\"}"));
            // The head of the answer comes when the drone has taken the turn.
            CompletableFuture<DroneCommand.OfferWorkOrder> taken = Meanwhile.ask(() -> {
                try {
                    return drone.take();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            try (var events = new EventStream(mapper, request)) {
                assertThat(events.response().statusCode()).isEqualTo(200);
                assertThat(events.response().headers().firstValue("Content-Type"))
                        .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
                assertThat(events.response().headers().firstValue("Cache-Control"))
                        .hasValue("no-cache");
                assertThat(events.response().headers().firstValue("X-Accel-Buffering"))
                        .hasValue("no");
                assertThat(events.response().headers().firstValue("Location"))
                        .hasValueSatisfying(where -> assertThat(where).contains(TURNS));
                var copy = new ReaderCopy();
                TurnChange first = Objects.requireNonNull(events.next());
                assertThat(first).isInstanceOf(TurnChange.Snapshot.class);
                copy.apply(List.of(first));
                taken.get(60, TimeUnit.SECONDS);
                drone.report(new WorkEntry.Thinking(1, null, "Hm. "), new WorkEntry.Response(2, null, "A shop – 🛒"));
                while (copy.turn().blocks().size() < 2) {
                    copy.apply(List.of(Objects.requireNonNull(events.next())));
                }
                drone.report(end(3));
                TurnChange last = first;
                for (TurnChange next = events.next(); next != null; next = events.next()) {
                    copy.apply(List.of(next));
                    last = next;
                }
                assertThat(last).isInstanceOf(TurnChange.Done.class);
                assertThat(copy.turn()).isEqualTo(turn(copy.turn().id().value()));
                assertThat(copy.turn().blocks()).hasSize(2);
            }
        }
    }

    @Test
    @DisplayName("application/json: waits for the end and returns the finished turn")
    void waits() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            CompletableFuture<Response> answer = Meanwhile.ask(() -> prompt().post(turnsOfSession()));
            drone.take();
            drone.report(new WorkEntry.Response(1, null, "A shop."));
            assertThat(answer).isNotDone();
            drone.report(end(2));
            answer.get(60, TimeUnit.SECONDS)
                    .then()
                    .statusCode(200)
                    .body("status", equalTo("finished"))
                    .body("blocks[0].mode", equalTo("responding"))
                    .body("blocks[0].content", equalTo("A shop."))
                    .body("usage.outputTokens", equalTo(20));
        }
    }

    @Test
    @DisplayName("S2-11: application/json: answers when the turn asks for an approval, and names the turn")
    void asks() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            CompletableFuture<Response> answer = Meanwhile.ask(() -> prompt().post(turnsOfSession()));
            String id = drone.take().workOrder().turnId().value();
            drone.report(
                    new WorkEntry.ToolCalled(1, "call-1", "run_command", Map.of("command", "make")),
                    new WorkEntry.ToolAwaitsApproval(2, "call-1", "Commands are asked for.", null, null));
            answer.get(60, TimeUnit.SECONDS)
                    .then()
                    .statusCode(200)
                    .header("Location", containsString(TURNS + id))
                    .body("status", equalTo("awaiting_approval"));
            drone.report(end(3));
        }
    }

    @Test
    @DisplayName(
            "Prefer: respond-async answers at once; the same Idempotency-Key gives the same turn; a second prompt waits its turn")
    void async() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = prompt().header("Prefer", "respond-async")
                    .header("Idempotency-Key", "k1")
                    .post(turnsOfSession())
                    .then()
                    .statusCode(202)
                    .header("Preference-Applied", "respond-async")
                    .header("Location", containsString(TURNS))
                    .body("status", equalTo("queued"))
                    .extract()
                    .path("turnId");
            prompt().header("Prefer", "respond-async")
                    .header("Idempotency-Key", "k1")
                    .post(turnsOfSession())
                    .then()
                    .statusCode(202)
                    .body("turnId", equalTo(id));
            ada.request()
                    .body(Map.of("prompt", "And that?"))
                    .header("Prefer", "respond-async")
                    .header("Idempotency-Key", "k1")
                    .post(turnsOfSession())
                    .then()
                    .statusCode(422)
                    .body("field", equalTo("Idempotency-Key"))
                    .body("detail", containsString("Another prompt was submitted"))
                    .body("detail", containsString(id));
            prompt().post(turnsOfSession()).then().statusCode(409).body("code", equalTo("turn_running"));
            prompt().header("Idempotency-Key", "k".repeat(201))
                    .post(turnsOfSession())
                    .then()
                    .statusCode(422);
            drone.take();
            drone.report(end(1));
        }
    }

    @Test
    @DisplayName("a token that is taken back ends the stream, the poll and the wait that it began; the turn goes on")
    void revoked() throws Exception {
        JsonPath made = ada.request()
                .body(Map.of("name", "other"))
                .post("/api/v1/tokens")
                .then()
                .statusCode(201)
                .extract()
                .jsonPath();
        var other = new TestPeople.Person(ada.id(), ada.email(), made.getString("token"));
        try (var drone = new SimulatedDrone(mapper, ada)) {
            var waits = Meanwhile.ask(() ->
                    other.request().body(Map.of("prompt", "What is this?")).post(turnsOfSession()));
            String id = drone.take().workOrder().turnId().value();
            drone.report(new WorkEntry.Response(1, null, "A "));
            try (var events = new EventStream(mapper, EventStream.request(other.token(), TURNS + id + "/events"))) {
                var copy = new ReaderCopy();
                do {
                    copy.apply(List.of(Objects.requireNonNull(events.next())));
                } while (copy.turn().blocks().isEmpty());
                String cursor = poll(id, null, 0).cursor().toString();
                var polled = Meanwhile.ask(() -> other.request()
                        .queryParam("cursor", cursor)
                        .queryParam("wait", 55)
                        .get(TURNS + id + "/events"));
                long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
                while (polls.inUse().readers() == 0) {
                    assertThat(System.nanoTime()).as("it waits").isLessThan(until);
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                }

                ada.request()
                        .delete("/api/v1/tokens/" + made.getString("id"))
                        .then()
                        .statusCode(204);

                for (var refused : List.of(waits, polled)) {
                    refused.get(60, TimeUnit.SECONDS)
                            .then()
                            .statusCode(401)
                            .contentType("application/problem+json")
                            .body("code", equalTo("unauthenticated"));
                }
                drone.report(new WorkEntry.Response(2, null, "shop."));
                for (TurnChange rest = events.next(); rest != null; rest = events.next()) {
                    assertThat(rest).isNotInstanceOf(TurnChange.TextDelta.class);
                }
            }
            drone.report(end(3));
            TurnEvents next = poll(id, null, 0);
            while (!next.status().ended()) {
                next = poll(id, next.cursor().toString(), 55);
            }
            assertThat(next.status()).isEqualTo(TurnStatus.FINISHED);
        }
    }

    @Test
    @DisplayName("polling: everything that is missing at once, and with wait as soon as something is")
    void polls() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submitAsync();
            drone.take();
            var copy = new ReaderCopy();
            TurnEvents events = poll(id, null, 55);
            copy.apply(events.events());
            CompletableFuture<TurnEvents> waiting = new CompletableFuture<>();
            String cursor = events.cursor().toString();
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    TurnEvents next = poll(id, cursor, 55);
                    while (next.events().stream().noneMatch(TurnChange.TextDelta.class::isInstance)) {
                        copy.apply(next.events());
                        next = poll(id, next.cursor().toString(), 55);
                    }
                    waiting.complete(next);
                } catch (Exception | AssertionError e) {
                    waiting.completeExceptionally(e);
                }
            });
            drone.report(new WorkEntry.Response(1, null, "A shop."));
            TurnEvents text = waiting.get(60, TimeUnit.SECONDS);
            copy.apply(text.events());
            TurnEvents nothing = poll(id, text.cursor().toString(), 0);
            assertThat(nothing.events()).isEmpty();
            assertThat(nothing.cursor()).isEqualTo(text.cursor());
            drone.report(end(2));
            TurnEvents next = text;
            while (!next.status().ended()) {
                next = poll(id, next.cursor().toString(), 55);
                copy.apply(next.events());
            }
            assertThat(copy.turn()).isEqualTo(turn(id));
            assertThat(poll(id, next.cursor().toString(), 55).events()).isEmpty();
        }
    }

    private TurnEvents poll(String id, @Nullable String cursor, int wait) throws Exception {
        RequestSpecification request = ada.request().accept("*/*").queryParam("wait", wait);
        String body = (cursor == null ? request : request.queryParam("cursor", cursor))
                .get(TURNS + id + "/events")
                .then()
                .statusCode(200)
                .contentType("application/json")
                .extract()
                .asString();
        return mapper.readValue(body, TurnEvents.class);
    }

    @Test
    @DisplayName("what is no cursor, no wait and no id of yours is refused by name")
    void refusals() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submitAsync();
            String events = TURNS + id + "/events";
            ada.request().get(events + "?cursor=x").then().statusCode(422).body("field", equalTo("cursor"));
            for (String wait : List.of("56", "-1", "abc", "99999999999")) {
                ada.request()
                        .queryParam("wait", wait)
                        .get(events)
                        .then()
                        .statusCode(422)
                        .body("field", equalTo("wait"))
                        .body("detail", equalTo("wait has to be a number from 0 to 55."));
            }
            ada.request()
                    .accept("text/event-stream")
                    .header("Last-Event-ID", "x")
                    .get(events)
                    .then()
                    .statusCode(422)
                    .body("field", equalTo("Last-Event-ID"));
            TestPeople.Person eve = people.member();
            for (String path : List.of("", "/events")) {
                eve.request().get(TURNS + id + path).then().statusCode(404);
            }
            eve.request().accept("text/event-stream").get(events).then().statusCode(404);
            eve.request().post(TURNS + id + "/cancel").then().statusCode(404);
            drone.take();
            drone.report(end(1));
        }
    }

    @Test
    @DisplayName("a cancel reaches the drone, and what it says last still counts; a second one changes nothing")
    void cancels() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submitAsync();
            drone.take();
            long cancelled = System.nanoTime();
            ada.request().post(TURNS + id + "/cancel").then().statusCode(202).body("id", equalTo(id));
            drone.expect(DroneCommand.CancelWorkOrder.class);
            drone.report(
                    new WorkEntry.Response(1, null, "So far"),
                    new WorkEntry.WorkOrderComplete(2, TurnStatus.CANCELLED, null, USAGE));
            TurnEvents events = poll(id, null, 55);
            while (!events.status().ended()) {
                events = poll(id, events.cursor().toString(), 55);
            }
            boolean inTime = System.nanoTime() - cancelled < TimeUnit.MILLISECONDS.toNanos(1500);
            ada.request().post(TURNS + id + "/cancel").then().statusCode(202).body("status", equalTo("cancelled"));
            // The service waits 1.7 s for what a drone says last, and ends the turn without it then.
            if (inTime) {
                assertThat(turn(id).blocks()).hasSize(1);
            }
        }
    }

    @Test
    @DisplayName("one call that runs is stopped, and the turn goes on; of one that is over nothing changes")
    void stopsACall() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submitAsync();
            drone.take();
            String stop = "/api/v1/turns/" + id + "/calls/c1/stop";
            drone.report(new WorkEntry.ToolCalled(1, "c1", "run_command", Map.of("command", "sleep 600")));
            awaitCall(id, "queued");
            ada.request().post(stop).then().statusCode(409).body("code", equalTo("conflict"));
            ada.request().post("/api/v1/turns/" + id + "/calls/c9/stop").then().statusCode(404);
            people.member().request().post(stop).then().statusCode(404);

            drone.report(new WorkEntry.ToolStarted(2, "c1", null));
            awaitCall(id, "running");
            ada.request().post(stop).then().statusCode(202).body("status", equalTo("processing"));
            assertThat(drone.expect(DroneCommand.StopCall.class).callId()).isEqualTo("c1");

            drone.report(new WorkEntry.ToolEnded(3, "c1", ToolCallState.FAILED, "Stopped by the person.", null));
            awaitCall(id, "failed");
            ada.request().post(stop).then().statusCode(202);
            ada.request().post("/api/v1/turns/" + id + "/cancel").then().statusCode(202);
            drone.expect(DroneCommand.CancelWorkOrder.class);
        }
    }

    private void awaitCall(String id, String state) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!state.equals(
                ada.request().get("/api/v1/turns/" + id).path("blocks.find { it.mode == 'tool' }?.content?.state"))) {
            assertThat(System.nanoTime()).as("the call is %s in time", state).isLessThan(end);
            Thread.sleep(20);
        }
    }

    @Test
    @DisplayName("a decision goes to the call that waits, and only once")
    void decides() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submitAsync();
            drone.take();
            drone.report(
                    new WorkEntry.ToolCalled(1, "c1", "edit_file", Map.of("path", "a")),
                    new WorkEntry.ToolAwaitsApproval(2, "c1", "It writes a.", null, null));
            TurnEvents events = poll(id, null, 55);
            while (events.status() != TurnStatus.AWAITING_APPROVAL) {
                events = poll(id, events.cursor().toString(), 55);
            }
            Map<String, String> decision = Map.of("decision", "deny", "reason", "Not a.");
            ada.request()
                    .body(decision)
                    .post(TURNS + id + "/approvals/c2")
                    .then()
                    .statusCode(409);
            ada.request()
                    .body(decision)
                    .post(TURNS + id + "/approvals/c1")
                    .then()
                    .statusCode(202);
            assertThat(drone.expect(DroneCommand.DecideApproval.class).reason()).isEqualTo("Not a.");
            drone.report(end(3));
        }
    }

    private String asked(SimulatedDrone drone) throws Exception {
        String id = submitAsync();
        drone.take();
        drone.report(
                new WorkEntry.ToolCalled(1, "c1", "edit_file", Map.of("path", "a")),
                new WorkEntry.ToolAwaitsApproval(2, "c1", "It writes a.", null, "abc"));
        TurnEvents events = poll(id, null, 55);
        while (events.status() != TurnStatus.AWAITING_APPROVAL) {
            events = poll(id, events.cursor().toString(), 55);
        }
        return id;
    }

    @Test
    @DisplayName(
            "S2-08, S2-12: a decision with Accept text/event-stream is followed by the turn from the reader's cursor on")
    void decidesAndStreams() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = asked(drone);
            var copy = new ReaderCopy();
            TurnEvents seen = poll(id, null, 0);
            copy.apply(seen.events());
            String approval = TURNS + id + "/approvals/c1";
            ada.request()
                    .accept("text/event-stream")
                    .body(Map.of("decision", "approve", "shown", "abd"))
                    .post(approval)
                    .then()
                    .statusCode(409)
                    .contentType("application/problem+json")
                    .body("code", equalTo("changed_meanwhile"));
            var request = EventStream.request(ada.token(), approval)
                    .header("Content-Type", "application/json")
                    .header("Last-Event-ID", seen.cursor().toString())
                    .POST(HttpRequest.BodyPublishers.ofString("{\"decision\":\"approve\"}"));
            try (var events = new EventStream(mapper, request)) {
                assertThat(events.response().statusCode()).isEqualTo(200);
                assertThat(drone.expect(DroneCommand.DecideApproval.class).shown())
                        .isEqualTo("abc");
                drone.report(
                        new WorkEntry.ToolStarted(3, "c1", null),
                        new WorkEntry.ToolEnded(4, "c1", ToolCallState.DONE, "written"),
                        end(5));
                TurnChange last = null;
                for (TurnChange next = events.next(); next != null; next = events.next()) {
                    assertThat(next).as("it has the beginning").isNotInstanceOf(TurnChange.Snapshot.class);
                    copy.apply(List.of(next));
                    last = next;
                }
                assertThat(last).isInstanceOf(TurnChange.Done.class);
                assertThat(copy.turn()).isEqualTo(turn(id));
            }
        }
    }

    @Test
    @DisplayName(
            "S2-12: a decision with Prefer wait is answered by the turn's end or its next question, and with the turn as it stands when the time is over")
    void decidesAndWaits() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = asked(drone);
            Map<String, String> approve = Map.of("decision", "approve");
            ada.request()
                    .body(approve)
                    .header("Prefer", "wait=0")
                    .post(TURNS + id + "/approvals/c1")
                    .then()
                    .statusCode(200)
                    .header("Preference-Applied", "wait=0")
                    .body("status", equalTo("awaiting_approval"));
            var waits = Meanwhile.ask(() -> ada.request()
                    .config(Meanwhile.PATIENT)
                    .body(approve)
                    .header("Prefer", "wait=120")
                    .post(TURNS + id + "/approvals/c1"));
            drone.expect(DroneCommand.DecideApproval.class);
            drone.expect(DroneCommand.DecideApproval.class);
            drone.report(
                    new WorkEntry.ToolStarted(3, "c1", null),
                    new WorkEntry.ToolEnded(4, "c1", ToolCallState.DONE, "written"),
                    new WorkEntry.ToolCalled(5, "c2", "edit_file", Map.of("path", "b")),
                    new WorkEntry.ToolAwaitsApproval(6, "c2", "It writes b.", null, "def"));
            waits.get(60, TimeUnit.SECONDS)
                    .then()
                    .statusCode(200)
                    .body("status", equalTo("awaiting_approval"))
                    .body("blocks[0].content.state", equalTo("done"))
                    .body("blocks[1].content.approval.shown", equalTo("def"));
            drone.report(end(7));
        }
    }

    @Test
    @DisplayName("A18: an approval for all that was proposed becomes rules of the session; nothing else does")
    void patterns() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submitAsync();
            drone.take();
            drone.report(
                    new WorkEntry.ToolCalled(1, "c1", "run_command", Map.of("command", "git diff | head")),
                    new WorkEntry.ToolAwaitsApproval(
                            2, "c1", "It runs.", null, "abc", List.of("git diff *", "head *")));
            TurnEvents events = poll(id, null, 55);
            while (events.status() != TurnStatus.AWAITING_APPROVAL) {
                events = poll(id, events.cursor().toString(), 55);
            }
            String approval = TURNS + id + "/approvals/c1";
            for (Map<String, Object> wrong : List.<Map<String, Object>>of(
                    Map.of("decision", "approve_for_session", "shown", "abc", "patterns", List.of("git *")),
                    Map.of("decision", "approve_for_session", "shown", "abc", "patterns", List.of()),
                    Map.of("decision", "approve_for_session", "patterns", List.of("git diff *", "head *")),
                    Map.of("decision", "approve", "shown", "abc", "patterns", List.of("git diff *", "head *")))) {
                ada.request().body(wrong).post(approval).then().statusCode(422).body("code", equalTo("invalid_field"));
            }
            ada.request().get("/api/v1/sessions/" + session).then().body("rules.size()", equalTo(0));

            ada.request()
                    .body(Map.of(
                            "decision",
                            "approve_for_session",
                            "shown",
                            "abc",
                            "patterns",
                            List.of("git diff *", "head *")))
                    .post(approval)
                    .then()
                    .statusCode(202);
            assertThat(drone.expect(DroneCommand.DecideApproval.class).patterns())
                    .containsExactly("git diff *", "head *");
            ada.request()
                    .get("/api/v1/sessions/" + session)
                    .then()
                    .body("rules.command", equalTo(List.of("git diff *", "head *")))
                    .body("rules.action", equalTo(List.of("allow", "allow")));
            drone.report(end(3));
        }
    }

    @Test
    @DisplayName(
            "text/event-stream: who has all of a turn that is over gets 204, which ends the reconnects of a browser")
    void nothingFollows() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submitAsync();
            drone.take();
            drone.report(new WorkEntry.Response(1, null, "A shop."));
            String path = TURNS + id + "/events";
            String last;
            try (var events = new EventStream(mapper, EventStream.request(ada.token(), path))) {
                TurnChange next = events.next();
                drone.report(end(2));
                while (next != null) {
                    next = events.next();
                }
                last = Objects.requireNonNull(events.lastId);
            }
            var again = EventStream.request(ada.token(), path).header("Last-Event-ID", last);
            try (var events = new EventStream(mapper, again)) {
                assertThat(events.response().statusCode()).isEqualTo(204);
            }
            try (var events = new EventStream(mapper, EventStream.request(ada.token(), path))) {
                assertThat(events.next()).isInstanceOf(TurnChange.Snapshot.class);
                assertThat(events.next()).isInstanceOf(TurnChange.Done.class);
                assertThat(events.next()).isNull();
            }
        }
    }

    @Test
    @DisplayName("a stream and a wait for a turn whose session is deleted come to an end")
    void deleted() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submitAsync();
            drone.take();
            try (var events = new EventStream(mapper, EventStream.request(ada.token(), TURNS + id + "/events"))) {
                assertThat(events.next()).isInstanceOf(TurnChange.Snapshot.class);
                ada.request().delete("/api/v1/sessions/" + session).then().statusCode(204);
                List<TurnChange> rest = new ArrayList<>();
                for (TurnChange next = events.next(); next != null; next = events.next()) {
                    rest.add(next);
                }
                assertThat(rest).noneMatch(TurnChange.Done.class::isInstance);
            }
            ada.request().get(TURNS + id + "/events").then().statusCode(404);
        }
    }

    @Test
    @DisplayName(
            "S4, G-08, G-09: however a stream is cut, delayed and resumed by its last event, the reader has the document")
    void cutAndResumed() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submitAsync();
            drone.take();
            List<CompletableFuture<Turn>> readers = new ArrayList<>();
            for (int seed = 0; seed < 12; seed++) {
                readers.add(reader(id, new Random(seed)));
            }
            var random = new Random(99);
            long seq = 0;
            for (int round = 1; round <= 40; round++) {
                String call = "c" + round;
                drone.report(new WorkEntry.RoundStarted(++seq, round), new WorkEntry.Thinking(++seq, null, "t" + seq));
                for (int i = random.nextInt(8); i >= 0; i--) {
                    drone.report(new WorkEntry.Response(++seq, null, "ä🛒 " + seq));
                }
                drone.report(
                        new WorkEntry.ToolCalled(++seq, call, "run", Map.of("command", "ls")),
                        new WorkEntry.ToolStarted(++seq, call, null),
                        new WorkEntry.ToolOutput(++seq, call, "out" + seq + "\n"),
                        new WorkEntry.ToolEnded(++seq, call, ToolCallState.DONE, "result"));
            }
            drone.report(end(++seq));
            for (CompletableFuture<Turn> reader : readers) {
                assertThat(reader.get(60, TimeUnit.SECONDS)).isEqualTo(turn(id));
            }
            assertThat(turn(id).blocks()).hasSize(120);
        }
    }

    private CompletableFuture<Turn> reader(String id, Random random) {
        var result = new CompletableFuture<Turn>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                var copy = new ReaderCopy();
                String last = null;
                boolean ended = false;
                for (int connections = 1; !ended; connections++) {
                    var request = EventStream.request(ada.token(), TURNS + id + "/events");
                    if (last != null) {
                        request.header("Last-Event-ID", last);
                    }
                    try (var events = new EventStream(mapper, request)) {
                        // Cut after so many events, which may be in the middle of an update; a patient reader comes
                        // through.
                        int reads = 1 + random.nextInt(20 * connections);
                        for (int i = 0; i < reads && !ended; i++) {
                            TurnChange next = events.next();
                            ended = next == null || next instanceof TurnChange.Done;
                            if (next != null) {
                                copy.apply(List.of(next));
                            }
                            last = events.lastId == null ? last : events.lastId;
                        }
                    }
                }
                result.complete(copy.turn());
            } catch (Exception | AssertionError e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    @Test
    @DisplayName("the contract describes the doors")
    void openApi() {
        JsonPath contract = RestAssured.given()
                .queryParam("format", "json")
                .get("/q/openapi")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
        String json = "application/json";
        String stream = "text/event-stream";
        assertThat(body(contract, "/api/v1/sessions/{id}/turns", "post", 200, json))
                .endsWith("/Turn");
        assertThat(body(contract, "/api/v1/sessions/{id}/turns", "post", 200, stream))
                .endsWith("/TurnChange");
        assertThat(body(contract, "/api/v1/sessions/{id}/turns", "post", 202, json))
                .endsWith("/TurnAccepted");
        assertThat(body(contract, TURNS + "{id}/events", "get", 200, json)).endsWith("/TurnEvents");
        assertThat(body(contract, TURNS + "{id}/events", "get", 200, stream)).endsWith("/TurnChange");
        assertThat(body(contract, TURNS + "{id}/cancel", "post", 202, json)).endsWith("/Turn");
        assertThat(body(contract, TURNS + "{id}/steer", "post", 202, json)).endsWith("/Turn");
        assertThat(body(contract, TURNS + "{id}/approvals/{callId}", "post", 202, json))
                .endsWith("/Turn");
        assertThat(body(contract, TURNS + "{id}/approvals/{callId}", "post", 200, stream))
                .endsWith("/TurnChange");
        assertThat(body(contract, "/api/v1/sessions", "post", 201, json)).endsWith("/SessionView");
        assertThat(body(contract, "/api/v1/sessions/{id}/branches", "post", 201, json))
                .endsWith("/SessionView");
    }

    /** The schema of this answer, as the contract refers to it. */
    private static String body(JsonPath contract, String path, String method, int status, String type) {
        String at = "paths.'" + path + "'." + method + ".responses.'" + status + "'.content.'" + type + "'.schema.$ref";
        return Objects.requireNonNull(contract.getString(at.replace("$ref", "'$ref'")), at);
    }
}
