package dev.gadget.code.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.LogLines;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.code.turn.LiveTurn.Reported;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.WorkEntry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
class LiveTurnTest {
    @Inject
    LiveTurns live;

    @Inject
    TurnArchive archive;

    @Inject
    TurnLibrary library;

    @Inject
    TurnSaver saver;

    private static WorkEntry said(long seq, String text) {
        return new WorkEntry.Response(seq, null, text);
    }

    @Test
    @DisplayName("F21: what a thawed drone says over its old connection is not taken as heard, and comes again")
    void interruptedTakesNothing() {
        LiveTurn turn = begun();
        assertThat(turn.report(1, 1, List.of(said(1, "one ")))).isInstanceOf(Reported.Taken.class);
        turn.interrupt(new Failure(FailureCode.DRONE_LOST, "away"));
        assertThat(turn.report(1, 1, List.of(said(2, "two ")))).isInstanceOf(Reported.Away.class);
        assertThat(turn.appliedSeq()).isEqualTo(1);
        turn.reopen();
        assertThat(turn.report(1, 1, List.of(said(2, "two "), said(3, "three"))))
                .isInstanceOf(Reported.Taken.class);
        assertThat(turn.toTurn().blocks())
                .singleElement()
                .isInstanceOfSatisfying(
                        Block.Responding.class,
                        block -> assertThat(block.content()).isEqualTo("one two three"));
    }

    @Test
    @DisplayName(
            "S4-02: a turn that was given up is over for whoever reads it from the store, one whose drone may return is not")
    void givenUp() throws Exception {
        LiveTurn turn = begun();
        turn.interrupt(new Failure(FailureCode.DRONE_LOST, "away"));
        assertThat(turn.awaitStored(Duration.ofSeconds(60))).isTrue();
        assertThat(restored(turn).over()).isFalse();
        turn.settle();
        assertThat(turn.awaitStored(Duration.ofSeconds(60))).isTrue();
        assertThat(turn.since(null).over()).isTrue();
        assertThat(restored(turn).over()).isTrue();

        turn.cancel();
        assertThat(turn.status()).isEqualTo(TurnStatus.INTERRUPTED);
    }

    @Test
    @DisplayName("F31: a turn that is cancelled while its drone goes does not go on when the drone is back")
    void cancelledInTheMoment() {
        LiveTurn turn = begun();
        turn.interrupt(new Failure(FailureCode.DRONE_LOST, "away"));

        turn.cancel();

        assertThat(turn.status()).isEqualTo(TurnStatus.CANCELLED);
        assertThat(turn.since(null).over()).isTrue();
        turn.reopen();
        assertThat(turn.status()).isEqualTo(TurnStatus.CANCELLED);
        assertThat(turn.report(1, 1, List.of(said(1, "late")))).isInstanceOf(Reported.Outdated.class);
    }

    @Test
    @DisplayName("S4-02: giving up a turn that its drone took up again in that moment leaves it the drone")
    void takenUpInTheMoment() {
        LiveTurn turn = begun();
        turn.interrupt(new Failure(FailureCode.DRONE_LOST, "away"));
        turn.reopen();

        turn.settle();
        turn.settle(new Failure(FailureCode.DRONE_LOST, "without it"));

        assertThat(turn.status()).isEqualTo(TurnStatus.PROCESSING);
        assertThat(turn.drone()).isNotNull();
        assertThat(turn.report(1, 1, List.of(said(1, "still here")))).isInstanceOf(Reported.Taken.class);
    }

    @Test
    @DisplayName("S4-02: an interrupted turn that somebody was just given stays in memory, where its drone finds it")
    void staysForItsReader() throws Exception {
        TurnRecord record = TurnFixture.fresh();
        archive.insert(record);
        Instant began = Instant.parse("2026-11-21T10:00:00Z");
        var now = new AtomicReference<>(began);
        InstantSource ticks = () -> Objects.requireNonNull(now.get());
        var life = new TurnLife(new SimpleMeterRegistry());
        var turn = new LiveTurn(record, List.of(), saver, life, TurnLimits.STANDARD, ticks.withZone(ZoneOffset.UTC));
        turn.interrupt(new Failure(FailureCode.DRONE_LOST, "away"));
        assertThat(turn.awaitStored(Duration.ofSeconds(60))).isTrue();
        now.set(began.plusSeconds(200));
        assertThat(turn.restsSince(began.plusSeconds(80))).isTrue();

        turn.keep();

        assertThat(turn.restsSince(began.plusSeconds(80))).isFalse();
    }

    @Test
    @DisplayName("S3: a decision that brings rules is neither told nor stored before they are taken")
    void rulesComeFirst() throws Exception {
        LiveTurn turn = begun();
        turn.report(1, 1, List.of(new WorkEntry.ToolCalled(1, "c1", "run_command", Map.of()), asks(2, "abc")));
        assertThat(turn.decide("c1", approved("abc"), true)).isEqualTo(TurnDocument.Decided.TAKEN);
        assertThat(turn.decide("c1", approved("abc"), true)).isEqualTo(TurnDocument.Decided.KNOWN);
        turn.lease(DroneId.random(), WorkspaceId.random(), 2, 2);
        turn.report(2, 2, List.of(asks(3, "abc")));
        assertThat(turn.decisions()).isEmpty();
        assertThat(turn.takeAnswered()).isEmpty();
        assertThat(turn.mayTell("c1")).isFalse();
        assertThat(turn.awaitStored(Duration.ofSeconds(60))).isTrue();
        assertThat(restored(turn).decisions()).isEmpty();

        turn.rulesTaken("c1");

        assertThat(turn.mayTell("c1")).isTrue();
        assertThat(turn.decisions()).containsExactly(approved("abc").command(turn.workOrder(), "c1"));
        assertThat(turn.awaitStored(Duration.ofSeconds(60))).isTrue();
        assertThat(restored(turn).decisions()).containsKey("c1");
    }

    private static WorkEntry asks(long seq, String shown) {
        return new WorkEntry.ToolAwaitsApproval(seq, "c1", "It runs.", null, shown);
    }

    private static ToolDecision approved(String shown) {
        return new ToolDecision(
                ApprovalDecision.APPROVE,
                null,
                shown,
                Map.of("command", "make all"),
                List.of("make *"),
                UserId.random(),
                Instant.parse("2026-11-21T10:00:00Z"),
                1);
    }

    @Test
    @DisplayName(
            "a decision is stored with its turn, is told when a later attempt asks the same, once, and never for anything else")
    void keepsDecisions() throws Exception {
        LiveTurn turn = begun();
        turn.report(1, 1, List.of(new WorkEntry.ToolCalled(1, "c1", "run_command", Map.of()), asks(2, "abc")));
        turn.interrupt(new Failure(FailureCode.DRONE_LOST, "away"));
        assertThat(turn.decide("c1", approved("other"))).isEqualTo(TurnDocument.Decided.NOT_ASKED);
        assertThat(turn.decide("c1", approved("abc"))).isEqualTo(TurnDocument.Decided.TAKEN);
        assertThat(turn.decide("c1", approved("abc"))).isEqualTo(TurnDocument.Decided.KNOWN);
        assertThat(turn.awaitStored(Duration.ofSeconds(60))).isTrue();

        // The service is started again, then the drone.
        live.forget(turn);
        LiveTurn again = live.load(turn.id()).orElseThrow();
        ToolDecision kept = approved("abc");
        assertThat(again.decisions()).containsExactly(kept.command(turn.workOrder(), "c1"));
        assertThat(again.takeAnswered()).isEmpty();
        again.lease(DroneId.random(), WorkspaceId.random(), 2, 2);
        again.report(2, 2, List.of(asks(3, "abc")));
        assertThat(again.takeAnswered()).containsExactly(kept.command(turn.workOrder(), "c1"));
        assertThat(again.takeAnswered()).isEmpty();
        // It did not take the answer: the person is asked again.
        again.report(2, 2, List.of(asks(4, "abc")));
        assertThat(again.takeAnswered()).isEmpty();
        assertThat(again.decisions()).isEmpty();

        assertThat(again.decide("c1", approved("abc"))).isEqualTo(TurnDocument.Decided.TAKEN);
        again.lease(DroneId.random(), WorkspaceId.random(), 3, 3);
        again.report(3, 3, List.of(asks(5, "something else")));
        assertThat(again.takeAnswered()).isEmpty();
        assertThat(again.decide("c1", approved("something else"))).isEqualTo(TurnDocument.Decided.TAKEN);
        again.report(3, 3, List.of(new WorkEntry.ToolStarted(6, "c1", null)));
        assertThat(again.decisions()).isEmpty();
        assertThat(again.awaitStored(Duration.ofSeconds(60))).isTrue();
        assertThat(archive.blocks(turn.id()).getFirst().decision()).isNull();
    }

    private TurnDocument restored(LiveTurn turn) {
        return new TurnDocument(archive.find(turn.id()).orElseThrow(), archive.blocks(turn.id()));
    }

    private LiveTurn begun() {
        TurnRecord record = TurnFixture.fresh();
        archive.insert(record);
        LiveTurn turn = live.begin(record);
        turn.lease(DroneId.random(), WorkspaceId.random(), 1, 1);
        return turn;
    }

    @Test
    @DisplayName("cursors that are made up share one snapshot, until the turn changes")
    void unknownCursorsShare() {
        LiveTurn turn = begun();
        TurnUpdate first = turn.since(Cursor.parse("x.1.0.0"));
        for (int revision = 2; revision <= 5000; revision++) {
            assertThat(turn.since(Cursor.parse("x." + revision + ".0.0"))).isSameAs(first);
        }
        turn.report(1, 1, List.of(said(1, "more")));
        assertThat(turn.since(Cursor.parse("x.1.0.0")))
                .isNotSameAs(first)
                .satisfies(now -> assertThat(now.cursor()).isNotEqualTo(first.cursor()));
    }

    @Test
    @DisplayName("readers at the same place share what they lack; of very many places only some are kept")
    void sharesAreBounded() {
        LiveTurn turn = begun();
        turn.report(1, 1, List.of(said(1, "x".repeat(1000))));
        Cursor end = turn.since(null).cursor();
        List<Cursor> places = IntStream.range(0, 1000)
                .mapToObj(offset -> new Cursor(end.epoch(), end.revision(), end.block(), offset))
                .toList();
        List<TurnUpdate> once = places.stream().map(turn::since).toList();
        assertThat(turn.since(places.getFirst())).isSameAs(once.getFirst());
        long kept = IntStream.range(0, places.size())
                .filter(at -> turn.since(places.get(at)) == once.get(at))
                .count();
        assertThat(kept).isEqualTo(64);
        assertThat(once.getLast().changes())
                .singleElement()
                .isInstanceOfSatisfying(
                        TurnChange.TextDelta.class,
                        delta -> assertThat(delta.text()).isEqualTo("x"));
    }

    @Test
    @DisplayName("a long text is not kept for each place in it")
    void longOnesAreNotKept() {
        LiveTurn turn = begun();
        turn.report(1, 1, List.of(said(1, "x".repeat(100_000))));
        Cursor end = turn.since(null).cursor();
        var early = new Cursor(end.epoch(), end.revision(), end.block(), 1);
        var late = new Cursor(end.epoch(), end.revision(), end.block(), 99_000);
        assertThat(turn.since(early)).isNotSameAs(turn.since(early));
        assertThat(turn.since(late)).isSameAs(turn.since(late));
        assertThat(turn.since(early).changes())
                .singleElement()
                .isInstanceOfSatisfying(
                        TurnChange.TextDelta.class,
                        delta -> assertThat(delta.text()).hasSize(99_999));
    }

    @Test
    @DisplayName("F13: a poll of a long turn that is stored, and read for each answer, gets many pieces at once")
    void storedInLargePieces() throws Exception {
        LiveTurn turn = begun();
        turn.report(1, 1, List.of(said(1, "x".repeat(600_000))));
        turn.end(TurnStatus.CANCELLED, null);
        assertThat(turn.awaitStored(Duration.ofSeconds(60))).isTrue();
        live.forget(turn);
        TurnFeed stored = library.feed(turn.owner(), turn.id());
        assertThat(stored.since(null).more()).isTrue();

        TurnUpdate answer = stored.inLargePieces().since(null);

        assertThat(answer.more()).isFalse();
        assertThat(answer.over()).isTrue();
        var reader = new ReaderCopy();
        reader.apply(answer.changes());
        assertThat(reader.turn()).isEqualTo(turn.toTurn());
    }

    private LiveTurn counted(TurnRecord record, SimpleMeterRegistry meters) {
        archive.insert(record);
        return new LiveTurn(record, List.of(), saver, new TurnLife(meters), TurnLimits.STANDARD, TurnFixture.CLOCK);
    }

    @Test
    @DisplayName("A26: the drone of a turn that is ended because too much came is told that its lease is over")
    void tooMuchCame() {
        TurnRecord record = TurnFixture.fresh();
        archive.insert(record);
        var life = new TurnLife(new SimpleMeterRegistry());
        var turn = new LiveTurn(record, List.of(), saver, life, new TurnLimits(10, 10), TurnFixture.CLOCK);
        turn.lease(DroneId.random(), WorkspaceId.random(), 1, 1);

        turn.report(1, 1, List.of(said(1, "twelve chars"), said(2, "more")));

        assertThat(turn.status()).isEqualTo(TurnStatus.FAILED);
        assertThat(turn.report(1, 1, List.of(said(3, "more")))).isInstanceOf(Reported.Outdated.class);
        assertThat(turn.toTurn().blocks()).hasSize(1);
    }

    @Test
    @DisplayName(
            "F1: words that a drone was told are taken from it also by a service that died since, and by the same one once")
    void steeredBeforeACrash() throws InterruptedException {
        LiveTurn turn = begun();
        TurnId prompt = TurnId.random();
        assertThat(turn.steer(prompt, "two", Duration.ofSeconds(60))).isTrue();
        TurnRecord stored = archive.find(turn.id()).orElseThrow();
        turn.abandon();

        var life = new TurnLife(new SimpleMeterRegistry());
        var again = new LiveTurn(stored, List.of(), saver, life, TurnLimits.STANDARD, TurnFixture.CLOCK);
        again.report(stored.attempt(), stored.fence(), List.of(new WorkEntry.Prompted(1, prompt, "two")));
        again.report(stored.attempt(), stored.fence(), List.of(new WorkEntry.Prompted(2, prompt, "two")));

        assertThat(again.toTurn().blocks())
                .singleElement()
                .isInstanceOfSatisfying(
                        Block.Prompt.class, said -> assertThat(said.content()).isEqualTo("two"));
        assertThat(again.awaitStored(Duration.ofSeconds(60))).isTrue();
        assertThat(archive.find(turn.id()).orElseThrow().steered()).doesNotContain(SteeredPrompt.of(prompt, "two"));
    }

    private static double count(SimpleMeterRegistry meters, String name) {
        return meters.find(name).counters().stream().mapToDouble(Counter::count).sum();
    }

    @Test
    @DisplayName("a prompt that is taken back, or into another turn, is told as that, and counted as no end of a turn")
    void withdrawn() {
        var meters = new SimpleMeterRegistry();
        LiveTurn back = counted(TurnFixture.fresh(), meters);
        LiveTurn steered = counted(TurnFixture.fresh(), meters);
        TurnId into = TurnId.random();
        try (LogLines log = LogLines.of("dev.gadget.code.turn.TurnLife")) {
            assertThat(back.withdraw()).isTrue();
            assertThat(steered.withdraw(into)).isTrue();

            assertThat(log.lines())
                    .contains(
                            "prompt withdrawn turnId=" + back.id() + " sessionId=" + back.session(),
                            "prompt taken turnId=" + steered.id() + " sessionId=" + steered.session() + " into="
                                    + into);
            assertThat(log.lines()).noneMatch(line -> line.startsWith("turn ended") && line.contains("" + back.id()));
        }

        assertThat(back.status()).isEqualTo(TurnStatus.CANCELLED);
        assertThat(count(meters, "gadget.turns.ended")).isZero();
    }

    @Test
    @DisplayName("of what a drone says that is counted which was not known, and nothing behind a gap")
    void countsWhatIsNew() {
        var meters = new SimpleMeterRegistry();
        LiveTurn turn = counted(TurnFixture.fresh(), meters);
        turn.report(1, 1, List.of(said(1, "one "), said(2, "two ")));
        turn.report(1, 1, List.of(said(1, "one "), said(2, "two "), said(3, "three ")));

        turn.report(1, 1, List.of(said(5, "five")));

        assertThat(count(meters, "gadget.work.entries")).isEqualTo(3);
    }

    @Test
    @DisplayName("the name of a model that was stored with a line break forges no line of the log")
    void oneLine() {
        TurnRecord turn = TurnFixture.fresh()
                .placed(
                        "demo",
                        "m\nturn ended turnId=x\r\u2028",
                        ReasoningEffort.OFF,
                        DroneId.random(),
                        WorkspaceId.random());
        try (LogLines log = LogLines.of("dev.gadget.code.turn.TurnLife")) {
            new TurnLife(new SimpleMeterRegistry()).began(turn);

            assertThat(log.lines())
                    .filteredOn(line -> line.contains("turnId=" + turn.id()))
                    .singleElement()
                    .asString()
                    .endsWith("model=m?turn ended turnId=x??");
        }
    }
}
