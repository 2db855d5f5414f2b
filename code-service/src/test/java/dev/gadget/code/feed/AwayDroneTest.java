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
import dev.gadget.model.api.SessionApi.TurnEvents;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.RecoveryAction;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("Turns over HTTP whose drone is away")
class AwayDroneTest {
    private static final String TURNS = "/api/v1/turns/";

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    @Inject
    OpenPolls polls;

    private TestPeople.Person ada;
    private String turnsOfSession;

    @BeforeEach
    void somebody() {
        ada = people.member();
        turnsOfSession = "/api/v1/sessions/" + TestSessions.session(ada) + "/turns";
    }

    private CompletableFuture<Response> submit() {
        return Meanwhile.ask(() -> ada.request()
                .config(Meanwhile.PATIENT)
                .body(Map.of("prompt", "What is this?"))
                .post(turnsOfSession));
    }

    private EventStream events(String id) throws Exception {
        return new EventStream(mapper, EventStream.request(ada.token(), TURNS + id + "/events"));
    }

    private static TurnChange.StatusChanged status(EventStream events, ReaderCopy copy) throws Exception {
        for (; ; ) {
            TurnChange next = Objects.requireNonNull(events.next(), "the stream ended");
            copy.apply(List.of(next));
            if (next instanceof TurnChange.StatusChanged status && status.status() != TurnStatus.PROCESSING) {
                return status;
            }
        }
    }

    private RequestSpecification asking(String cursor, int wait) {
        return ada.request().queryParam("cursor", cursor).queryParam("wait", wait);
    }

    private TurnEvents poll(String id, String cursor, int wait) throws Exception {
        return taken(asking(cursor, wait).get(TURNS + id + "/events"));
    }

    private TurnEvents taken(Response answer) throws Exception {
        return mapper.readValue(answer.then().statusCode(200).extract().asString(), TurnEvents.class);
    }

    private static void eventually(String what, BooleanSupplier holds) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(until);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @Test
    @DisplayName(
            "S2-14, S4-02: a line that is cut for some seconds ends no stream, no wait and no poll: all go on with the turn")
    void comesBack() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            CompletableFuture<Response> waits = submit();
            var offer = drone.take();
            String id = offer.workOrder().turnId().value();
            drone.report(new WorkEntry.Response(1, null, "A "));
            try (var events = events(id)) {
                var copy = new ReaderCopy();
                drone.cut();
                assertThat(status(events, copy))
                        .satisfies(away -> assertThat(away.status()).isEqualTo(TurnStatus.INTERRUPTED))
                        .satisfies(away -> assertThat(away.error()).isNotNull());
                TurnEvents seen = poll(id, "", 0);
                var polled = new ReaderCopy();
                polled.apply(seen.events());
                assertThat(seen.status()).isEqualTo(TurnStatus.INTERRUPTED);
                assertThat(polled.turn()).isEqualTo(copy.turn());
                var news =
                        Meanwhile.ask(() -> asking(seen.cursor().toString(), 55).get(TURNS + id + "/events"));
                eventually("the poll waits", () -> polls.inUse().readers() > 0);
                assertThat(waits).isNotDone();

                drone.comeBack(DroneStatus.BUSY, drone.held(offer, 3, true, false));
                drone.report(
                        new WorkEntry.Response(1, null, "A "),
                        new WorkEntry.Response(2, null, "shop"),
                        new WorkEntry.WorkOrderComplete(3, TurnStatus.FINISHED, null, Usage.NONE));

                Turn whole = waits.get(60, TimeUnit.SECONDS)
                        .then()
                        .statusCode(200)
                        .body("status", equalTo("finished"))
                        .body("blocks[0].content", equalTo("A shop"))
                        .extract()
                        .as(Turn.class);
                TurnChange last = null;
                for (TurnChange next = events.next(); next != null; next = events.next()) {
                    copy.apply(List.of(next));
                    last = next;
                }
                assertThat(last).isInstanceOf(TurnChange.Done.class);
                assertThat(copy.turn().blocks()).isEqualTo(whole.blocks());
                TurnEvents back = taken(news.get(60, TimeUnit.SECONDS));
                assertThat(back.events()).isNotEmpty();
                polled.apply(back.events());
                while (!back.status().ended()) {
                    back = poll(id, back.cursor().toString(), 55);
                    polled.apply(back.events());
                }
                assertThat(polled.turn()).isEqualTo(copy.turn());
            }
        }
    }

    private Turn awaiting(String id, TurnStatus status) {
        Turn[] turn = new Turn[1];
        eventually("it is " + status, () -> {
            turn[0] = ada.request().get(TURNS + id).as(Turn.class);
            return turn[0].status() == status;
        });
        return turn[0];
    }

    private Response decide(String id, Map<String, Object> decision) {
        return ada.request().body(decision).post(TURNS + id + "/approvals/c1");
    }

    private static WorkEntry asks(long seq, String shown) {
        return new WorkEntry.ToolAwaitsApproval(seq, "c1", "It runs.", null, shown, List.of("make *"));
    }

    /** Begins a turn whose call waits for a person, and returns the order of it. */
    private DroneCommand.OfferWorkOrder asked(SimulatedDrone drone) throws Exception {
        ada.request()
                .header("Prefer", "respond-async")
                .body(Map.of("prompt", "Make it."))
                .post(turnsOfSession)
                .then()
                .statusCode(202);
        var offer = drone.take();
        drone.report(new WorkEntry.ToolCalled(1, "c1", "run_command", Map.of("command", "make all")), asks(2, "abc"));
        awaiting(offer.workOrder().turnId().value(), TurnStatus.AWAITING_APPROVAL);
        return offer;
    }

    @Test
    @DisplayName(
            "S3: what a person decides while the drone is away is told when it is back, with its rules; another decision is refused")
    void decidedMeanwhile() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            var offer = asked(drone);
            String id = offer.workOrder().turnId().value();
            drone.cut();
            awaiting(id, TurnStatus.INTERRUPTED);
            Map<String, Object> decision =
                    Map.of("decision", "approve_for_session", "shown", "abc", "patterns", List.of("make *"));
            decide(id, Map.of("decision", "approve", "shown", "abd")).then().statusCode(409);
            decide(id, decision).then().statusCode(202).body("status", equalTo("interrupted"));
            decide(id, decision)
                    .then()
                    .statusCode(202)
                    .body("blocks[0].content.approval.decided", equalTo("approve_for_session"));
            decide(id, Map.of("decision", "deny"))
                    .then()
                    .statusCode(409)
                    .body("code", equalTo("conflict"))
                    .body("detail", containsString("decided on already"));

            drone.comeBack(DroneStatus.BUSY, drone.held(offer, 2, true, false));
            drone.expect(DroneCommand.ResendWork.class);
            DroneCommand.DecideApproval told = drone.expect(DroneCommand.DecideApproval.class);
            assertThat(told.decision()).isEqualTo(ApprovalDecision.APPROVE_FOR_SESSION);
            assertThat(told.shown()).isEqualTo("abc");
            assertThat(told.patterns()).containsExactly("make *");
            drone.report(
                    new WorkEntry.ToolStarted(3, "c1", null),
                    new WorkEntry.ToolEnded(4, "c1", ToolCallState.DONE, "made"),
                    new WorkEntry.WorkOrderComplete(5, TurnStatus.FINISHED, null, Usage.NONE));
            assertThat(awaiting(id, TurnStatus.FINISHED).toolCalls())
                    .singleElement()
                    .satisfies(call -> assertThat(call.approval()).isNull());
        }
    }

    @Test
    @DisplayName(
            "S3: a decision that a cut line swallowed is told again, and a drone that was started again gets it when it asks the same")
    void saidIntoACutLine() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            var offer = asked(drone);
            String id = offer.workOrder().turnId().value();
            decide(id, Map.of("decision", "deny", "reason", "Not now.")).then().statusCode(202);
            drone.cut();
            drone.comeBack(DroneStatus.BUSY, drone.held(offer, 2, true, false));
            drone.expect(DroneCommand.ResendWork.class);
            DroneCommand.DecideApproval told = drone.expect(DroneCommand.DecideApproval.class);
            assertThat(told.reason()).isEqualTo("Not now.");
            assertThat(told.shown()).isEqualTo("abc");

            drone.cut();
            var held = drone.held(offer, 2, false, false);
            drone.comeBack(DroneStatus.STARTING, held);
            drone.say(new DroneEvent.CrashRecoveryRequested(held));
            var recovery = drone.expect(DroneCommand.RecoverWorkOrder.class);
            assertThat(recovery.action()).isEqualTo(RecoveryAction.RETRY);
            drone.under(recovery);
            drone.report(asks(3, "abc"));
            assertThat(drone.expect(DroneCommand.DecideApproval.class).reason()).isEqualTo("Not now.");
            drone.report(
                    new WorkEntry.ToolEnded(4, "c1", ToolCallState.DENIED, "no"),
                    new WorkEntry.WorkOrderComplete(5, TurnStatus.FINISHED, null, Usage.NONE));
            awaiting(id, TurnStatus.FINISHED);
        }
    }

    @Test
    @DisplayName(
            "a call that runs is not stopped while the drone is away, and that is said; it is when the drone is back")
    void stopsNothingMeanwhile() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            var offer = asked(drone);
            String id = offer.workOrder().turnId().value();
            String stop = TURNS + id + "/calls/c1/stop";
            drone.report(new WorkEntry.ToolStarted(3, "c1", null));
            eventually(
                    "the call runs",
                    () -> "running".equals(ada.request().get(TURNS + id).path("blocks[0].content.state")));
            drone.cut();
            awaiting(id, TurnStatus.INTERRUPTED);
            ada.request()
                    .post(stop)
                    .then()
                    .statusCode(503)
                    .body("code", equalTo("drone_lost"))
                    .body("detail", containsString("Stop the call when it is back"));

            drone.comeBack(DroneStatus.BUSY, drone.held(offer, 3, true, false));
            drone.expect(DroneCommand.ResendWork.class);
            drone.report(new WorkEntry.ToolOutput(4, "c1", "more"));
            awaiting(id, TurnStatus.PROCESSING);
            ada.request().post(stop).then().statusCode(202);
            assertThat(drone.expect(DroneCommand.StopCall.class).callId()).isEqualTo("c1");
        }
    }

    @Test
    @DisplayName(
            "S2-14: who waits for the end of a turn whose drone does not return is answered with the turn as it stands; a stream waits on")
    void staysAway() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            CompletableFuture<Response> waits = submit();
            String id = drone.take().workOrder().turnId().value();
            drone.report(new WorkEntry.Response(1, null, "A "));
            eventually(
                    "it was heard",
                    () -> "A ".equals(ada.request().get(TURNS + id).path("blocks[0].content")));
            try (var events = events(id)) {
                var copy = new ReaderCopy();
                drone.cut();
                assertThat(status(events, copy).status()).isEqualTo(TurnStatus.INTERRUPTED);

                waits.get(120, TimeUnit.SECONDS)
                        .then()
                        .statusCode(200)
                        .header("Location", containsString(TURNS + id))
                        .body("status", equalTo("interrupted"))
                        .body("error.code", equalTo("drone_lost"))
                        .body("blocks[0].content", equalTo("A "));
                TurnEvents seen = poll(id, "", 0);
                assertThat(poll(id, seen.cursor().toString(), 1).events()).isEmpty();
                ada.request().post(TURNS + id + "/cancel").then().statusCode(202);
                TurnChange end = Objects.requireNonNull(events.next());
                while (!(end instanceof TurnChange.Done)) {
                    copy.apply(List.of(end));
                    end = Objects.requireNonNull(events.next());
                }
                assertThat(((TurnChange.Done) end).status()).isEqualTo(TurnStatus.CANCELLED);
                assertThat(events.next()).isNull();
            }
        }
    }
}
