package dev.gadget.code.ide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.drone.SimulatedDrone;
import dev.gadget.code.http.TestSocket;
import dev.gadget.code.session.TestSessions;
import dev.gadget.code.socket.Pace;
import dev.gadget.code.turn.ReaderCopy;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.HeldWork;
import dev.gadget.model.ide.IdeCommand;
import dev.gadget.model.ide.IdeEvent;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.BlockMode;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("The page's socket")
class IdeSocketTest {
    private static final String PATH = "/ws/ide";
    private static final Usage USAGE = new Usage(10, 20, 5, null);

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    @Inject
    Pace pace;

    private TestPeople.Person ada;

    @BeforeEach
    void somebody() {
        ada = people.member();
    }

    /** One page: says commands, hears events, and keeps a copy of the one turn that it reads. */
    private final class Page implements AutoCloseable {
        final TestSocket socket;
        final ReaderCopy copy = new ReaderCopy();

        @Nullable
        Cursor cursor;

        Page(TestPeople.Person person) throws Exception {
            socket = new TestSocket(PATH, person.token());
            say(new IdeCommand.Hello(Protocol.VERSION));
            assertThat(expect(IdeEvent.Welcome.class).userId()).isEqualTo(person.id());
            expect(IdeEvent.DurabilityChanged.class);
        }

        void say(IdeCommand command) throws Exception {
            socket.send(mapper.writerFor(IdeCommand.class).writeValueAsString(command));
        }

        IdeEvent.Answer ask(String id, IdeCommand command) throws Exception {
            say(command);
            return expect(IdeEvent.Answer.class, answer -> answer.requestId().equals(id));
        }

        <E extends IdeEvent> E expect(Class<E> kind) throws Exception {
            return expect(kind, _ -> true);
        }

        <E extends IdeEvent> E expect(Class<E> kind, Predicate<E> wanted) throws Exception {
            for (; ; ) {
                IdeEvent event = mapper.readValue(socket.receive(), IdeEvent.class);
                if (event instanceof IdeEvent.TurnChanged changed) {
                    copy.apply(changed.changes());
                    cursor = changed.cursor();
                }
                if (kind.isInstance(event) && wanted.test(kind.cast(event))) {
                    return kind.cast(event);
                }
            }
        }

        /** The first steps of a turn, for a page that has what came before them. */
        IdeEvent.TurnChanged missing() throws Exception {
            for (; ; ) {
                if (mapper.readValue(socket.receive(), IdeEvent.class) instanceof IdeEvent.TurnChanged changed) {
                    return changed;
                }
            }
        }

        Turn until(Predicate<Turn> wanted) throws Exception {
            expect(IdeEvent.TurnChanged.class, _ -> wanted.test(copy.turn()));
            return copy.turn();
        }

        /** Waits until so many characters of turns other than this one are there; the states of drones that it hears of meanwhile. */
        List<DroneStatus> untilSaid(TurnId besides, int characters) throws Exception {
            List<DroneStatus> states = new ArrayList<>();
            for (int said = 0; said < characters; ) {
                IdeEvent event = mapper.readValue(socket.receive(), IdeEvent.class);
                if (event instanceof IdeEvent.DroneChanged changed) {
                    states.add(changed.status());
                } else if (event instanceof IdeEvent.TurnChanged changed
                        && !changed.turnId().equals(besides)) {
                    said += changed.changes().stream()
                            .mapToInt(change -> change instanceof TurnChange.TextDelta delta
                                    ? delta.text().length()
                                    : 0)
                            .sum();
                }
            }
            return states;
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    private static String text(Turn turn) {
        return turn.blocks().stream()
                .map(block -> switch (block) {
                    case Block.Responding said -> said.content();
                    case Block.Thinking thought -> thought.content();
                    case Block.Tool _ -> "";
                    case Block.Prompt more -> more.content();
                })
                .reduce("", String::concat);
    }

    private static Predicate<Turn> ended() {
        return turn -> turn.status().ended();
    }

    private Turn stored(TurnId id) throws Exception {
        return mapper.readValue(
                ada.request()
                        .get("/api/v1/turns/" + id)
                        .then()
                        .statusCode(200)
                        .extract()
                        .asString(),
                Turn.class);
    }

    @Test
    @DisplayName("nobody without a person's credential gets a socket: the upgrade is refused")
    void upgrade() throws Exception {
        assertThat(TestSocket.refusal(PATH, null)).isEqualTo(401);
        assertThat(TestSocket.refusal(PATH, "gadget_p_wrong")).isEqualTo(401);
        try (var drone = new SimulatedDrone(mapper, ada)) {
            assertThat(TestSocket.refusal(PATH, people.credential(ada.id(), drone.id())))
                    .isEqualTo(403);
        }
    }

    @Test
    @DisplayName(
            "another protocol version is refused with 4501; a first message that is no hello, and what is no message, with 4400")
    void refusals() throws Exception {
        refused("{\"type\":\"hello\",\"protocolVersion\":99}", FailureCode.PROTOCOL_MISMATCH, 4501);
        refused("{\"type\":\"ping\"}", FailureCode.FRAME_INVALID, 4400);
        refused("{\"type\":\"hello\"}", FailureCode.FRAME_INVALID, 4400);
        refused("{\"type\":\"dance\"}", FailureCode.FRAME_INVALID, 4400);
        refused("no json", FailureCode.FRAME_INVALID, 4400);
    }

    private void refused(String frame, FailureCode code, int close) throws Exception {
        try (var socket = new TestSocket(PATH, ada.token())) {
            socket.send(frame);
            var refused = (IdeEvent.Refused) mapper.readValue(socket.receive(), IdeEvent.class);
            assertThat(refused.failure().code()).as(frame).isEqualTo(code);
            assertThat(socket.closeCode()).as(frame).isEqualTo(close);
        }
    }

    @Test
    @DisplayName("each page hears after its welcome whether what it shows is stored")
    void durability() throws Exception {
        try (var socket = new TestSocket(PATH, ada.token())) {
            socket.send(mapper.writerFor(IdeCommand.class).writeValueAsString(new IdeCommand.Hello(Protocol.VERSION)));
            assertThat(mapper.readValue(socket.receive(), IdeEvent.class)).isInstanceOf(IdeEvent.Welcome.class);
            assertThat(mapper.readValue(socket.receive(), IdeEvent.class))
                    .isEqualTo(new IdeEvent.DurabilityChanged(true));
        }
    }

    @Test
    @DisplayName("a ping is answered, and a command without its request id ends the connection")
    void pings() throws Exception {
        try (var page = new Page(ada)) {
            page.say(new IdeCommand.Ping());
            assertThat(page.expect(IdeEvent.Pong.class)).isNotNull();
            page.socket.send("{\"type\":\"cancel_turn\",\"turnId\":\"t\"}");
            assertThat(page.expect(IdeEvent.Refused.class).failure().code()).isEqualTo(FailureCode.FRAME_INVALID);
            assertThat(page.socket.closeCode()).isEqualTo(4400);
        }
    }

    @Test
    @DisplayName("what cannot be done is answered with its failure, in the order of the commands")
    void failures() throws Exception {
        SessionId session = TestSessions.session(ada);
        SessionId foreign = TestSessions.session(people.member());
        try (var page = new Page(ada)) {
            page.say(new IdeCommand.SubmitPrompt("1", session, "hello"));
            page.say(new IdeCommand.OpenSession("2", foreign));
            page.say(new IdeCommand.CancelTurn("3", TurnId.random()));
            page.say(new IdeCommand.FollowTurn("4", TurnId.random(), null));
            page.say(new IdeCommand.DecideApproval(
                    "5", TurnId.random(), "c", ApprovalDecision.DENY, null, null, null, null));
            page.say(new IdeCommand.OpenSession("6", session));
            for (int i = 1; i <= 6; i++) {
                var answer = page.expect(IdeEvent.Answer.class);
                assertThat(answer.requestId()).isEqualTo(String.valueOf(i));
                FailureCode code =
                        answer.failure() == null ? null : answer.failure().code();
                assertThat(code).isEqualTo(i == 1 ? FailureCode.NO_DRONE : i == 6 ? null : FailureCode.NOT_FOUND);
            }
        }
    }

    @Test
    @DisplayName(
            "a prompt of one tab runs in both; a tab that was away gets the rest from its cursor; a third gets all")
    void follows() throws Exception {
        SessionId session = TestSessions.session(ada);
        String request = UUID.randomUUID().toString();
        try (var drone = new SimulatedDrone(mapper, ada);
                var first = new Page(ada);
                var second = new Page(ada)) {
            first.ask("o", new IdeCommand.OpenSession("o", session));
            second.ask("o", new IdeCommand.OpenSession("o", session));
            var submit = new IdeCommand.SubmitPrompt(request, session, "What is this?");
            TurnId turn = Objects.requireNonNull(first.ask(request, submit).turnId());
            assertThat(first.ask(request, submit).turnId())
                    .as("said twice, done once")
                    .isEqualTo(turn);
            drone.take();
            drone.report(new WorkEntry.Response(1, null, "A "));
            first.until(copy -> text(copy).equals("A "));
            second.until(copy -> text(copy).equals("A "));
            Cursor left = Objects.requireNonNull(second.cursor);
            second.socket.cut();
            drone.report(new WorkEntry.Response(2, null, "shop"), new WorkEntry.Response(3, null, "."));
            first.until(copy -> text(copy).equals("A shop."));

            try (var back = new Page(ada);
                    var late = new Page(ada)) {
                back.say(new IdeCommand.FollowTurn("f", turn, left));
                assertThat(back.missing().changes())
                        .singleElement()
                        .isEqualTo(new TurnChange.TextDelta(0, BlockMode.RESPONDING, 2, "shop.", null));
                late.say(new IdeCommand.OpenSession("o", session));
                late.until(copy -> text(copy).equals("A shop."));
                drone.report(new WorkEntry.WorkOrderComplete(4, TurnStatus.FINISHED, null, USAGE));
                assertThat(first.until(ended())).isEqualTo(stored(turn));
                assertThat(late.until(ended())).isEqualTo(stored(turn));
            }
        }
    }

    @Test
    @DisplayName("where many watch, what a drone says is read less often, and comes whole and in order all the same")
    void gathers() throws Exception {
        SessionId session = TestSessions.session(ada);
        int watchers = 0;
        for (; pace.roundMillis() == 0; watchers++) {
            pace.joined();
        }
        try (var drone = new SimulatedDrone(mapper, ada);
                var page = new Page(ada)) {
            page.ask("o", new IdeCommand.OpenSession("o", session));
            TurnId turn = Objects.requireNonNull(page.ask("s", new IdeCommand.SubmitPrompt("s", session, "Count."))
                    .turnId());
            drone.take();
            var said = new StringBuilder();
            long seq = 0;
            for (int number = 1; number <= 400; number++) {
                String word = number + " ";
                said.append(word);
                drone.report(new WorkEntry.Response(++seq, null, word));
                if (number % 100 == 0) {
                    // Between what is gathered comes what is not.
                    drone.say(new DroneEvent.StatusChanged(DroneStatus.BUSY));
                    drone.report(new WorkEntry.ToolCalled(++seq, "c" + number, "read_file", Map.of("path", "a")));
                }
            }
            drone.report(new WorkEntry.WorkOrderComplete(++seq, TurnStatus.FINISHED, null, USAGE));
            assertThat(text(page.until(ended()))).isEqualTo(said.toString());
            assertThat(page.copy.turn()).isEqualTo(stored(turn));
        } finally {
            for (; watchers > 0; watchers--) {
                pace.left();
            }
        }
    }

    @Test
    @DisplayName("a page can stop a turn and answer a call that waits")
    void commands() throws Exception {
        SessionId session = TestSessions.session(ada);
        try (var drone = new SimulatedDrone(mapper, ada);
                var page = new Page(ada)) {
            page.ask("o", new IdeCommand.OpenSession("o", session));
            TurnId turn = Objects.requireNonNull(page.ask("s", new IdeCommand.SubmitPrompt("s", session, "Edit a."))
                    .turnId());
            drone.take();
            drone.report(
                    new WorkEntry.ToolCalled(1, "c1", "edit_file", Map.of("path", "a")),
                    new WorkEntry.ToolAwaitsApproval(2, "c1", "It writes a.", null, null));
            page.until(copy -> copy.status() == TurnStatus.AWAITING_APPROVAL);
            var decide =
                    new IdeCommand.DecideApproval("d", turn, "c1", ApprovalDecision.APPROVE, null, null, null, null);
            assertThat(page.ask("d", decide).failure()).isNull();
            assertThat(drone.expect(DroneCommand.DecideApproval.class).decision())
                    .isEqualTo(ApprovalDecision.APPROVE);
            assertThat(page.ask("c", new IdeCommand.CancelTurn("c", turn)).failure())
                    .isNull();
            drone.expect(DroneCommand.CancelWorkOrder.class);
            drone.report(new WorkEntry.WorkOrderComplete(3, TurnStatus.CANCELLED, null, USAGE));
            assertThat(page.until(ended()).status()).isEqualTo(TurnStatus.CANCELLED);
        }
    }

    @Test
    @DisplayName("news of drones and sessions go to their owner and nobody else")
    void news() throws Exception {
        TestPeople.Person eve = people.member();
        try (var hers = new Page(eve);
                var mine = new Page(ada)) {
            SessionId session = TestSessions.session(ada);
            assertThat(mine.expect(IdeEvent.SessionChanged.class))
                    .isEqualTo(new IdeEvent.SessionChanged(session, false));
            try (var drone = new SimulatedDrone(mapper, ada)) {
                assertThat(mine.expect(IdeEvent.DroneChanged.class))
                        .isEqualTo(new IdeEvent.DroneChanged(drone.id(), DroneStatus.AVAILABLE));
                drone.cut();
                mine.expect(IdeEvent.DroneChanged.class, changed -> changed.status() == DroneStatus.OFFLINE);
            }
            ada.request().delete("/api/v1/sessions/" + session).then().statusCode(204);
            mine.expect(IdeEvent.SessionChanged.class, IdeEvent.SessionChanged::deleted);
            hers.say(new IdeCommand.Ping());
            assertThat(mapper.readValue(hers.socket.receive(), IdeEvent.class)).isInstanceOf(IdeEvent.Pong.class);
        }
    }

    @Test
    @DisplayName("a page that shows something else hears that a session's turn asks, goes on and ends")
    void elsewhere() throws Exception {
        SessionId session = TestSessions.session(ada);
        try (var drone = new SimulatedDrone(mapper, ada);
                var page = new Page(ada)) {
            ada.request()
                    .header("Prefer", "respond-async")
                    .body(Map.of("prompt", "Edit a."))
                    .post("/api/v1/sessions/" + session + "/turns")
                    .then()
                    .statusCode(202);
            drone.take();
            listed(page, session, "queued");
            drone.report(
                    new WorkEntry.ToolCalled(1, "c1", "edit_file", Map.of("path", "a")),
                    new WorkEntry.ToolAwaitsApproval(2, "c1", "It writes a.", null, null));
            listed(page, session, "awaiting_approval");
            drone.report(
                    new WorkEntry.ToolStarted(3, "c1", null),
                    new WorkEntry.ToolEnded(4, "c1", ToolCallState.DONE, "ok"));
            listed(page, session, "processing");
            drone.report(new WorkEntry.WorkOrderComplete(5, TurnStatus.FINISHED, null, USAGE));
            listed(page, session, "finished");
        }
    }

    /** Waits for the news, and looks at the list as the page would. */
    private void listed(Page page, SessionId session, String status) throws Exception {
        page.expect(
                IdeEvent.SessionChanged.class,
                changed -> changed.sessionId().equals(session)
                        && status.equals(ada.request().get("/api/v1/sessions").path("items[0].turnStatus")));
    }

    @Test
    @DisplayName("a token that is taken back ends the sockets that it opened, and no others")
    void revoked() throws Exception {
        String token = ada.request()
                .body(Map.of("name", "other"))
                .post("/api/v1/tokens")
                .then()
                .statusCode(201)
                .extract()
                .path("token");
        String id = ada.request().get("/api/v1/tokens").then().extract().path("items.find { it.name == 'other' }.id");
        try (var stays = new Page(ada);
                var goes = new Page(new TestPeople.Person(ada.id(), ada.email(), token))) {
            ada.request().delete("/api/v1/tokens/" + id).then().statusCode(204);
            assertThat(goes.socket.closeCode()).isEqualTo(4401);
            stays.say(new IdeCommand.Ping());
            assertThat(stays.expect(IdeEvent.Pong.class)).isNotNull();
        }
    }

    @Test
    @DisplayName(
            "a token that expires ends the socket that it opened as one that is taken back does, though the page talks on")
    void expired() throws Exception {
        String token = people.token(ada.id(), Duration.ofSeconds(10));
        try (var stays = new Page(ada);
                var goes = new Page(new TestPeople.Person(ada.id(), ada.email(), token))) {
            goes.say(new IdeCommand.Ping());
            assertThat(goes.expect(IdeEvent.Pong.class)).isNotNull();
            assertThat(goes.socket.closeCode()).isEqualTo(4401);
            stays.say(new IdeCommand.Ping());
            assertThat(stays.expect(IdeEvent.Pong.class)).isNotNull();
        }
    }

    @Test
    @DisplayName("a frame of more than a mebibyte ends the connection, and nothing of it is kept")
    void tooLarge() throws Exception {
        try (var page = new Page(ada)) {
            page.socket.sendQuietly("x".repeat(Protocol.MAX_FRAME_BYTES + 1));
            assertThat(page.socket.isClosed()).isTrue();
        }
    }

    @Test
    @DisplayName("G-08: a page that reads slowly gets fewer and larger updates, and the whole text")
    void coalesces() throws Exception {
        SessionId session = TestSessions.session(ada);
        try (var drone = new SimulatedDrone(mapper, ada);
                var page = new Page(ada)) {
            page.ask("o", new IdeCommand.OpenSession("o", session));
            page.ask("s", new IdeCommand.SubmitPrompt("s", session, "Count."));
            drone.take();
            int pieces = 2000;
            var expected = new StringBuilder();
            for (int seq = 1; seq <= pieces; seq++) {
                drone.report(new WorkEntry.Response(seq, null, seq + " "));
                expected.append(seq).append(' ');
            }
            drone.report(new WorkEntry.WorkOrderComplete(pieces + 1L, TurnStatus.FINISHED, null, USAGE));
            int[] frames = {0};
            page.expect(IdeEvent.TurnChanged.class, _ -> {
                frames[0]++;
                return page.copy.turn().status().ended();
            });
            assertThat(text(page.copy.turn())).isEqualTo(expected.toString());
            assertThat(frames[0]).isLessThan(pieces);
        }
    }

    @Test
    @DisplayName(
            "G-08: a page that read nothing for a while gets all of a turn that went on, beside one that stands still")
    void readsOn() throws Exception {
        SessionId session = TestSessions.session(ada);
        try (var drone = new SimulatedDrone(mapper, ada);
                var quick = new Page(ada);
                var slow = new Page(ada)) {
            for (Page page : List.of(quick, slow)) {
                page.ask("o", new IdeCommand.OpenSession("o", session));
            }
            quick.ask("s", new IdeCommand.SubmitPrompt("s", session, "Talk."));
            drone.take();
            try (var silent = new SimulatedDrone(mapper, ada)) {
                SessionId beside = TestSessions.session(ada);
                TurnId still = Objects.requireNonNull(quick.ask("b", new IdeCommand.SubmitPrompt("b", beside, "Think."))
                        .turnId());
                HeldWork held = silent.held(silent.take(), 0, true, false);
                slow.ask("f", new IdeCommand.FollowTurn("f", still, null));
                slow.socket.stopReading();
                // More than what two sockets take in for a page that does not read.
                String part = "x".repeat(Protocol.TEXT_PART_CHARS);
                int parts = 500;
                for (int seq = 1; seq <= parts; seq++) {
                    drone.report(new WorkEntry.Thinking(seq, null, part));
                    if (seq % 50 == 0) {
                        // A block has its limit, and a drone that says too much at once is cut off.
                        drone.report(new WorkEntry.Response(++seq, null, part));
                        quick.untilSaid(still, 50 * part.length());
                        silent.say(new DroneEvent.Heartbeat(DroneStatus.BUSY, List.of(held), null));
                    }
                }
                slow.socket.readOn();
                // A drone that is not heard of for half a minute is news, and any news has the page looked at again.
                assertThat(slow.untilSaid(still, parts * part.length())).doesNotContain(DroneStatus.OFFLINE);
            }
        }
    }
}
