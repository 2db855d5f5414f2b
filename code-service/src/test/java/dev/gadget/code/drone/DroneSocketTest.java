package dev.gadget.code.drone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.LogLines;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.http.Meanwhile;
import dev.gadget.code.http.TestSocket;
import dev.gadget.code.session.TestSessions;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreFixtures;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.code.turn.LiveTurn;
import dev.gadget.code.turn.LiveTurns;
import dev.gadget.code.turn.TurnDispatcher;
import dev.gadget.code.turn.TurnRecord;
import dev.gadget.code.turn.TurnUpdate;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.HeldWork;
import dev.gadget.model.drone.RecoveryAction;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@DisplayName("The drone's socket")
class DroneSocketTest {
    private static final String PATH = "/ws/drone";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Usage USAGE = new Usage(10, 20, 5, null);

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    @Inject
    LiveTurns turns;

    @Inject
    SessionArchive sessions;

    @Inject
    TurnArchive archive;

    @Inject
    WorkCoordinator coordinator;

    @Inject
    DroneConnections connections;

    private TestPeople.Person ada;
    private SessionId session;

    @BeforeEach
    void somebody() {
        ada = people.member();
        session = TestSessions.session(ada);
    }

    private String submit() {
        return ada.request()
                .header("Prefer", "respond-async")
                .body(Map.of("prompt", "What is this?"))
                .post("/api/v1/sessions/" + session + "/turns")
                .then()
                .statusCode(202)
                .extract()
                .path("turnId");
    }

    private Turn turn(String id) {
        try {
            return mapper.readValue(
                    ada.request().get("/api/v1/turns/" + id).then().extract().asString(), Turn.class);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private Turn until(String id, Predicate<Turn> condition) {
        return eventually(() -> turn(id), condition);
    }

    private Turn ended(String id) {
        return until(id, turn -> turn.status().ended() && turn.status() != TurnStatus.INTERRUPTED);
    }

    private static <T> T eventually(Supplier<T> value, Predicate<T> condition) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        T last = value.get();
        while (!condition.test(last)) {
            assertThat(System.nanoTime())
                    .as("not within %s: %s", PATIENCE, last)
                    .isLessThan(until);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            last = value.get();
        }
        return last;
    }

    private static String text(Turn turn) {
        return turn.blocks().stream()
                .map(block -> switch (block) {
                    case Block.Thinking thinking -> thinking.content();
                    case Block.Responding responding -> responding.content();
                    case Block.Prompt said -> said.content();
                    case Block.Tool tool -> tool.content().name();
                })
                .collect(Collectors.joining("|"));
    }

    private static WorkEntry end(long seq) {
        return new WorkEntry.WorkOrderComplete(seq, TurnStatus.FINISHED, null, USAGE);
    }

    @Test
    @DisplayName("G-13: who does not belong is refused before the upgrade")
    void strangers() throws Exception {
        assertThat(TestSocket.refusal(PATH, null)).isEqualTo(401);
        assertThat(TestSocket.refusal(PATH, "gd_unknown")).isEqualTo(401);
        assertThat(TestSocket.refusal(PATH, ada.token())).isEqualTo(403);
    }

    @Test
    @DisplayName(
            "another protocol version is refused for good, what is no message for now; other drones are unaffected")
    void refusals() throws Exception {
        try (var well = new SimulatedDrone(mapper, ada);
                var old = new SimulatedDrone(mapper, ada)) {
            old.say(old.hello(Protocol.VERSION + 1, "/elsewhere", DroneStatus.AVAILABLE));
            assertThat(old.expect(DroneCommand.Refused.class).failure().code())
                    .isEqualTo(FailureCode.PROTOCOL_MISMATCH);
            assertThat(old.socket().closeCode()).isEqualTo(4501);
            for (String frame :
                    List.of("no json", "{\"type\":\"dance\"}", "{\"type\":\"heartbeat\",\"x\":1}", "[".repeat(5000))) {
                try (var broken = new SimulatedDrone(mapper, ada)) {
                    broken.socket().send(frame);
                    assertThat(broken.expect(DroneCommand.Refused.class)
                                    .failure()
                                    .code())
                            .isEqualTo(FailureCode.FRAME_INVALID);
                    assertThat(broken.socket().closeCode()).isEqualTo(4400);
                }
            }
            old.close();
            // A connection that is closed is still listed for a moment, and would be given the turn.
            eventually(
                    () -> ada.request().get("/api/v1/drones").then().extract().<List<String>>path("items.status"),
                    all -> Collections.frequency(all, "available") == 1);
            submit();
            assertThat(well.take()).isNotNull();
        }
    }

    @Test
    @DisplayName(
            "A26, A40: a drone writes no lines of its own into the log, whatever it says of itself or why it takes no turn")
    void forgedLines() throws Exception {
        try (LogLines log = LogLines.of("dev.gadget.code");
                var drone = new SimulatedDrone(mapper, ada)) {
            for (String forged : List.of("host\nuserId=root signed in", "h".repeat(301), "\u001b[2J", "")) {
                try (var forger = new SimulatedDrone(mapper, people.member())) {
                    DroneEvent.Hello hello = forger.hello(Protocol.VERSION, "/w", DroneStatus.AVAILABLE);
                    forger.say(new DroneEvent.Hello(
                            hello.protocolVersion(),
                            hello.droneVersion(),
                            hello.workspaceId(),
                            forged,
                            hello.workspaceDir(),
                            hello.platform(),
                            hello.status(),
                            hello.held()));
                    assertThat(forger.expect(DroneCommand.Refused.class).failure())
                            .satisfies(why -> assertThat(why.code()).isEqualTo(FailureCode.INVALID_FIELD))
                            .satisfies(why -> assertThat(why.message()).contains("hostname", "300"));
                    assertThat(forger.socket().closeCode()).isEqualTo(4400);
                }
            }
            drone.socket().send("{\"type\":\"dance\\nuserId=root signed in\"}");
            drone.expect(DroneCommand.Refused.class);
            assertThat(log.lines()).isNotEmpty().noneMatch(line -> line.contains("\n") || line.contains("\u001b"));
            assertThat(log.lines()).anyMatch(line -> line.contains("dance?userId=root"));
        }
    }

    @Test
    @DisplayName("a cost that no store holds is no message, and the drone goes on when it says another")
    void absurdCost() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            DroneCommand.OfferWorkOrder offer = drone.take();
            drone.socket()
                    .send("{\"type\":\"work_reported\",\"workOrderId\":\""
                            + offer.workOrder().workOrderId() + "\",\"attempt\":" + offer.attempt() + ",\"fence\":"
                            + offer.fence()
                            + ",\"entries\":[{\"type\":\"usage\",\"seq\":1,\"usage\":{\"inputTokens\":1,"
                            + "\"outputTokens\":1,\"thinkingTokens\":0,\"cost\":1e999999999}}]}");
            assertThat(drone.expect(DroneCommand.Refused.class).failure().code())
                    .isEqualTo(FailureCode.FRAME_INVALID);
            assertThat(drone.socket().closeCode()).isEqualTo(4400);
            drone.comeBack(DroneStatus.BUSY, drone.held(offer, 0, true, false));
            drone.report(end(1));
            assertThat(ended(id).usage()).isEqualTo(USAGE);
        }
    }

    @Test
    @DisplayName("a list with nothing at a place is no message; a call's parameters may hold such lists")
    void nulls() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            drone.take();
            Map<String, Object> parameters = Map.of("some", Arrays.asList("a", null));
            drone.report(new WorkEntry.ToolCalled(1, "c", "read_file", parameters));
            Turn turn = until(id, one -> !one.blocks().isEmpty());
            assertThat(turn.toolCalls().getFirst().parameters()).isEqualTo(parameters);
            drone.socket().send("{\"type\":\"heartbeat\",\"status\":\"available\",\"held\":[null]}");
            assertThat(drone.expect(DroneCommand.Refused.class).failure().code())
                    .isEqualTo(FailureCode.FRAME_INVALID);
        }
    }

    @Test
    @DisplayName("the first message has to be a hello")
    void helloFirst() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada);
                var silent = new TestSocket(PATH, drone.credential())) {
            silent.send("{\"type\":\"status_changed\",\"status\":\"available\"}");
            assertThat(silent.closeCode()).isEqualTo(4410);
        }
    }

    @Test
    @DisplayName("F16, F36: a socket on which no hello comes is closed, and other drones are unaffected")
    void helloInTime() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada);
                var silent = new TestSocket(PATH, drone.credential())) {
            assertThat(silent.closeCode()).isEqualTo(4410);
            submit();
            drone.take();
        }
    }

    @Test
    @DisplayName("F17: a message that takes longer than a drone may be silent keeps its connection, part by part")
    void longMessage() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            drone.take();
            String report = mapper.writerFor(DroneEvent.class)
                    .writeValueAsString(drone.reportOf(new WorkEntry.Response(1, null, "slowly")));
            int parts = Protocol.LEASE_SECONDS / 2 + 2;
            int at = 0;
            for (int part = 0; part < parts; part++) {
                int end = (part + 1) * report.length() / (parts + 1);
                drone.socket().sendPart(report.substring(at, end));
                at = end;
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
            }
            drone.socket().send(report.substring(at));
            until(id, turn -> text(turn).equals("slowly"));
            assertThat(turn(id).status()).isEqualTo(TurnStatus.PROCESSING);
        }
    }

    @Test
    @DisplayName("G-10: what comes twice counts once, a gap is asked for, and only what is stored is acknowledged")
    void numbers() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            drone.take();
            drone.report(new WorkEntry.Thinking(1, null, "So. "), new WorkEntry.Thinking(2, null, "Well."));
            drone.report(new WorkEntry.Thinking(2, null, "Well."), new WorkEntry.Response(3, null, "A "));
            assertThat(drone.expect(DroneCommand.AcknowledgeWork.class).ackedSeq())
                    .isGreaterThanOrEqualTo(2);
            drone.report(new WorkEntry.Response(5, null, "!"));
            assertThat(drone.expect(DroneCommand.ResendWork.class).fromSeq()).isEqualTo(4);
            drone.report(new WorkEntry.Response(4, null, "shop"), new WorkEntry.Response(5, null, "!"), end(6));
            assertThat(text(ended(id))).isEqualTo("So. Well.|A shop!");
            drone.expect(DroneCommand.ReleaseWorkOrder.class);
        }
    }

    @Test
    @DisplayName("reports for another's order, or under an old lease, write nothing and are told to be forgotten")
    void foreign() throws Exception {
        TestPeople.Person eve = people.member();
        try (var drone = new SimulatedDrone(mapper, ada);
                var hers = new SimulatedDrone(mapper, eve)) {
            String id = submit();
            var offer = drone.take();
            var order = offer.workOrder().workOrderId();
            List<WorkEntry> entries = List.of(new WorkEntry.Response(1, null, "stolen"));
            hers.say(new DroneEvent.WorkReported(order, offer.attempt(), offer.fence(), entries));
            assertThat(hers.expect(DroneCommand.ReleaseWorkOrder.class).workOrderId())
                    .isEqualTo(order);
            drone.say(new DroneEvent.WorkReported(order, offer.attempt(), offer.fence() - 1, entries));
            assertThat(drone.expect(DroneCommand.ReleaseWorkOrder.class).workOrderId())
                    .isEqualTo(order);
            drone.report(new WorkEntry.Response(1, null, "mine"), end(2));
            assertThat(text(ended(id))).isEqualTo("mine");
        }
    }

    @Test
    @DisplayName("S1-76: one drone, one turn: a second session waits for it with drone_busy")
    void busy() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            submit();
            drone.take();
            SessionId other = TestSessions.session(ada);
            ada.request()
                    .body(Map.of("prompt", "Me too."))
                    .post("/api/v1/sessions/" + other + "/turns")
                    .then()
                    .statusCode(503)
                    .body("code", equalTo("drone_busy"));
            ada.request()
                    .body(Map.of("prompt", "Again."))
                    .post("/api/v1/sessions/" + session + "/turns")
                    .then()
                    .statusCode(409)
                    .body("code", equalTo("turn_running"));
        }
    }

    @Test
    @DisplayName("a drone that does not take the order ends the turn with its reason")
    void rejected() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            var offer = drone.expect(DroneCommand.OfferWorkOrder.class);
            drone.say(new DroneEvent.WorkOrderRejected(
                    offer.workOrder().workOrderId(),
                    offer.attempt(),
                    offer.fence(),
                    new Failure(FailureCode.JOURNAL_FAILED, "The disk is full.")));
            Turn turn = ended(id);
            assertThat(turn.status()).isEqualTo(TurnStatus.FAILED);
            assertThat(turn.error())
                    .isNotNull()
                    .extracting(Failure::code, Failure::message)
                    .containsExactly(FailureCode.DRONE_REJECTED, "The drone did not take the turn: The disk is full.");
        }
    }

    @Test
    @DisplayName("F13: an offer whose drone went away is withdrawn soon, and its session and its drone are free")
    void awayBeforeItAccepts() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            drone.expect(DroneCommand.OfferWorkOrder.class);
            Assignment offer = Objects.requireNonNull(connections.assignment(drone.id()));
            eventually(() -> offer.offerOlderThan(Assignment.now().plusSeconds(5)), told -> told);
            // As if the line had died with half of it.
            offer.offered(Objects.requireNonNull(offer.turn()), offer.openOffer(), Assignment.now());
            drone.cut();
            assertThat(ended(id).error())
                    .isNotNull()
                    .satisfies(why -> assertThat(why.code()).isEqualTo(FailureCode.DRONE_REJECTED))
                    .satisfies(why -> assertThat(why.message()).contains("went away before it accepted"));
            drone.comeBack(DroneStatus.AVAILABLE);
            assertThat(submit()).isNotEqualTo(id);
        }
    }

    @Test
    @DisplayName("S4-02: what a drone is back without is over for its readers, also when it was given up long ago")
    void backWithoutIt() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            drone.take();
            drone.cut();
            until(id, turn -> turn.status() == TurnStatus.INTERRUPTED);
            LiveTurn turn = turns.load(new TurnId(id)).orElseThrow();
            assertThat(turn.awaitStored(PATIENCE)).isTrue();
            assertThat(turn.since(null).over()).isFalse();
            TurnRecord old = StoreFixtures.lost(archive.find(new TurnId(id)).orElseThrow());
            archive.insert(old);

            drone.comeBack(DroneStatus.AVAILABLE);

            Turn over = until(
                    id, now -> now.error() != null && now.error().message().contains("without this turn"));
            assertThat(over.status()).isEqualTo(TurnStatus.INTERRUPTED);
            assertThat(turn.since(null).over()).isTrue();
            LiveTurn before = turns.load(old.id()).orElseThrow();
            assertThat(eventually(() -> before.since(null), TurnUpdate::over).status())
                    .isEqualTo(TurnStatus.INTERRUPTED);
            String next = submit();
            assertThat(drone.take().workOrder().turnId().value()).isEqualTo(next);
        }
    }

    @Test
    @DisplayName("S1-20: where prompts do not wait, a drone that is busy after all ends the turn as drone_busy")
    void busyAfterAll() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            var offer = drone.expect(DroneCommand.OfferWorkOrder.class);
            drone.say(new DroneEvent.WorkOrderRejected(
                    offer.workOrder().workOrderId(),
                    offer.attempt(),
                    offer.fence(),
                    new Failure(FailureCode.DRONE_BUSY, "A project is synced.")));
            assertThat(ended(id).error()).isEqualTo(new Failure(FailureCode.DRONE_BUSY, "A project is synced."));
            assertThat(submit()).as("the session is free").isNotEmpty();
        }
    }

    @Test
    @DisplayName("G-09: a drone whose connection was lost goes on with the same turn, each word once")
    void comesBackRunning() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            var offer = drone.take();
            drone.report(new WorkEntry.Response(1, null, "A "));
            until(id, turn -> text(turn).equals("A "));
            drone.cut();
            drone.comeBack(DroneStatus.BUSY, drone.held(offer, 3, true, false));
            assertThat(drone.expect(DroneCommand.ResendWork.class).fromSeq()).isLessThanOrEqualTo(2);
            drone.report(new WorkEntry.Response(1, null, "A "), new WorkEntry.Response(2, null, "shop"), end(3));
            Turn turn = ended(id);
            assertThat(text(turn)).isEqualTo("A shop");
            assertThat(turn.status()).isEqualTo(TurnStatus.FINISHED);
        }
    }

    @Test
    @DisplayName(
            "S1-45: a turn that its drone accepted and never heard the start of is begun when the drone is back, also long after")
    void startLost() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            var offer = drone.expect(DroneCommand.OfferWorkOrder.class);
            drone.say(
                    new DroneEvent.WorkOrderAccepted(offer.workOrder().workOrderId(), offer.attempt(), offer.fence()));
            // It was told, and never read it: only an acceptance that came through can have its start lost.
            drone.expect(DroneCommand.StartWorkOrder.class);
            drone.cut();
            until(id, turn -> turn.status() == TurnStatus.INTERRUPTED);
            // Whatever it is told may be lost again.
            for (int times = 0; times < 2; times++) {
                drone.comeBack(DroneStatus.BUSY, drone.held(offer, 0, true, false));
                assertThat(drone.expect(DroneCommand.StartWorkOrder.class))
                        .isEqualTo(new DroneCommand.StartWorkOrder(
                                offer.workOrder().workOrderId(), offer.attempt(), offer.fence()));
                assertThat(drone.expect(DroneCommand.ResendWork.class).fromSeq())
                        .isOne();
                if (times == 0) {
                    drone.cut();
                }
            }
            drone.say(new DroneEvent.WorkReported(
                    offer.workOrder().workOrderId(), offer.attempt(), offer.fence(), List.of(end(1))));
            assertThat(ended(id).status()).isEqualTo(TurnStatus.FINISHED);
        }
    }

    @ParameterizedTest(name = "still running: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "F22: a drone whose lease is newer than the stored one keeps its turn, and says again what the store lost")
    void storeRolledBack(boolean running) throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            var offer = drone.take();
            drone.report(new WorkEntry.Response(1, null, "A "));
            until(id, turn -> text(turn).equals("A "));
            drone.cut();
            var held = new HeldWork(
                    offer.workOrder().workOrderId(),
                    offer.workOrder().turnId(),
                    offer.attempt() + 2,
                    offer.fence() + 2,
                    3,
                    running,
                    false);
            DroneCommand.RecoverWorkOrder lease;
            if (running) {
                drone.comeBack(DroneStatus.BUSY, held);
                var resend = drone.expect(DroneCommand.ResendWork.class);
                assertThat(resend.fromSeq()).isEqualTo(2);
                assertThat(resend.attempt()).isEqualTo(held.attempt());
                lease = new DroneCommand.RecoverWorkOrder(
                        held.workOrderId(), RecoveryAction.RESUME, held.attempt(), held.fence(), 2);
            } else {
                drone.comeBack(DroneStatus.STARTING, held);
                drone.say(new DroneEvent.CrashRecoveryRequested(held));
                lease = drone.expect(DroneCommand.RecoverWorkOrder.class);
                assertThat(lease.action()).isEqualTo(RecoveryAction.RETRY);
                assertThat(lease.fence()).isGreaterThan(held.fence());
                assertThat(lease.attempt()).isGreaterThan(held.attempt());
            }
            drone.under(lease);
            drone.report(new WorkEntry.Response(2, null, "whole "), new WorkEntry.Response(3, null, "shop"), end(4));
            Turn turn = ended(id);
            assertThat(text(turn)).isEqualTo("A whole shop");
            assertThat(turn.status()).isEqualTo(TurnStatus.FINISHED);
        }
    }

    @Test
    @DisplayName(
            "F22: what neither the store nor the drone has ends the turn in words, and no later word is put in its place")
    void storeRolledBackTooFar() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            var offer = drone.take();
            drone.report(new WorkEntry.Response(1, null, "A "));
            until(id, turn -> text(turn).equals("A "));
            drone.cut();
            var held = new HeldWork(
                    offer.workOrder().workOrderId(),
                    offer.workOrder().turnId(),
                    offer.attempt() + 1,
                    offer.fence() + 1,
                    9,
                    true,
                    false);
            drone.comeBack(DroneStatus.BUSY, held);
            drone.expect(DroneCommand.ResendWork.class);
            drone.under(new DroneCommand.RecoverWorkOrder(
                    held.workOrderId(), RecoveryAction.RESUME, held.attempt(), held.fence(), 2));
            Turn turn = until(id, one -> {
                try {
                    drone.report(new WorkEntry.Response(9, null, "shop"));
                } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
                    throw new AssertionError(e);
                }
                return one.status().ended();
            });
            assertThat(turn.status()).isEqualTo(TurnStatus.FAILED);
            Failure why = Objects.requireNonNull(turn.error());
            assertThat(why.code()).isEqualTo(FailureCode.SEQUENCE_GAP);
            assertThat(why.message()).contains("no longer has a part");
            assertThat(text(turn)).isEqualTo("A ");
        }
    }

    @Test
    @DisplayName("G-02, G-04: a drone that was started again is told to go on with the same turn, under a new lease")
    void recovers() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            var offer = drone.take();
            drone.report(new WorkEntry.RoundStarted(1, 1), new WorkEntry.Response(2, null, "Half a sen"));
            until(id, turn -> text(turn).equals("Half a sen"));
            drone.cut();
            HeldWork held = drone.held(offer, 2, false, false);
            drone.comeBack(DroneStatus.STARTING, held);
            drone.say(new DroneEvent.CrashRecoveryRequested(held));
            var decision = drone.expect(DroneCommand.RecoverWorkOrder.class);
            assertThat(decision.action()).isEqualTo(RecoveryAction.RETRY);
            assertThat(decision.fence()).isGreaterThan(offer.fence());
            assertThat(decision.fromSeq()).isEqualTo(3);

            // Whatever is still on its way from the life before counts no more.
            drone.report(new WorkEntry.Response(3, null, "late"));
            drone.expect(DroneCommand.ReleaseWorkOrder.class);
            drone.under(decision);
            drone.report(
                    new WorkEntry.RoundSuperseded(3, 1),
                    new WorkEntry.RoundStarted(4, 2),
                    new WorkEntry.Response(5, null, "A whole sentence."),
                    end(6));
            Turn turn = ended(id);
            assertThat(turn.status()).isEqualTo(TurnStatus.FINISHED);
            assertThat(turn.blocks()).extracting(Block::superseded).containsExactly(true, null);
            assertThat(text(turn)).isEqualTo("Half a sen|A whole sentence.");
        }
    }

    @Test
    @DisplayName("work that nobody wants any more is discarded when its drone comes back")
    void discards() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            var offer = drone.take();
            drone.cut();
            eventually(
                    () -> ada.request().get("/api/v1/drones").then().extract().<String>path("items[0].status"),
                    "offline"::equals);
            ada.request().post("/api/v1/turns/" + id + "/cancel").then().statusCode(202);
            assertThat(ended(id).status()).isEqualTo(TurnStatus.CANCELLED);
            HeldWork held = drone.held(offer, 0, false, false);
            drone.comeBack(DroneStatus.STARTING, held);
            drone.say(new DroneEvent.CrashRecoveryRequested(held));
            assertThat(drone.expect(DroneCommand.RecoverWorkOrder.class).action())
                    .isEqualTo(RecoveryAction.DISCARD);
        }
    }

    @Test
    @DisplayName(
            "a drone that comes back with an order that is over is told so before it is offered the next one again")
    void releasedFirst() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String first = submit();
            var offer = drone.take();
            drone.report(end(1));
            assertThat(ended(first).status()).isEqualTo(TurnStatus.FINISHED);
            String next = submit();
            // Neither that the first one is over nor the offer of the next has reached it.
            drone.cut();
            drone.comeBack(DroneStatus.BUSY, drone.held(offer, 1, true, true));
            assertThat(drone.expect(DroneCommand.ReleaseWorkOrder.class).workOrderId())
                    .isEqualTo(offer.workOrder().workOrderId());
            assertThat(drone.take().workOrder().turnId().value()).isEqualTo(next);
            drone.report(end(1));
            assertThat(ended(next).status()).isEqualTo(TurnStatus.FINISHED);
        }
    }

    @Test
    @DisplayName("a cancel that its drone does not answer is over all the same")
    void cancelUnanswered() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            drone.take();
            ada.request().post("/api/v1/turns/" + id + "/cancel").then().statusCode(202);
            assertThat(ended(id).status()).isEqualTo(TurnStatus.CANCELLED);
        }
    }

    @Test
    @DisplayName(
            "F31: a cancel that is lost with the drone's line holds: the turn does not go on when the drone is back")
    void cancelUnheard() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            var offer = drone.take();
            drone.report(new WorkEntry.Response(1, null, "Half a sen"));
            until(id, turn -> text(turn).equals("Half a sen"));
            ada.request().post("/api/v1/turns/" + id + "/cancel").then().statusCode(202);
            drone.cut();
            assertThat(ended(id).status()).isEqualTo(TurnStatus.CANCELLED);
            drone.comeBack(DroneStatus.BUSY, drone.held(offer, 1, true, false));
            drone.expect(DroneCommand.ReleaseWorkOrder.class);
        }
    }

    @Test
    @DisplayName("an interrupted turn that was cancelled is not taken up again, and its drone is free for the next")
    void cancelledWhileAway() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            for (boolean running : List.of(true, false)) {
                String id = submit();
                var offer = drone.take();
                drone.report(new WorkEntry.Response(1, null, "Half a sen"));
                until(id, turn -> text(turn).equals("Half a sen"));
                drone.cut();
                until(id, turn -> turn.status() == TurnStatus.INTERRUPTED);
                ada.request().post("/api/v1/turns/" + id + "/cancel").then().statusCode(202);
                assertThat(turn(id).status()).isEqualTo(TurnStatus.CANCELLED);
                HeldWork held = drone.held(offer, 1, running, false);
                if (running) {
                    drone.comeBack(DroneStatus.BUSY, held);
                    drone.expect(DroneCommand.ReleaseWorkOrder.class);
                } else {
                    drone.comeBack(DroneStatus.AVAILABLE, held);
                    drone.say(new DroneEvent.CrashRecoveryRequested(held));
                    assertThat(drone.expect(DroneCommand.RecoverWorkOrder.class).action())
                            .isEqualTo(RecoveryAction.DISCARD);
                }
                String next = submit();
                assertThat(drone.take().workOrder().turnId().value()).isEqualTo(next);
                drone.report(end(1));
                assertThat(ended(next).status()).isEqualTo(TurnStatus.FINISHED);
                drone.expect(DroneCommand.ReleaseWorkOrder.class);
                assertThat(text(turn(id))).isEqualTo("Half a sen");
            }
        }
    }

    @Test
    @DisplayName("a turn that was cancelled while its order was being made is not offered, and its drone is free")
    void cancelledWhileItIsBegun() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            var offer = drone.take();
            drone.report(end(1));
            ended(id);
            drone.expect(DroneCommand.ReleaseWorkOrder.class);
            LiveTurn over = turns.load(new TurnId(id)).orElseThrow();
            TurnDispatcher.Place place =
                    coordinator.reserve(sessions.find(ada.id(), session).orElseThrow());
            coordinator.dispatch(over, offer.workOrder(), place);
            String next = submit();
            assertThat(drone.take().workOrder().turnId().value()).isEqualTo(next);
        }
    }

    @Test
    @DisplayName(
            "S1-76, S1-77: a session without a workspace goes where nobody writes, and where a person does only when there is no other")
    void leavesWriters() throws Exception {
        try (var one = new SimulatedDrone(mapper, ada);
                var two = new SimulatedDrone(mapper, ada)) {
            for (SimulatedDrone edited : List.of(one, two)) {
                mode(edited, WorkspaceMode.USER);
                SimulatedDrone free = edited == one ? two : one;
                try (TurnDispatcher.Place place = reserve()) {
                    assertThat(place.drone()).isEqualTo(free.id());
                    try (TurnDispatcher.Place left = reserve()) {
                        assertThat(left.drone()).isEqualTo(edited.id());
                    }
                }
                mode(edited, WorkspaceMode.IDLE);
            }
        }
    }

    private TurnDispatcher.Place reserve() {
        return coordinator.reserve(
                sessions.find(ada.id(), TestSessions.session(ada)).orElseThrow());
    }

    private void mode(SimulatedDrone drone, WorkspaceMode mode) throws Exception {
        drone.say(new DroneEvent.WorkspaceModeChanged(mode));
        eventually(
                () -> connections.mode(drone.id()),
                now -> now.filter(mode::equals).isPresent());
    }

    @Test
    @DisplayName("a submission that is repeated at the same moment is one turn on one drone")
    void repeatedAtOnce() throws Exception {
        try (var one = new SimulatedDrone(mapper, ada);
                var two = new SimulatedDrone(mapper, ada)) {
            var answers = Stream.generate(() -> Meanwhile.ask(() -> ada.request()
                            .header("Prefer", "respond-async")
                            .header("Idempotency-Key", "the same")
                            .body(Map.of("prompt", "now"))
                            .post("/api/v1/sessions/" + session + "/turns")
                            .then()
                            .statusCode(202)
                            .extract()
                            .<String>path("turnId")))
                    .limit(6)
                    .toList();
            Set<String> ids = new HashSet<>();
            for (var answer : answers) {
                ids.add(answer.get(60, TimeUnit.SECONDS));
            }
            assertThat(ids).hasSize(1);
            assertThat(sessions.find(ada.id(), session).orElseThrow().runningTurnId())
                    .isEqualTo(new TurnId(ids.iterator().next()));
            assertThat(List.of(one, two))
                    .filteredOn(drone -> connections.assignment(drone.id()) != null)
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("a session that is deleted takes its running turn along: nothing is written any more")
    void deletedSession() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            drone.take();
            ada.request().delete("/api/v1/sessions/" + session).then().statusCode(204);
            drone.expect(DroneCommand.ReleaseWorkOrder.class);
            drone.report(new WorkEntry.Response(1, null, "late"), end(2));
            ada.request().get("/api/v1/turns/" + id).then().statusCode(404);
        }
    }

    @Test
    @DisplayName("a drone that is revoked is closed for good, and cannot come back")
    void revoked() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            ada.request().delete("/api/v1/drones/" + drone.id()).then().statusCode(204);
            assertThat(drone.socket().closeCode()).isEqualTo(4505);
            assertThat(TestSocket.refusal(PATH, drone.credential())).isEqualTo(401);
        }
    }

    @Test
    @DisplayName("a drone that is revoked and does not go writes nothing any more")
    void revokedAndStays() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = submit();
            drone.take();
            drone.report(new WorkEntry.Response(1, null, "before"));
            until(id, turn -> text(turn).equals("before"));
            drone.socket().neverAnswersTheClose();
            ada.request().delete("/api/v1/drones/" + drone.id()).then().statusCode(204);
            assertThat(drone.socket().closeCode()).isEqualTo(4505);
            drone.report(new WorkEntry.Response(2, null, " and after"));
            until(id, turn -> turn.status() == TurnStatus.INTERRUPTED);
            assertThat(text(turn(id))).isEqualTo("before");
            assertThat(turns.load(new TurnId(id)).orElseThrow().since(null).over())
                    .isTrue();
        }
    }

    @Test
    @DisplayName("a turn that waits for its drone is over when the drone is removed, and its session is free")
    void revokedWhileAway() throws Exception {
        String id;
        WorkspaceId workspace;
        try (var drone = new SimulatedDrone(mapper, ada)) {
            workspace = drone.workspace();
            id = submit();
            drone.take();
            drone.report(new WorkEntry.Response(1, null, "before"));
            until(id, turn -> text(turn).equals("before"));
            drone.cut();
            until(id, turn -> turn.status() == TurnStatus.INTERRUPTED);
            assertThat(turns.load(new TurnId(id)).orElseThrow().since(null).over())
                    .isFalse();
            ada.request().delete("/api/v1/drones/" + drone.id()).then().statusCode(204);
        }
        Turn turn = turn(id);
        assertThat(turn.status()).isEqualTo(TurnStatus.INTERRUPTED);
        assertThat(turn.error())
                .isNotNull()
                .extracting(Failure::message, InstanceOfAssertFactories.STRING)
                .contains("was removed");
        assertThat(turns.load(new TurnId(id)).orElseThrow().since(null).over()).isTrue();
        try (var other = new SimulatedDrone(mapper, ada, workspace)) {
            String next = submit();
            assertThat(other.take().workOrder().turnId().value()).isEqualTo(next);
        }
    }

    @Test
    @DisplayName("F20: a copy of a workspace is refused for good; the same drone in the same place replaces itself")
    void copies() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada);
                var copy = new TestSocket(PATH, drone.credential())) {
            copy.send(mapper.writerFor(DroneEvent.class)
                    .writeValueAsString(drone.hello(Protocol.VERSION, "/copy", DroneStatus.AVAILABLE)));
            assertThat(mapper.readValue(copy.receive(), DroneCommand.class))
                    .isInstanceOfSatisfying(
                            DroneCommand.Refused.class,
                            refused -> assertThat(refused.failure().code()).isEqualTo(FailureCode.WORKSPACE_LOCKED));
            assertThat(copy.closeCode()).isEqualTo(4502);
            TestSocket first = drone.socket();
            drone.comeBack(DroneStatus.AVAILABLE);
            assertThat(first.closeCode()).isEqualTo(4503);
        }
    }

    @Test
    @DisplayName("F16, F20: a connection that hangs keeps nobody out who comes from a place with another name")
    void hangingConnection() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            drone.socket().stopReading();
            drone.say(new DroneEvent.WorkOrderAccepted(WorkOrderId.random(), 1, 1));
            drone.socket().receive();

            try (var moved = new TestSocket(PATH, drone.credential())) {
                moved.send(mapper.writerFor(DroneEvent.class)
                        .writeValueAsString(drone.hello(Protocol.VERSION, "/moved", DroneStatus.AVAILABLE)));

                assertThat(mapper.readValue(moved.receive(), DroneCommand.class))
                        .isInstanceOf(DroneCommand.Welcome.class);
            }
        }
    }

    @Test
    @DisplayName("a drone's credential does not open another workspace of its owner, whose drone comes in as before")
    void anotherWorkspace() throws Exception {
        try (var thief = new SimulatedDrone(mapper, ada);
                var away = new SimulatedDrone(mapper, ada)) {
            away.cut();
            thief.cut();
            try (var posing = new TestSocket(PATH, thief.credential())) {
                posing.send(mapper.writerFor(DroneEvent.class)
                        .writeValueAsString(SimulatedDrone.hello(
                                Protocol.VERSION, away.workspace(), "/home/ada/shop", DroneStatus.AVAILABLE)));
                assertThat(mapper.readValue(posing.receive(), DroneCommand.class))
                        .isInstanceOfSatisfying(
                                DroneCommand.Refused.class,
                                refused -> assertThat(refused.failure())
                                        .satisfies(why -> assertThat(why.code()).isEqualTo(FailureCode.FORBIDDEN))
                                        .satisfies(why -> assertThat(why.message())
                                                .contains("enrolled for another workspace", "gadget-drone enroll")));
                assertThat(posing.closeCode()).isEqualTo(4504);
            }
            away.comeBack(DroneStatus.AVAILABLE);
            thief.comeBack(DroneStatus.AVAILABLE);
            List<String> workspaces =
                    ada.request().get("/api/v1/drones").then().extract().path("items.workspaceId");
            assertThat(workspaces)
                    .containsExactlyInAnyOrder(
                            thief.workspace().value(), away.workspace().value());
        }
    }

    @Test
    @DisplayName("who says another person's workspace as theirs does not keep that person's drone out")
    void othersWorkspace() throws Exception {
        TestPeople.Person eve = people.member();
        try (var hers = new SimulatedDrone(mapper, ada);
                var posing = new SimulatedDrone(mapper, eve, hers.workspace())) {
            hers.comeBack(DroneStatus.AVAILABLE);
            submit();
            assertThat(hers.take()).isNotNull();
        }
    }

    @Test
    @DisplayName(
            "S1-10, S1-11, S1-33: who may write in a session's workspace is asked of its drone, and told to the pages")
    void workspaceMode() throws Exception {
        String workspace = "/api/v1/sessions/" + session + "/workspace";
        ada.request().get(workspace).then().statusCode(409).body("code", equalTo("conflict"));
        try (var drone = new SimulatedDrone(mapper, ada)) {
            submit();
            drone.take();
            drone.say(new DroneEvent.WorkspaceModeChanged(WorkspaceMode.AGENT));
            eventually(
                    () -> ada.request().get("/api/v1/drones").then().extract().<String>path("items[0].workspaceMode"),
                    "agent"::equals);
            var refused = Meanwhile.ask(
                    () -> ada.request().body(Map.of("mode", "user")).put(workspace));
            var asked = drone.expect(DroneCommand.RequestWorkspaceMode.class);
            assertThat(asked.mode()).isEqualTo(WorkspaceMode.USER);
            drone.say(new DroneEvent.WorkspaceModeAnswered("another", true, WorkspaceMode.USER));
            drone.say(new DroneEvent.WorkspaceModeAnswered(asked.requestId(), false, WorkspaceMode.AGENT));
            refused.get(60, TimeUnit.SECONDS).then().statusCode(409).body("code", equalTo("workspace_locked"));

            var looked = Meanwhile.ask(() -> ada.request().get(workspace));
            var lock = drone.expect(DroneCommand.RequestSessionLock.class);
            assertThat(lock.sessionId()).isEqualTo(session);
            drone.say(new DroneEvent.SessionLockAnswered(lock.requestId(), true, null));
            looked.get(60, TimeUnit.SECONDS)
                    .then()
                    .statusCode(200)
                    .body("mode", equalTo("agent"))
                    .body("free", equalTo(true))
                    .body("droneStatus", equalTo("busy"));
            ada.request().body(Map.of("mode", "agent")).put(workspace).then().statusCode(422);
            people.member().request().get(workspace).then().statusCode(404);
        }
    }
}
