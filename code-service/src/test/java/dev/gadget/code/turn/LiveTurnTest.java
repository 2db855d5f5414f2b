package dev.gadget.code.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.store.TurnArchive;
import dev.gadget.code.turn.LiveTurn.Reported;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.work.WorkEntry;
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
}
