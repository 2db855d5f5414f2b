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
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.WorkEntry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
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

    private LiveTurn counted(TurnRecord record, SimpleMeterRegistry meters) {
        archive.insert(record);
        return new LiveTurn(record, List.of(), saver, new TurnLife(meters), TurnFixture.CLOCK);
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
