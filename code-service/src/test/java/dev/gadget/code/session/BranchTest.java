package dev.gadget.code.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.RefusedException;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.audit.AuditEntry;
import dev.gadget.code.audit.AuditFilter;
import dev.gadget.code.drone.SimulatedDrone;
import dev.gadget.code.store.AuditArchive;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreFixtures;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.code.turn.StoredBlock;
import dev.gadget.code.turn.TurnRecord;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Limits;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.api.AuditApi.AuditKind;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.FileChange;
import dev.gadget.model.turn.RoundUsage;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.WorkEntry;
import dev.gadget.model.work.WorkOrder;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.common.mapper.TypeRef;
import io.restassured.response.ValidatableResponse;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("A branch of a session")
class BranchTest {
    private static final String SESSIONS = "/api/v1/sessions/";

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    @Inject
    Branches branches;

    @Inject
    Sessions sessions;

    @Inject
    Event<SessionUpdated> updated;

    @Inject
    SessionArchive archive;

    @Inject
    TurnArchive turns;

    @Inject
    AuditArchive audit;

    private TestPeople.Person ada;
    private SessionId session;
    private SimulatedDrone drone;

    @BeforeEach
    void somebodyWithADrone() throws Exception {
        ada = people.member();
        session = TestSessions.session(ada);
        drone = new SimulatedDrone(mapper, ada);
    }

    @AfterEach
    void away() {
        drone.close();
    }

    private String submit(SessionId to, String prompt) {
        return ada.request()
                .header("Prefer", "respond-async")
                .body(Map.of("prompt", prompt))
                .post(SESSIONS + to + "/turns")
                .then()
                .statusCode(202)
                .extract()
                .path("turnId");
    }

    /** A turn with all that a turn can have, that changed a file. */
    private String turn(String prompt, String answer) throws Exception {
        String id = submit(session, prompt);
        drone.take();
        drone.report(
                new WorkEntry.RoundStarted(1, 1),
                new WorkEntry.Thinking(2, null, "Hm."),
                new WorkEntry.ToolCalled(3, "c1", "write_file", Map.of("path", "a.txt")),
                new WorkEntry.ToolStarted(4, "c1", null),
                new WorkEntry.ToolOutput(5, "c1", "wrote"),
                new WorkEntry.ToolEnded(6, "c1", ToolCallState.DONE, "done"),
                new WorkEntry.RoundStarted(7, 2),
                new WorkEntry.Response(8, null, answer),
                new WorkEntry.FilesChanged(
                        9,
                        new TurnFiles(
                                List.of(new FileChange("a.txt", FileChange.Kind.ADDED, 1, 0)), 1, "+a", false, false)),
                new WorkEntry.WorkOrderComplete(
                        10, TurnStatus.FINISHED, null, new Usage(11, 22, 5, new BigDecimal("0.0042"))));
        drone.expect(DroneCommand.ReleaseWorkOrder.class);
        return id;
    }

    private void finish() throws Exception {
        drone.report(new WorkEntry.WorkOrderComplete(1, TurnStatus.FINISHED, null, Usage.NONE));
        drone.expect(DroneCommand.ReleaseWorkOrder.class);
    }

    private ValidatableResponse branching(TestPeople.Person who, SessionId from, Object body) {
        return who.request().body(body).post(SESSIONS + from + "/branches").then();
    }

    private SessionId branch(String before) {
        String id = branching(ada, session, Map.of("turnId", before))
                .statusCode(201)
                .extract()
                .path("id");
        return new SessionId(id);
    }

    private List<Turn> turnsOf(SessionId id) throws JsonProcessingException {
        String read = ada.request()
                .get(SESSIONS + id)
                .then()
                .statusCode(200)
                .extract()
                .asString();
        return mapper.convertValue(
                mapper.readTree(read).get("turns"),
                mapper.getTypeFactory().constructCollectionType(List.class, Turn.class));
    }

    @Test
    @DisplayName("has the place and the settings of the session, and is in the list; no title takes its name")
    void settings() throws Exception {
        String first = turn("one", "First.");
        drone.say(new DroneEvent.SessionTitled(session, "Mend the till", null));
        turn("two", "Second.");
        Map<String, Object> changed = Map.of(
                "reasoningEffort",
                "high",
                "approvalPolicy",
                "ask",
                "rules",
                List.of(Map.of("action", "allow", "tool", "run_command", "command", "make *")),
                "limits",
                Map.of("maxRounds", 7),
                "whenBusy",
                "queue",
                "toolQueue",
                "sequential",
                "worktree",
                true,
                "pinned",
                true,
                "archived",
                true);
        ada.request().body(changed).patch(SESSIONS + session).then().statusCode(200);
        Map<String, Object> original = ada.request().get(SESSIONS + session).as(new TypeRef<>() {});

        String location = branching(ada, session, Map.of("turnId", first))
                .statusCode(201)
                .extract()
                .header("Location");

        Map<String, Object> made = ada.request().get(location).as(new TypeRef<>() {});
        for (String kept : List.of(
                "projectId",
                "providerId",
                "model",
                "reasoningEffort",
                "workspaceId",
                "limits",
                "approvalPolicy",
                "rules",
                "whenBusy",
                "toolQueue",
                "worktree")) {
            assertThat(made.get(kept)).as(kept).isEqualTo(original.get(kept));
        }
        assertThat(made).containsEntry("name", "Mend the till (branch)");
        assertThat(made).containsEntry("pinned", false).containsEntry("archived", false);
        assertThat(made).doesNotContainKeys("runningTurnId", "turnStatus", "turnEndedAt");
        assertThat(location).isEqualTo(SESSIONS + made.get("id"));
        ada.request().get(SESSIONS).then().body("items", hasSize(2)).body("items[0].id", equalTo(made.get("id")));
        var policies = new AuditFilter(Optional.of(AuditKind.POLICY_CHANGED), Optional.of(ada.id()));
        AuditEntry noted = audit.list(policies, Optional.empty(), 1).items().getFirst();
        assertThat(noted.subject()).isEqualTo(made.get("id"));
        assertThat(noted.detail()).isEqualTo("approvals ask, rules 1");
    }

    @Test
    @DisplayName("begins with copies of the turns before a turn, in their order, without a way to undo what they did")
    void copies() throws Exception {
        turn("one", "First.");
        String second = turn("two", "Second.");
        String third = turn("three", "Third.");
        List<Turn> before = turnsOf(session);

        SessionId branch = branch(third);

        List<Turn> copied = turnsOf(branch);
        assertThat(copied).hasSize(2);
        for (int i = 0; i < 2; i++) {
            Turn original = before.get(i);
            Turn copy = copied.get(i);
            assertThat(copy)
                    .usingRecursiveComparison()
                    .ignoringFields("id", "sessionId", "files")
                    .isEqualTo(original);
            assertThat(copy.blocks()).isNotEmpty();
            assertThat(copy.id()).isNotEqualTo(original.id());
            assertThat(copy.sessionId()).isEqualTo(branch);
            assertThat(original.files()).isNotNull();
            assertThat(copy.files()).isNull();
            TurnRecord record = turns.find(copy.id()).orElseThrow();
            TurnRecord stored = turns.find(original.id()).orElseThrow();
            assertThat(record.workOrderId()).isNotEqualTo(stored.workOrderId());
            assertThat(record.roundUsages()).isEqualTo(stored.roundUsages());
            ada.request().get("/api/v1/turns/" + copy.id()).then().statusCode(200);
            for (String way : List.of("undo", "redo")) {
                ada.request()
                        .body(Map.of())
                        .post("/api/v1/turns/" + copy.id() + "/" + way)
                        .then()
                        .statusCode(409);
            }
        }
        assertThat(turnsOf(session)).isEqualTo(before);
        assertThat(turnsOf(branch(second))).extracting(Turn::prompt).containsExactly("one");
    }

    @Test
    @DisplayName("from the first turn is empty, and gets a title of its own")
    void fromTheFirst() throws Exception {
        String first = turn("one", "First.");

        SessionId branch = branch(first);

        assertThat(turnsOf(branch)).isEmpty();
        submit(branch, "other words");
        WorkOrder order = drone.take().workOrder();
        assertThat(order.history()).isEmpty();
        assertThat(order.wantsTitle()).isTrue();
        finish();
    }

    @Test
    @DisplayName(
            "of a limit for all turns, each order has what is left, and what a branch was given counts where it was used")
    void limitOfAllTurns() throws Exception {
        ada.request()
                .body(Map.of("limits", Map.of("maxRounds", 7, "maxSessionOutputTokens", 50, "maxSessionCost", 0.01)))
                .patch(SESSIONS + session)
                .then()
                .statusCode(200);
        turn("one", "First.");
        Usage title = new Usage(5, 3, 0, new BigDecimal("0.0008"));
        sessions.entitle(ada.id(), drone.workspace(), session, "Mend the till", Optional.of(title));
        String last = turn("two", "Second.");
        SessionId branch = branch(last);

        submit(session, "three");
        assertThat(drone.take().workOrder().limits())
                .isEqualTo(new Limits(7, null, null, null, null, null, 3, new BigDecimal("0.0008")));
        drone.report(new WorkEntry.WorkOrderComplete(
                1, TurnStatus.FINISHED, null, new Usage(1, 40, 0, new BigDecimal("0.00123456789123"))));
        drone.expect(DroneCommand.ReleaseWorkOrder.class);
        submit(session, "four");
        Limits none = drone.take().workOrder().limits();
        assertThat(none.maxSessionOutputTokens()).isZero();
        assertThat(none.maxSessionCost()).isEqualByComparingTo("0");
        finish();

        submit(branch, "other words");
        Limits all = drone.take().workOrder().limits();
        assertThat(all.maxSessionOutputTokens()).isEqualTo(50);
        assertThat(all.maxSessionCost()).isEqualByComparingTo("0.01");
        finish();
    }

    @Test
    @DisplayName("gives the agent exactly the turns before as history, and leaves the session its own")
    void history() throws Exception {
        turn("one", "First.");
        turn("two", "Second.");
        String third = turn("three", "Third.");
        submit(session, "four");
        List<PastTurn> known = drone.take().workOrder().history();
        finish();
        SessionId branch = branch(third);

        submit(branch, "three, in other words");

        WorkOrder order = drone.take().workOrder();
        assertThat(order.chatSessionId()).isEqualTo(branch);
        assertThat(order.workspaceId()).isEqualTo(drone.workspace());
        assertThat(order.wantsTitle()).isNull();
        assertThat(order.history())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("turnId")
                .isEqualTo(known.subList(0, 2));
        assertThat(order.history())
                .extracting(PastTurn::turnId)
                .doesNotContainAnyElementsOf(
                        known.stream().map(PastTurn::turnId).toList());
        finish();
        assertThat(turnsOf(branch)).extracting(Turn::prompt).containsExactly("one", "two", "three, in other words");
        assertThat(turnsOf(session)).extracting(Turn::prompt).containsExactly("one", "two", "three", "four");
    }

    @Test
    @DisplayName("is made while a turn runs and others wait, which are not copied")
    void whileATurnRuns() throws Exception {
        ada.request()
                .body(Map.of("whenBusy", "queue"))
                .patch(SESSIONS + session)
                .then()
                .statusCode(200);
        turn("one", "First.");
        String running = submit(session, "two");
        drone.take();
        drone.report(new WorkEntry.Response(1, null, "Half of "));
        submit(session, "three");
        String last = submit(session, "four");

        assertThat(turnsOf(branch(running))).extracting(Turn::prompt).containsExactly("one");
        assertThat(turnsOf(branch(last))).extracting(Turn::prompt).containsExactly("one");

        ada.request().get(SESSIONS + session).then().body("runningTurnId", equalTo(running));
        ada.request().delete(SESSIONS + session).then().statusCode(204);
    }

    @Test
    @DisplayName("of a long session has all turns in their order, also those that are from the same moment")
    void order() throws Exception {
        Instant then = Instant.parse("2026-11-21T10:00:00Z");
        List<TurnRecord> many = IntStream.range(0, 50)
                .mapToObj(i -> stored(then.plusMillis(i / 3), TurnStatus.FINISHED, null))
                .toList();
        many.forEach(turns::insert);
        List<TurnRecord> ordered = turns.ofSession(session);

        SessionId branch = branch(ordered.getLast().id().value());

        assertThat(turns.ofSession(branch))
                .extracting(TurnRecord::roundUsages)
                .isEqualTo(ordered.subList(0, 49).stream()
                        .map(TurnRecord::roundUsages)
                        .toList());
    }

    @Test
    @DisplayName("does not say of an interrupted turn that it goes on there, but says why a turn failed")
    void interrupted() throws Exception {
        Instant then = Instant.parse("2026-11-21T10:00:00Z");
        var lost = new Failure(FailureCode.DRONE_LOST, "It goes on here by itself.");
        TurnRecord interrupted = stored(then, TurnStatus.INTERRUPTED, lost);
        turns.insert(interrupted);
        var call = new ToolCall("c", "run_command", Map.of(), ToolCallState.RUNNING, "so far", null, then, null, null);
        turns.putBlocks(interrupted.id(), List.of(new StoredBlock(new Block.Tool(0, then, null, null, call), 1, 2, 1)));
        turns.insert(stored(then.plusMillis(1), TurnStatus.FAILED, lost));
        TurnRecord fork = stored(then.plusMillis(2), TurnStatus.FINISHED, null);
        turns.insert(fork);

        List<Turn> copied = turnsOf(branch(fork.id().value()));

        assertThat(copied).extracting(Turn::status).containsExactly(TurnStatus.INTERRUPTED, TurnStatus.FAILED);
        assertThat(copied).extracting(Turn::error).containsExactly(null, lost);
        var copy = (Block.Tool) copied.getFirst().blocks().getFirst();
        assertThat(copy.content().state().ended()).as("nobody runs it there").isTrue();
        assertThat(copy.closedAt()).isNotNull();
        var original = (Block.Tool) turns.blocks(interrupted.id()).getFirst().block();
        assertThat(original.content().state()).isEqualTo(ToolCallState.RUNNING);
    }

    private int places;

    /** A turn of the session, which its usage tells from the others. */
    private TurnRecord stored(Instant at, TurnStatus status, @Nullable Failure error) {
        TurnRecord some = StoreFixtures.turn(session, at);
        return new TurnRecord(
                some.id(),
                session,
                ada.id(),
                some.prompt(),
                status,
                some.provider(),
                some.model(),
                some.reasoningEffort(),
                some.workOrderId(),
                some.droneId(),
                some.workspaceId(),
                1,
                1,
                9,
                TurnRecord.NOTHING_OPEN,
                some.usage(),
                List.of(new RoundUsage(1, places++, 0, 0)),
                some.stats(),
                null,
                error,
                at,
                at,
                0);
    }

    @Test
    @DisplayName("has used nothing before it does something: what is copied was used by the original")
    void usedNothing() throws Exception {
        turn("one", "First.");
        String last = turn("two", "Second.");

        SessionId branch = branch(last);

        figures(session).body("turns", hasSize(2)).body("usage.outputTokens", greaterThan(0));
        figures(branch)
                .body("turns", hasSize(1))
                .body("turns[0].usage.outputTokens", greaterThan(0))
                .body("usage.outputTokens", equalTo(0))
                .body("tools", hasSize(0));
    }

    private ValidatableResponse figures(SessionId id) {
        return ada.request().get(SESSIONS + id + "/analytics").then().statusCode(200);
    }

    @Test
    @DisplayName("is not made of another person's session, from a turn of another session, or without a turn")
    void refused() throws Exception {
        String turn = turn("one", "First.");
        SessionId another = TestSessions.session(ada);
        TestPeople.Person eve = people.member();
        Map<String, String> wanted = Map.of("turnId", turn);
        branching(eve, session, wanted).statusCode(404).body("code", equalTo("not_found"));
        branching(eve, TestSessions.session(eve), wanted).statusCode(404);
        branching(ada, another, wanted).statusCode(404);
        branching(ada, SessionId.random(), wanted).statusCode(404);
        branching(ada, session, Map.of("turnId", TurnId.random().value()))
                .statusCode(404)
                .body("code", equalTo("not_found"));
        branching(ada, session, Map.of()).statusCode(422).body("field", equalTo("turnId"));
        branching(ada, session, Map.of("turnId", "no id")).statusCode(422).body("field", equalTo("turnId"));
        branching(ada, session, Map.of("turnId", turn, "prompt", "x")).statusCode(400);
        ada.request().get(SESSIONS).then().body("items", hasSize(2));
        eve.request().get(SESSIONS).then().body("items", hasSize(1));
    }

    private String keyed(String key, String turn) {
        return ada.request()
                .header("Idempotency-Key", key)
                .body(Map.of("turnId", turn))
                .post(SESSIONS + session + "/branches")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
    }

    @Test
    @DisplayName("is the same one when it is asked for again by the same Idempotency-Key, and is noted once")
    void askedForAgain() throws Exception {
        turn("one", "First.");
        String turn = turn("two", "Second.");
        String first = keyed("k1", turn);

        String again = keyed("k1", turn);
        String another = keyed("k2", turn);

        assertThat(again).isEqualTo(first);
        assertThat(another).isNotEqualTo(first);
        assertThat(turnsOf(new SessionId(first))).extracting(Turn::prompt).containsExactly("one");
        ada.request().get(SESSIONS).then().body("items", hasSize(3));
        var policies = new AuditFilter(Optional.of(AuditKind.POLICY_CHANGED), Optional.of(ada.id()));
        assertThat(audit.list(policies, Optional.empty(), 10).items())
                .extracting(AuditEntry::subject)
                .containsExactlyInAnyOrder(first, another);
        ada.request()
                .header("Idempotency-Key", "k".repeat(201))
                .body(Map.of("turnId", turn))
                .post(SESSIONS + session + "/branches")
                .then()
                .statusCode(422)
                .body("field", equalTo("Idempotency-Key"));
    }

    @Test
    @DisplayName("that failed half made is made anew when it is asked for again by the same Idempotency-Key")
    void askedForAgainAfterAFailure() throws Exception {
        turn("one", "First.");
        String turn = turn("two", "Second.");
        ChatSession original = archive.find(ada.id(), session).orElseThrow();
        ChatSession half = original.branch(SessionId.random(), session + "/k1", original.createdAt());
        archive.beginInsert(half);
        TurnRecord copy = turns.find(new TurnId(turn)).orElseThrow().copiedTo(half.id(), original.createdAt());
        turns.insert(copy);

        SessionId made = new SessionId(keyed("k1", turn));

        assertThat(made).isNotEqualTo(half.id());
        assertThat(turns.ofSession(half.id())).isEmpty();
        assertThat(archive.beingInserted()).doesNotContain(half);
        assertThat(turnsOf(made)).extracting(Turn::prompt).containsExactly("one");
        assertThat(keyed("k1", turn)).isEqualTo(made.value());
    }

    @Test
    @DisplayName(
            "that was deleted and made again by the same Idempotency-Key keeps its turns when the deletion is ended once more")
    void madeAgainAfterADeletion() throws Exception {
        turn("one", "First.");
        String turn = turn("two", "Second.");
        SessionId first = new SessionId(keyed("k1", turn));
        archive.beginDelete(ada.id(), first);
        List<ChatSession> listed = archive.beingDeleted();
        sessions.endDeletes();

        SessionId again = new SessionId(keyed("k1", turn));
        listed.forEach(sessions::endDelete);

        assertThat(listed).extracting(ChatSession::id).contains(first);
        assertThat(again).isNotEqualTo(first);
        assertThat(turnsOf(again)).extracting(Turn::prompt).containsExactly("one");
    }

    @Test
    @DisplayName("whose making another process gave up leaves none of its turns")
    void givenUpMeanwhile() throws Exception {
        turn("one", "First.");
        String turn = turn("two", "Second.");
        List<SessionId> copiedTo = new ArrayList<>();
        var givingUp = new Branches(
                sessions,
                archive,
                beforeInserts(copied -> {
                    // Of another process: this one does not know of the making.
                    branches.removeUnfinished();
                    copiedTo.add(copied.sessionId());
                }),
                updated);

        assertThatThrownBy(() -> givingUp.make(ada.id(), session, new TurnId(turn), Optional.of("k1")))
                .asInstanceOf(type(RefusedException.class))
                .returns(FailureCode.STORE_UNAVAILABLE, RefusedException::code);

        assertThat(copiedTo).hasSize(1);
        assertThat(turns.ofSession(copiedTo.getFirst())).isEmpty();
        assertThat(turnsOf(new SessionId(keyed("k1", turn)))).hasSize(1);
    }

    private TurnArchive beforeInserts(Consumer<TurnRecord> before) {
        return (TurnArchive) Proxy.newProxyInstance(
                TurnArchive.class.getClassLoader(), new Class<?>[] {TurnArchive.class}, (_, method, given) -> {
                    if (method.getName().equals("insert")) {
                        before.accept((TurnRecord) given[0]);
                    }
                    return method.invoke(turns, given);
                });
    }

    @Test
    @DisplayName("that a stop of the service left half made was never seen, and is removed at the next start")
    void leftHalf() throws Exception {
        String turn = turn("one", "First.");
        ChatSession original = archive.find(ada.id(), session).orElseThrow();
        ChatSession half = original.branch(SessionId.random(), null, original.createdAt());
        archive.beginInsert(half);
        TurnRecord copy = turns.find(new TurnId(turn)).orElseThrow().copiedTo(half.id(), original.createdAt());
        turns.insert(copy);
        List<StoredBlock> blocks = new ArrayList<>(turns.blocks(new TurnId(turn)));
        turns.putBlocks(copy.id(), blocks);
        ada.request().get(SESSIONS + half.id()).then().statusCode(404);
        ada.request().get(SESSIONS).then().body("items.id", equalTo(List.of(session.value())));

        branches.removeUnfinished();

        assertThat(archive.beingInserted()).isEmpty();
        assertThat(turns.ofSession(half.id())).isEmpty();
        assertThat(turns.blocks(copy.id())).isEmpty();
        assertThat(turns.blocks(new TurnId(turn))).isEqualTo(blocks);
    }
}
