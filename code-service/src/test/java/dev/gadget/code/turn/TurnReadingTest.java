package dev.gadget.code.turn;

import static dev.gadget.code.turn.TurnFixture.CLOCK;
import static dev.gadget.code.turn.TurnFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.turn.BlockMode;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.WorkEntry;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TurnReadingTest {
    private static final String EPOCH = "e1";

    @Test
    @DisplayName("S4, G-08, G-09: however a reader is cut, delayed and resumed, what it has is the document")
    void everyReaderGetsTheDocument() {
        for (int seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            var document = new TurnDocument(TurnFixture.fresh(), List.of());
            var reader = new ReaderCopy();
            Cursor cursor = null;
            for (WorkEntry entry : TurnFixture.script(random, 1 + random.nextInt(4))) {
                document.apply(entry, CLOCK);
                if (random.nextInt(3) == 0) {
                    TurnUpdate update = TurnReading.since(document, EPOCH, cursor);
                    reader.apply(update.changes());
                    if (random.nextInt(4) == 0) {
                        // Cut before the cursor was noted: the same steps come again.
                        reader.apply(TurnReading.since(document, EPOCH, cursor).changes());
                    }
                    cursor = random.nextInt(10) == 0 ? null : update.cursor();
                }
            }
            reader.apply(TurnReading.since(document, EPOCH, cursor).changes());
            assertThat(reader.turn()).as("seed %d", seed).isEqualTo(document.toTurn());
        }
    }

    @Test
    @DisplayName("a reader that has everything gets nothing, and its cursor stays")
    void nothingMissing() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        TurnFixture.script(new Random(1), 2).forEach(entry -> document.apply(entry, CLOCK));
        Cursor end = TurnReading.since(document, EPOCH, null).cursor();
        TurnUpdate update = TurnReading.since(document, EPOCH, end);
        assertThat(update.changes()).isEmpty();
        assertThat(update.cursor()).isEqualTo(end);
        assertThat(update.status()).isEqualTo(TurnStatus.FINISHED);
    }

    @Test
    @DisplayName("S4: a cursor of another epoch, or ahead of the document, begins with a snapshot")
    void unknownCursor() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        document.apply(TurnFixture.response(1, "abc"), CLOCK);
        for (String cursor : List.of("other.0.0.0", "e1.99.0.0", "e1.0.7.0", "e1.0.0.99")) {
            List<TurnChange> changes =
                    TurnReading.since(document, EPOCH, Cursor.parse(cursor)).changes();
            assertThat(changes.getFirst()).as(cursor).isInstanceOf(TurnChange.Snapshot.class);
        }
    }

    @Test
    @DisplayName("G-08: many tokens reach a slow reader as one step")
    void coalesced() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        document.apply(TurnFixture.response(1, "a"), CLOCK);
        Cursor cursor = TurnReading.since(document, EPOCH, null).cursor();
        for (int seq = 2; seq <= 1000; seq++) {
            document.apply(TurnFixture.response(seq, "b"), CLOCK);
        }
        assertThat(TurnReading.since(document, EPOCH, cursor).changes())
                .singleElement()
                .isEqualTo(new TurnChange.TextDelta(0, BlockMode.RESPONDING, 1, "b".repeat(999), null));
    }

    @Test
    @DisplayName("G-16: the end is a step like any other, and an interruption can be followed by more")
    void interruptedAndBack() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        document.apply(TurnFixture.response(1, "a"), CLOCK);
        document.interrupt(new Failure(FailureCode.DRONE_LOST, "away"), NOW);
        TurnUpdate away = TurnReading.since(document, EPOCH, null);
        assertThat(away.changes().getLast()).isInstanceOf(TurnChange.Error.class);
        document.reopen();
        document.apply(TurnFixture.response(2, "b"), CLOCK);
        TurnUpdate back = TurnReading.since(document, EPOCH, away.cursor());
        assertThat(back.changes())
                .containsExactly(
                        new TurnChange.TextDelta(0, BlockMode.RESPONDING, 1, "b", null),
                        new TurnChange.StatusChanged(TurnStatus.PROCESSING));
    }
}
