package dev.gadget.code.turn;

import static dev.gadget.code.turn.TurnFixture.CLOCK;
import static dev.gadget.code.turn.TurnFixture.NOW;
import static dev.gadget.code.turn.TurnFixture.complete;
import static dev.gadget.code.turn.TurnFixture.retrying;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.turn.BlockMode;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.WorkEntry;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
            // Readers that were away for long: each has what it had when it left.
            Map<Cursor, Turn> left = new HashMap<>();
            for (WorkEntry entry : TurnFixture.script(random, 1 + random.nextInt(4))) {
                document.apply(entry, CLOCK);
                if (random.nextInt(3) == 0) {
                    TurnUpdate update = TurnReading.since(document, EPOCH, cursor, NOW);
                    reader.apply(update.changes());
                    if (random.nextInt(4) == 0) {
                        // Cut before the cursor was noted: the same steps come again.
                        reader.apply(
                                TurnReading.since(document, EPOCH, cursor, NOW).changes());
                    }
                    assertThat(reader.waits()).as("seed %d", seed).isEqualTo(waits(document));
                    if (left.size() < 3 && random.nextInt(8) == 0) {
                        left.put(update.cursor(), reader.turn());
                    }
                    cursor = random.nextInt(10) == 0 ? null : update.cursor();
                    if (!left.isEmpty() && random.nextInt(10) == 0) {
                        // One of them comes back, has what there is by now, and leaves again there.
                        Cursor old = List.copyOf(left.keySet()).get(random.nextInt(left.size()));
                        var back = new ReaderCopy(Objects.requireNonNull(left.remove(old)));
                        TurnUpdate missed = TurnReading.since(document, EPOCH, old, NOW);
                        back.apply(missed.changes());
                        assertThat(back.turn().blocks())
                                .as("seed %d", seed)
                                .isEqualTo(document.toTurn().blocks());
                        assertThat(back.turn().status()).as("seed %d", seed).isEqualTo(document.status());
                        left.put(missed.cursor(), back.turn());
                    }
                }
            }
            for (Map.Entry<Cursor, Turn> each : left.entrySet()) {
                var back = new ReaderCopy(each.getValue());
                back.apply(
                        TurnReading.since(document, EPOCH, each.getKey(), NOW).changes());
                assertThat(back.turn()).as("seed %d", seed).isEqualTo(document.toTurn());
            }
            reader.apply(TurnReading.since(document, EPOCH, cursor, NOW).changes());
            assertThat(reader.turn()).as("seed %d", seed).isEqualTo(document.toTurn());
        }
    }

    @Test
    @DisplayName(
            "F13, F17: however small the pieces in which a reader gets a turn that goes on meanwhile, what it has is the document")
    void everyReaderGetsTheDocumentInPieces() {
        for (int seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            var document = new TurnDocument(TurnFixture.fresh(), List.of());
            var reader = new ReaderCopy();
            Cursor cursor = null;
            int most = 2 + random.nextInt(random.nextBoolean() ? 20 : 2_000);
            for (WorkEntry entry : TurnFixture.script(random, 1 + random.nextInt(4))) {
                if (document.status() == TurnStatus.INTERRUPTED) {
                    document.reopen();
                }
                document.apply(entry, CLOCK);
                if (random.nextInt(6) == 0) {
                    document.interrupt(new Failure(FailureCode.DRONE_LOST, "away"), NOW);
                    assertThat(comesNow(document, most)).as("seed %d", seed).isEqualTo(document.toTurn());
                }
                if (random.nextInt(3) == 0) {
                    TurnUpdate update = TurnReading.since(document, EPOCH, cursor, NOW, most);
                    reader.apply(update.changes());
                    if (random.nextInt(4) == 0) {
                        reader.apply(TurnReading.since(document, EPOCH, cursor, NOW, most)
                                .changes());
                    }
                    if (!update.more()) {
                        assertThat(reader.turn().blocks())
                                .as("seed %d", seed)
                                .isEqualTo(document.toTurn().blocks());
                        assertThat(reader.turn().status()).as("seed %d", seed).isEqualTo(document.status());
                        assertThat(reader.waits()).as("seed %d", seed).isEqualTo(waits(document));
                    }
                    cursor = random.nextInt(20) == 0 ? null : update.cursor();
                }
            }
            TurnUpdate update;
            do {
                update = TurnReading.since(document, EPOCH, cursor, NOW, most);
                assertThat(update.more() && update.status().ended())
                        .as("seed %d", seed)
                        .isFalse();
                reader.apply(update.changes());
                cursor = update.cursor();
            } while (update.more());
            assertThat(update.status()).as("seed %d", seed).isEqualTo(document.status());
            assertThat(reader.turn()).as("seed %d", seed).isEqualTo(document.toTurn());
            assertThat(TurnReading.since(document, EPOCH, cursor, NOW, most).changes())
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    /** What a reader has that comes now, and has had each piece. */
    private static Turn comesNow(TurnDocument document, int most) {
        var reader = new ReaderCopy();
        Cursor cursor = null;
        TurnUpdate update;
        do {
            update = TurnReading.since(document, EPOCH, cursor, NOW, most);
            reader.apply(update.changes());
            cursor = update.cursor();
        } while (update.more());
        return reader.turn();
    }

    @Test
    @DisplayName(
            "F17: no piece of a large turn is much larger than what one message is to bring, and none cuts a character")
    void piecesAreBounded() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        document.apply(TurnFixture.called(1, "c1"), CLOCK);
        document.apply(new WorkEntry.ToolOutput(2, "c1", "x".repeat(700_000)), CLOCK);
        document.apply(TurnFixture.response(3, "a" + "\uD83D\uDE00".repeat(400_000)), CLOCK);
        var reader = new ReaderCopy();

        Cursor cursor = null;
        TurnUpdate update;
        do {
            update = TurnReading.since(document, EPOCH, cursor, NOW);
            assertThat(update.textLength()).isLessThanOrEqualTo(TurnReading.PIECE_CHARS);
            for (TurnChange change : update.changes()) {
                if (change instanceof TurnChange.TextDelta delta) {
                    assertThat(Character.isHighSurrogate(
                                    delta.text().charAt(delta.text().length() - 1)))
                            .isFalse();
                }
            }
            reader.apply(update.changes());
            cursor = update.cursor();
        } while (update.more());

        assertThat(reader.turn()).isEqualTo(document.toTurn());
    }

    private static @Nullable TurnChange waits(TurnDocument document) {
        return document.retries() ? document.retrying(NOW) : document.growing();
    }

    @Test
    @DisplayName("a call that was cut while it was written is told to be over before the next response says a word")
    void cutCallIsOver() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        var reader = new ReaderCopy();
        document.apply(new WorkEntry.RoundStarted(1, 1), CLOCK);
        document.apply(new WorkEntry.CallGrows(2, "write_file", 700), CLOCK);
        TurnUpdate written = TurnReading.since(document, EPOCH, null, NOW);
        reader.apply(written.changes());
        assertThat(reader.waits()).isEqualTo(new TurnChange.CallGrows("write_file", 700));

        document.apply(new WorkEntry.RoundStarted(3, 1), CLOCK);

        reader.apply(TurnReading.since(document, EPOCH, written.cursor(), NOW).changes());
        assertThat(reader.waits()).isNull();
    }

    @Test
    @DisplayName("G-16: a retry that comes with the turn's first status is still waited for by who reads both at once")
    void retryAfterStatus() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        var reader = new ReaderCopy();
        TurnUpdate queued = TurnReading.since(document, EPOCH, null, NOW);
        reader.apply(queued.changes());

        document.apply(new WorkEntry.RoundStarted(1, 1), CLOCK);
        document.apply(retrying(2), CLOCK);

        reader.apply(TurnReading.since(document, EPOCH, queued.cursor(), NOW).changes());
        assertThat(reader.waits()).isEqualTo(retry(60_000));
    }

    @Test
    @DisplayName("a reader that has everything gets nothing, and its cursor stays")
    void nothingMissing() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        TurnFixture.script(new Random(1), 2).forEach(entry -> document.apply(entry, CLOCK));
        Cursor end = TurnReading.since(document, EPOCH, null, NOW).cursor();
        TurnUpdate update = TurnReading.since(document, EPOCH, end, NOW);
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
            List<TurnChange> changes = TurnReading.since(document, EPOCH, Cursor.parse(cursor), NOW)
                    .changes();
            assertThat(changes.getFirst()).as(cursor).isInstanceOf(TurnChange.Snapshot.class);
        }
    }

    @Test
    @DisplayName("G-08: many tokens reach a slow reader as one step")
    void coalesced() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        document.apply(TurnFixture.response(1, "a"), CLOCK);
        Cursor cursor = TurnReading.since(document, EPOCH, null, NOW).cursor();
        for (int seq = 2; seq <= 1000; seq++) {
            document.apply(TurnFixture.response(seq, "b"), CLOCK);
        }
        assertThat(TurnReading.since(document, EPOCH, cursor, NOW).changes())
                .singleElement()
                .isEqualTo(new TurnChange.TextDelta(0, BlockMode.RESPONDING, 1, "b".repeat(999), null));
    }

    @Test
    @DisplayName(
            "S0-52: text of subagents that speak at once comes as what is missing of each, and says once whose it is")
    void subagentsAtOnce() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        List.of(
                        TurnFixture.called(1, "d1"),
                        TurnFixture.called(2, "d2"),
                        new WorkEntry.Thinking(3, null, "ab", "d1"),
                        new WorkEntry.Response(4, null, "xy", "d2"))
                .forEach(entry -> document.apply(entry, CLOCK));
        Cursor cursor = TurnReading.since(document, EPOCH, null, NOW).cursor();
        List.of(
                        new WorkEntry.Thinking(5, null, "c", "d1"),
                        new WorkEntry.Response(6, null, "z", "d2"),
                        new WorkEntry.Thinking(7, null, "d", "d1"))
                .forEach(entry -> document.apply(entry, CLOCK));
        TurnUpdate update = TurnReading.since(document, EPOCH, cursor, NOW);
        assertThat(update.changes())
                .containsExactly(
                        new TurnChange.TextDelta(2, BlockMode.THINKING, 2, "cd", null, null),
                        new TurnChange.TextDelta(3, BlockMode.RESPONDING, 2, "z", null, null));
        document.apply(new WorkEntry.Response(8, null, "so", "d1"), CLOCK);
        assertThat(TurnReading.since(document, EPOCH, update.cursor(), NOW).changes())
                .containsExactly(
                        new TurnChange.BlockClosed(2, NOW),
                        new TurnChange.TextDelta(4, BlockMode.RESPONDING, 0, "so", NOW, "d1"));
    }

    @Test
    @DisplayName("G-16, S4-02: an interruption is a status and no end: it can be followed by more")
    void interruptedAndBack() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        document.apply(TurnFixture.response(1, "a"), CLOCK);
        Cursor before = TurnReading.since(document, EPOCH, null, NOW).cursor();
        var lost = new Failure(FailureCode.DRONE_LOST, "away");
        document.interrupt(lost, NOW);
        TurnUpdate told = TurnReading.since(document, EPOCH, before, NOW);
        assertThat(told.changes()).containsExactly(new TurnChange.StatusChanged(TurnStatus.INTERRUPTED, lost, NOW));
        assertThat(told.over()).isFalse();
        TurnUpdate away = TurnReading.since(document, EPOCH, null, NOW);
        assertThat(away.changes()).singleElement().isInstanceOf(TurnChange.Snapshot.class);
        assertThat(away.over()).isFalse();
        document.reopen();
        document.apply(TurnFixture.response(2, "b"), CLOCK);
        TurnUpdate back = TurnReading.since(document, EPOCH, away.cursor(), NOW);
        assertThat(back.changes())
                .containsExactly(
                        new TurnChange.TextDelta(0, BlockMode.RESPONDING, 1, "b", null),
                        new TurnChange.StatusChanged(TurnStatus.PROCESSING));
    }

    @Test
    @DisplayName("an interruption that nobody takes up again is an end like any other")
    void interruptedForGood() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        var lost = new Failure(FailureCode.DRONE_LOST, "away");
        document.interrupt(lost, NOW);
        Cursor away = TurnReading.since(document, EPOCH, null, NOW).cursor();
        document.settle(NOW.plusSeconds(1));
        TurnUpdate end = TurnReading.since(document, EPOCH, away, NOW);
        assertThat(end.changes())
                .containsExactly(
                        new TurnChange.Error(TurnStatus.INTERRUPTED, document.usage(), document.stats(), lost, NOW));
        assertThat(end.over()).isTrue();
    }

    private static TurnChange retry(long delayMillis) {
        return new TurnChange.Retrying(new Failure(FailureCode.RATE_LIMITED, "Too many requests."), 1, delayMillis);
    }

    @Test
    @DisplayName("G-16: a retry that is waited for is told to whoever comes, with what is left of the wait")
    void retryIsStillWaitedFor() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        document.apply(new WorkEntry.RoundStarted(1, 1), CLOCK);
        Cursor before = TurnReading.since(document, EPOCH, null, NOW).cursor();
        document.apply(retrying(2), CLOCK);
        Instant later = NOW.plusSeconds(20);
        for (Cursor cursor : Arrays.asList(null, before)) {
            List<TurnChange> changes =
                    TurnReading.since(document, EPOCH, cursor, later).changes();
            assertThat(changes.getLast()).isEqualTo(retry(40_000));
        }
        assertThat(TurnReading.since(document, EPOCH, before, NOW.plusSeconds(90))
                        .changes())
                .containsExactly(retry(0));
    }

    @Test
    @DisplayName("G-16: a retry that is over is told to nobody")
    void retryIsOver() {
        var failed = new Failure(FailureCode.DRONE_LOST, "away");
        List<Consumer<TurnDocument>> ends = List.of(
                document -> document.apply(TurnFixture.response(3, "a"), CLOCK),
                document -> document.apply(TurnFixture.called(3, "c1"), CLOCK),
                document -> document.apply(new WorkEntry.RoundStarted(3, 2), CLOCK),
                document -> document.apply(complete(3), CLOCK),
                document -> {
                    document.interrupt(failed, NOW);
                    document.reopen();
                });
        for (Consumer<TurnDocument> end : ends) {
            var document = new TurnDocument(TurnFixture.fresh(), List.of());
            document.apply(new WorkEntry.RoundStarted(1, 1), CLOCK);
            Cursor before = TurnReading.since(document, EPOCH, null, NOW).cursor();
            document.apply(retrying(2), CLOCK);
            end.accept(document);
            for (Cursor cursor : Arrays.asList(null, before)) {
                assertThat(TurnReading.since(document, EPOCH, cursor, NOW).changes())
                        .noneMatch(TurnChange.Retrying.class::isInstance);
            }
        }
    }
}
