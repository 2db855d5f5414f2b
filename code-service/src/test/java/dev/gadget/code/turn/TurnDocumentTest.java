package dev.gadget.code.turn;

import static dev.gadget.code.turn.TurnFixture.CLOCK;
import static dev.gadget.code.turn.TurnFixture.NOW;
import static dev.gadget.code.turn.TurnFixture.called;
import static dev.gadget.code.turn.TurnFixture.complete;
import static dev.gadget.code.turn.TurnFixture.ended;
import static dev.gadget.code.turn.TurnFixture.fresh;
import static dev.gadget.code.turn.TurnFixture.printed;
import static dev.gadget.code.turn.TurnFixture.response;
import static dev.gadget.code.turn.TurnFixture.started;
import static dev.gadget.code.turn.TurnFixture.thinking;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.turn.TurnDocument.Applied;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.BlockMode;
import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TurnDocumentTest {
    private final TurnRecord record = fresh();
    private final TurnDocument document = new TurnDocument(record, List.of());

    private void applyAll(WorkEntry... entries) {
        for (WorkEntry entry : entries) {
            document.apply(entry, CLOCK);
        }
    }

    private List<String> shape() {
        return shapeOf(document);
    }

    private static List<String> shapeOf(TurnDocument document) {
        return document.toTurn().blocks().stream()
                .map(block -> switch (block) {
                    case Block.Thinking text -> "thinking:" + text.content();
                    case Block.Responding text -> "responding:" + text.content();
                    case Block.Tool tool -> "tool:" + tool.content().callId();
                    case Block.Prompt said -> "prompt:" + said.content();
                })
                .toList();
    }

    @Test
    @DisplayName("a call that grows ends the text before it, and is told to who reads then, but is no part of the turn")
    void callGrows() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        document.apply(TurnFixture.response(1, "I write."), TurnFixture.CLOCK);
        var before = TurnReading.end(document, "e");
        document.apply(new WorkEntry.CallGrows(2, "write_file", 700), TurnFixture.CLOCK);
        document.apply(new WorkEntry.CallGrows(3, "write_file", 1_400), TurnFixture.CLOCK);
        assertThat(TurnReading.since(document, "e", before, TurnFixture.NOW).changes())
                .containsExactly(
                        new TurnChange.BlockClosed(0, TurnFixture.NOW), new TurnChange.CallGrows("write_file", 1_400));
        assertThat(TurnReading.since(document, "e", null, TurnFixture.NOW).changes())
                .endsWith(new TurnChange.CallGrows("write_file", 1_400));
        document.apply(TurnFixture.called(4, "c"), TurnFixture.CLOCK);
        assertThat(TurnReading.since(document, "e", before, TurnFixture.NOW).changes())
                .noneMatch(TurnChange.CallGrows.class::isInstance);
        assertThat(document.toTurn().blocks()).hasSize(2);
    }

    @Test
    @DisplayName("S0-22: the worked example gives four blocks in that order")
    void workedExample() {
        applyAll(
                thinking(1, "Hmm"),
                thinking(2, " let"),
                thinking(3, " me"),
                response(4, "Sure"),
                called(5, "c1"),
                started(6, "c1"),
                ended(7, "c1"),
                response(8, " I'll"));
        assertThat(shape()).containsExactly("thinking:Hmm let me", "responding:Sure", "tool:c1", "responding: I'll");
        assertThat(document.toTurn().stats().modeTransitions()).isEqualTo(3);
    }

    @Test
    @DisplayName("S0-17, S0-18, S0-19, S0-20: only a change of mode or a tool call asks for the store")
    void boundaries() {
        assertThat(document.apply(thinking(1, "a"), CLOCK)).isEqualTo(Applied.GREW);
        assertThat(document.apply(thinking(2, "b"), CLOCK)).isEqualTo(Applied.GREW);
        assertThat(document.apply(response(3, "c"), CLOCK)).isEqualTo(Applied.BOUNDARY);
        assertThat(document.apply(response(4, "d"), CLOCK)).isEqualTo(Applied.GREW);
        assertThat(document.apply(called(5, "c1"), CLOCK)).isEqualTo(Applied.BOUNDARY);
        assertThat(document.apply(started(6, "c1"), CLOCK)).isEqualTo(Applied.BOUNDARY);
        assertThat(document.apply(printed(7, "c1", "x"), CLOCK)).isEqualTo(Applied.GREW);
        assertThat(document.apply(ended(8, "c1"), CLOCK)).isEqualTo(Applied.BOUNDARY);
    }

    @Test
    @DisplayName("S0-21: the end closes what is open")
    void endCloses() {
        applyAll(response(1, "half a sen"), complete(2));
        Turn turn = document.toTurn();
        assertThat(turn.status()).isEqualTo(TurnStatus.FINISHED);
        assertThat(turn.blocks().getFirst().closedAt()).isEqualTo(NOW);
        assertThat(turn.finishedAt()).isEqualTo(NOW);
    }

    @Test
    @DisplayName("G-10: what comes twice changes nothing, what is missing is a gap")
    void idempotent() {
        applyAll(thinking(1, "a"), thinking(2, "b"));
        assertThat(document.apply(thinking(2, "b"), CLOCK)).isEqualTo(Applied.KNOWN);
        assertThat(document.apply(thinking(4, "d"), CLOCK)).isEqualTo(Applied.GAP);
        assertThat(document.apply(new WorkEntry.Thinking(4, 2, "cd"), CLOCK)).isEqualTo(Applied.GREW);
        assertThat(shape()).containsExactly("thinking:abcd");
        assertThat(document.appliedSeq()).isEqualTo(4);
    }

    @Test
    @DisplayName("a text that came merged and reaches over what is known is asked for again from its start")
    void partialOverlap() {
        applyAll(thinking(1, "a"), thinking(2, "b"));
        assertThat(document.apply(new WorkEntry.Thinking(4, 3, "bcd"), CLOCK)).isEqualTo(Applied.GAP);
        assertThat(shape()).containsExactly("thinking:ab");
    }

    @Test
    @DisplayName("G-07: a tool call goes through its states, and a turn that waits for a person says so")
    void toolStates() {
        applyAll(called(1, "c1"), new WorkEntry.ToolAwaitsApproval(2, "c1", "it writes", null, null));
        assertThat(document.status()).isEqualTo(TurnStatus.AWAITING_APPROVAL);
        assertThat(document.approval("c1")).isEqualTo(new ToolApproval("it writes", null, null));
        applyAll(started(3, "c1"));
        assertThat(document.status()).isEqualTo(TurnStatus.PROCESSING);
        applyAll(
                printed(4, "c1", "one\n"),
                printed(5, "c1", "two\n"),
                new WorkEntry.ToolEnded(6, "c1", ToolCallState.DONE, "result of c1", "+++ b/a.txt"));
        var call = document.toTurn().toolCalls().getFirst();
        assertThat(call.state()).isEqualTo(ToolCallState.DONE);
        assertThat(call.output()).isEqualTo("one\ntwo\n");
        assertThat(call.response()).isEqualTo("result of c1");
        assertThat(call.diff()).isEqualTo("+++ b/a.txt");
        assertThat(call.askedAt()).isEqualTo(NOW);
    }

    @Test
    @DisplayName(
            "a call that was stored as answered before its turn was: the turn waits no longer once that comes again")
    void answeredBeforeCrash() {
        applyAll(called(1, "c1"), new WorkEntry.ToolAwaitsApproval(2, "c1", "it writes", null, null));
        document.takeUnsaved();
        TurnRecord waits = document.toRecord(record);
        applyAll(started(3, "c1"));
        var restored = new TurnDocument(waits, document.takeUnsaved());
        assertThat(restored.status()).isEqualTo(TurnStatus.AWAITING_APPROVAL);

        restored.apply(started(3, "c1"), CLOCK);
        assertThat(restored.status()).isEqualTo(TurnStatus.PROCESSING);
    }

    @Test
    @DisplayName("a turn whose question was cut with its round does not wait for an answer")
    void questionCut() {
        applyAll(
                new WorkEntry.RoundStarted(1, 1),
                called(2, "c1"),
                new WorkEntry.ToolAwaitsApproval(3, "c1", "it writes", null, null),
                new WorkEntry.RoundSuperseded(4, 1));
        assertThat(document.status()).isEqualTo(TurnStatus.PROCESSING);
    }

    @Test
    @DisplayName("G-06: the text of a cut round is kept and marked")
    void superseded() {
        applyAll(
                new WorkEntry.RoundStarted(1, 1),
                response(2, "cut"),
                new WorkEntry.RoundSuperseded(3, 1),
                new WorkEntry.RoundStarted(4, 2),
                response(5, "whole"));
        List<Block> blocks = document.toTurn().blocks();
        assertThat(blocks.get(0).superseded()).isTrue();
        assertThat(blocks.get(1).superseded()).isNull();
    }

    @Test
    @DisplayName("G-06: what came after a cut round is cut with it, and whole rounds that follow stay whole")
    void supersededWithLater() {
        applyAll(
                new WorkEntry.RoundStarted(1, 1),
                response(2, "cut"),
                new WorkEntry.RoundStarted(3, 2),
                response(4, "lost by the drone"),
                called(5, "c1"),
                new WorkEntry.RoundSuperseded(6, 1),
                new WorkEntry.RoundStarted(7, 2),
                response(8, "whole"),
                new WorkEntry.RoundStarted(9, 3),
                response(10, "cut, too"),
                new WorkEntry.RoundSuperseded(11, 3));
        assertThat(document.toTurn().blocks())
                .extracting(block -> Boolean.TRUE.equals(block.superseded()))
                .containsExactly(true, true, false, false, true);
        assertThat(document.toTurn().toolCalls())
                .extracting(call -> call.state())
                .containsExactly(ToolCallState.DENIED);
    }

    @Test
    @DisplayName("S0-52: what subagents say and call at once are blocks that name their call, and no words of the turn")
    void subagents() {
        applyAll(
                new WorkEntry.RoundStarted(1, 1),
                called(2, "d1"),
                called(3, "d2"),
                started(4, "d1"),
                started(5, "d2"),
                new WorkEntry.RoundStarted(6, 1, "d1"),
                thinking(7, "I ", "d1"),
                thinking(8, "They ", "d2"),
                thinking(9, "look.", "d1"),
                called(10, "s1", "d1"),
                thinking(11, "wait.", "d2"),
                started(12, "s1"),
                new WorkEntry.ToolEnded(13, "s1", ToolCallState.FAILED, "no"),
                new WorkEntry.RoundStarted(14, 2, "d1"),
                response(15, "Found.", "d1"),
                ended(16, "d1"),
                ended(17, "d2"),
                new WorkEntry.RoundStarted(18, 2),
                response(19, "All done."));
        assertThat(shape())
                .containsExactly(
                        "tool:d1",
                        "tool:d2",
                        "thinking:I look.",
                        "thinking:They wait.",
                        "tool:s1",
                        "responding:Found.",
                        "responding:All done.");
        assertThat(document.toTurn().blocks())
                .extracting(Block::parent)
                .containsExactly(null, null, "d1", "d2", "d1", "d1", null);
        assertThat(document.toTurn().stats())
                .extracting(
                        stats -> stats.rounds(),
                        stats -> stats.modeTransitions(),
                        stats -> stats.toolCallCount(),
                        stats -> stats.toolFailures(),
                        stats -> stats.thinkingTokenCount())
                .containsExactly(2, 1, 3, 1, 4L);
    }

    @Test
    @DisplayName("S0-52: what a subagent has open ends with the call that it works for, of another nothing does")
    void subagentEnds() {
        applyAll(
                called(1, "d1"),
                called(2, "d2"),
                started(3, "d1"),
                started(4, "d2"),
                called(5, "s1", "d1"),
                called(6, "s2", "d1"),
                started(7, "s2"),
                called(8, "s3", "d2"),
                response(9, "half", "d1"),
                response(10, "half", "d2"),
                ended(11, "d1"));
        List<Block> blocks = document.toTurn().blocks();
        assertThat(blocks)
                .extracting(block -> block.closedAt() != null)
                .containsExactly(true, false, true, true, false, true, false);
        assertThat(document.toTurn().toolCalls())
                .extracting(call -> call.state())
                .containsExactly(
                        ToolCallState.DONE,
                        ToolCallState.RUNNING,
                        ToolCallState.DENIED,
                        ToolCallState.UNKNOWN,
                        ToolCallState.QUEUED);
    }

    @Test
    @DisplayName(
            "S0-52, G-06: a subagent that starts over leaves what it did marked, and so does one whose call is cut")
    void subagentSuperseded() {
        applyAll(
                new WorkEntry.RoundStarted(1, 1),
                response(2, "I let two look."),
                called(3, "d1"),
                called(4, "d2"),
                started(5, "d1"),
                new WorkEntry.RoundStarted(6, 3, "d1"),
                response(7, "half", "d1"),
                called(8, "s1", "d1"),
                started(9, "s1"),
                response(10, "other", "d2"),
                new WorkEntry.RoundSuperseded(11, 1, "d1"),
                new WorkEntry.RoundStarted(12, 1, "d1"),
                response(13, "whole", "d1"));
        assertThat(document.toTurn().blocks())
                .extracting(block -> Boolean.TRUE.equals(block.superseded()))
                .containsExactly(false, false, false, true, true, false, false);
        assertThat(document.toTurn().toolCalls().getLast().state()).isEqualTo(ToolCallState.UNKNOWN);
        assertThat(shape()).endsWith("responding:other", "responding:whole");

        applyAll(new WorkEntry.RoundSuperseded(14, 1));
        assertThat(document.toTurn().blocks())
                .extracting(block -> Boolean.TRUE.equals(block.superseded()))
                .containsExactly(true, false, false, true, true, true, true);
        assertThat(document.toTurn().blocks().getLast().closedAt()).isNotNull();
    }

    @Test
    @DisplayName("an interrupted turn goes on where it was, an ended one never")
    void interruption() {
        applyAll(response(1, "on the"));
        document.interrupt(new Failure(FailureCode.DRONE_LOST, "away"), NOW);
        assertThat(document.toTurn().error()).isNotNull();
        document.reopen();
        applyAll(response(2, " way"), complete(3));
        assertThat(shape()).containsExactly("responding:on the way");
        document.end(TurnStatus.CANCELLED, null, NOW.plusSeconds(1));
        assertThat(document.status()).isEqualTo(TurnStatus.FINISHED);
        assertThat(document.apply(response(4, "late"), CLOCK)).isEqualTo(Applied.GREW);
        assertThat(shape()).containsExactly("responding:on the way");
    }

    @Test
    @DisplayName(
            "a tool that ran when the turn was ended from outside has an unknown outcome, one that waited was not run")
    void endedWithOpenTools() {
        applyAll(called(1, "c1"), called(2, "c2"), started(3, "c1"));
        document.end(TurnStatus.CANCELLED, null, NOW);
        assertThat(document.toTurn().toolCalls())
                .extracting(call -> call.state())
                .containsExactly(ToolCallState.UNKNOWN, ToolCallState.DENIED);
        assertThat(document.toTurn().blocks())
                .allSatisfy(block -> assertThat(block.closedAt()).isEqualTo(NOW));
    }

    @Test
    @DisplayName(
            "S0-52: of a turn that ends after a crash no text of a subagent stays open, though the store had more of it")
    void nothingStaysOpen() {
        List<Consumer<TurnDocument>> ends = List.of(
                turn -> turn.end(TurnStatus.CANCELLED, null, NOW),
                turn -> {
                    turn.interrupt(new Failure(FailureCode.DRONE_LOST, "away"), NOW);
                    turn.settle(NOW);
                },
                turn -> {
                    turn.interrupt(new Failure(FailureCode.DRONE_LOST, "away"), NOW);
                    turn.cancel(NOW);
                });
        for (Consumer<TurnDocument> end : ends) {
            var store = new CrashingStore(record);
            TurnDocument before = store.restore();
            before.apply(called(1, "d1"), CLOCK);
            before.apply(started(2, "d1"), CLOCK);
            before.apply(response(3, "half", "d1"), CLOCK);
            store.take(before, each -> true, true);
            before.apply(response(4, " more", "d1"), CLOCK);
            store.take(before, each -> true, false);
            TurnDocument after = store.restore();
            end.accept(after);

            store.take(after, each -> true, true);

            assertThat(store.restore().toTurn()).isEqualTo(after.toTurn());
            assertThat(store.restore().toTurn().blocks())
                    .allSatisfy(block -> assertThat(block.closedAt()).isEqualTo(NOW));
        }
    }

    @Test
    @DisplayName("S0-52, G-06: what a torn journal lost of a subagent is not taken for open after a second crash")
    void supersededStaysClosed() {
        var store = new CrashingStore(record);
        TurnDocument before = store.restore();
        before.apply(called(1, "d1"), CLOCK);
        before.apply(started(2, "d1"), CLOCK);
        before.apply(response(3, "one", "d1"), CLOCK);
        store.take(before, each -> true, true);
        for (int seq = 4; seq <= 9; seq++) {
            before.apply(response(seq, " more", "d1"), CLOCK);
        }
        store.take(before, each -> true, false);
        TurnDocument again = store.restore();
        again.apply(new WorkEntry.RoundSuperseded(4, 1, "d1"), CLOCK);
        again.apply(new WorkEntry.RoundStarted(5, 1, "d1"), CLOCK);
        store.take(again, each -> true, true);

        TurnDocument after = store.restore();
        after.apply(response(6, "anew", "d1"), CLOCK);

        assertThat(shapeOf(after)).containsExactly("tool:d1", "responding:one" + " more".repeat(6), "responding:anew");
        assertThat(after.toTurn().blocks())
                .extracting(block -> block.closedAt() == null)
                .containsExactly(true, false, true);
    }

    @Test
    @DisplayName("S0-24, G-09: crashes anywhere between two writes lose nothing and double nothing")
    void crashAnywhere() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            List<WorkEntry> script = TurnFixture.script(random, 3);
            var whole = new TurnDocument(record, List.of());
            script.forEach(entry -> whole.apply(entry, CLOCK));

            var store = new CrashingStore(record);
            for (int crashes = 1 + random.nextInt(2); crashes > 0; crashes--) {
                TurnDocument before = store.restore();
                int from = (int) before.appliedSeq();
                streamUntilCrash(
                        before, script.subList(from, from + random.nextInt(script.size() - from)), store, random);
            }
            TurnDocument after = store.restore();
            applyRest(after, script);
            assertThat(after.toTurn().blocks())
                    .as("seed %d", seed)
                    .isEqualTo(whole.toTurn().blocks());
            assertThat(after.toTurn().status()).isEqualTo(TurnStatus.FINISHED);
        }
    }

    @Test
    @DisplayName(
            "S0-24, G-09: a turn that ends from outside after a crash is ended and closed, or goes on when that was not stored")
    void crashAtTheEnd() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            List<WorkEntry> script = TurnFixture.script(random, 3);
            var whole = new TurnDocument(record, List.of());
            script.forEach(entry -> whole.apply(entry, CLOCK));
            var store = new CrashingStore(record);
            streamUntilCrash(store.restore(), script.subList(0, random.nextInt(script.size())), store, random);
            TurnDocument ended = store.restore();
            if (random.nextBoolean()) {
                ended.end(TurnStatus.CANCELLED, null, NOW);
            } else {
                ended.interrupt(new Failure(FailureCode.DRONE_LOST, "away"), NOW);
                if (random.nextBoolean()) {
                    // The service starts again before anybody says what becomes of it.
                    store.take(ended, each -> true, true);
                    ended = store.restore();
                }
                if (random.nextBoolean()) {
                    ended.settle(NOW);
                } else {
                    ended.cancel(NOW);
                }
            }
            boolean stored = random.nextBoolean();
            store.take(ended, each -> stored || random.nextBoolean(), stored);

            TurnDocument after = store.restore();

            if (stored) {
                assertThat(after.toTurn()).as("seed %d", seed).isEqualTo(ended.toTurn());
                assertThat(after.toTurn().blocks())
                        .as("seed %d", seed)
                        .allSatisfy(block -> assertThat(block.closedAt()).isNotNull());
            } else {
                if (after.status() == TurnStatus.INTERRUPTED) {
                    after.reopen();
                }
                applyRest(after, script);
                assertThat(spoken(after)).as("seed %d", seed).isEqualTo(spoken(whole));
                assertThat(after.toTurn().blocks())
                        .as("seed %d", seed)
                        .allSatisfy(block -> assertThat(block.closedAt()).isNotNull());
            }
        }
    }

    private static void streamUntilCrash(
            TurnDocument document, List<WorkEntry> entries, CrashingStore store, Random random) {
        boolean alive = true;
        for (int i = 0; i < entries.size() && alive; i++) {
            boolean boundary = document.apply(entries.get(i), CLOCK) == Applied.BOUNDARY;
            if (boundary || random.nextInt(5) == 0) {
                boolean dies = i > entries.size() - 4 && random.nextBoolean();
                store.take(document, each -> !dies || random.nextBoolean(), !dies);
                alive = !dies;
            }
        }
    }

    /** What each said and called, in order: a text that was closed too early goes on in a block of its own. */
    private static Map<String, String> spoken(TurnDocument document) {
        Map<String, String> spoken = new HashMap<>();
        Map<String, BlockMode> modes = new HashMap<>();
        for (Block block : document.toTurn().blocks()) {
            String who = String.valueOf(block.parent());
            String what = switch (block) {
                case Block.Thinking text -> text.content();
                case Block.Responding text -> text.content();
                case Block.Prompt said -> said.content();
                case Block.Tool tool ->
                    tool.content().callId() + " " + tool.content().output();
            };
            boolean goesOn = block.mode() == modes.put(who, block.mode());
            spoken.merge(who, (goesOn ? "" : "\n" + block.mode() + ": ") + what, String::concat);
        }
        return spoken;
    }

    private static void applyRest(TurnDocument document, List<WorkEntry> script) {
        for (WorkEntry entry : script.subList((int) document.appliedSeq(), script.size())) {
            assertThat(document.apply(entry, CLOCK)).isNotEqualTo(Applied.GAP);
        }
    }

    /** A store whose service may die between the blocks and the record, with only some of the blocks written. */
    private static final class CrashingStore {
        private final List<StoredBlock> blocks = new ArrayList<>();
        private TurnRecord record;

        CrashingStore(TurnRecord first) {
            record = first;
        }

        void take(TurnDocument document, Predicate<StoredBlock> written, boolean withRecord) {
            document.takeUnsaved().stream().filter(written).forEach(this::put);
            if (withRecord) {
                record = document.toRecord(record);
            }
        }

        private void put(StoredBlock block) {
            int index = block.block().index();
            while (blocks.size() <= index) {
                blocks.add(null);
            }
            blocks.set(index, block);
        }

        TurnDocument restore() {
            return new TurnDocument(
                    record, blocks.stream().filter(block -> block != null).toList());
        }
    }

    @Test
    @DisplayName("a very long text goes on in a new block of the same mode")
    void longText() {
        String half = "x".repeat(TurnDocument.MAX_BLOCK_CHARS / 2 + 1);
        applyAll(response(1, half), response(2, half));
        assertThat(document.toTurn().blocks())
                .hasSize(2)
                .allSatisfy(block -> assertThat(block.mode()).isEqualTo(BlockMode.RESPONDING));
    }

    @Test
    @Timeout(60)
    @DisplayName("A26: what was cut, or ended with its call, is looked at once, however often a drone says so")
    void saidAgainAndAgain() {
        var large = new TurnDocument(record, List.of(), new TurnLimits(1_000_000, 20_000));
        long seq = 0;
        large.apply(called(++seq, "agent"), CLOCK);
        while (seq < 9_000) {
            large.apply(called(++seq, "c" + seq, "agent"), CLOCK);
            large.apply(thinking(++seq, "t"), CLOCK);
            large.apply(response(++seq, "r"), CLOCK);
        }

        for (int times = 0; times < 1_000_000; times++) {
            large.apply(new WorkEntry.RoundSuperseded(++seq, 0), CLOCK);
            large.apply(ended(++seq, "agent"), CLOCK);
        }

        assertThat(large.toTurn().blocks().subList(1, 9_000))
                .hasSize(8_999)
                .allMatch(block -> Boolean.TRUE.equals(block.superseded()));
    }

    @Test
    @DisplayName("A26: a turn of which a drone says more than is kept ends in words, with what came")
    void tooManyCharacters() {
        var small = new TurnDocument(record, List.of(), new TurnLimits(1_000, 10));
        small.apply(called(1, "c1"), CLOCK);
        small.apply(printed(2, "c1", "x".repeat(900)), CLOCK);

        Applied applied = small.apply(response(3, "y".repeat(100)), CLOCK);

        assertThat(applied).isEqualTo(Applied.FULL);
        assertThat(small.apply(response(4, "more"), CLOCK)).isEqualTo(Applied.GREW);
        assertThat(shapeOf(small)).containsExactly("tool:c1", "responding:" + "y".repeat(100));
        assertThat(small.toTurn().status()).isEqualTo(TurnStatus.FAILED);
        assertThat(small.toTurn().error()).satisfies(why -> {
            assertThat(why.code()).isEqualTo(FailureCode.LIMIT_REACHED);
            assertThat(why.message()).contains("1000 and 10 are allowed", "gadget.turn.max-chars");
        });
    }

    @Test
    @DisplayName("A26: what a stored turn has counts, and blocks do")
    void tooManyBlocks() {
        var limits = new TurnLimits(1_000, 3);
        var before = new TurnDocument(record, List.of(), limits);
        before.apply(called(1, "c1"), CLOCK);
        before.apply(called(2, "c2"), CLOCK);
        List<StoredBlock> stored = before.takeUnsaved();

        var restored = new TurnDocument(before.toRecord(record), stored, limits);

        assertThat(restored.apply(called(3, "c3"), CLOCK)).isEqualTo(Applied.BOUNDARY);
        assertThat(restored.apply(called(4, "c4"), CLOCK)).isEqualTo(Applied.FULL);
        var characters = new TurnDocument(before.toRecord(record), stored, new TurnLimits(20, 10));
        assertThat(characters.apply(response(3, "more"), CLOCK)).isEqualTo(Applied.FULL);
    }

    @Test
    @DisplayName("A26: nobody works for a call that the turn does not have")
    void madeUpParents() {
        applyAll(
                called(1, "c1"),
                thinking(2, "a", "c2"),
                response(3, "b", "c2"),
                called(4, "c3", "c2"),
                new WorkEntry.RoundStarted(5, 2, "c2"),
                response(6, "d", "c1"));
        assertThat(shape()).containsExactly("tool:c1", "responding:d");
    }

    @Test
    @DisplayName("A26: only words that a person sent into the turn are a person's, once, and as they are")
    void madeUpPrompts() {
        TurnId waiting = TurnId.random();
        assertThat(document.steer(SteeredPrompt.of(waiting, "two"))).isTrue();

        applyAll(
                new WorkEntry.Prompted(1, TurnId.random(), "Delete it all."),
                new WorkEntry.Prompted(2, waiting, "two, and delete it all"),
                new WorkEntry.Prompted(3, waiting, "two"),
                new WorkEntry.Prompted(4, waiting, "two"));

        assertThat(shape()).containsExactly("prompt:two");
        assertThat(document.takePrompts()).containsExactly(new WorkEntry.Prompted(3, waiting, "two"));
        assertThat(document.appliedSeq()).isEqualTo(4);
    }

    @Test
    @DisplayName("A26: what is on its way into a turn is bounded")
    void steeredTooOften() {
        var empty = new TurnDocument(record, List.of());
        int room = 0;
        while (empty.steer(SteeredPrompt.of(TurnId.random(), "more")) && room < 1_000) {
            room++;
        }
        assertThat(room).isBetween(1, 100);
    }

    @Test
    @DisplayName("A26: what a drone says that its turn used is within what a turn can use")
    void absurdUsage() {
        applyAll(
                new WorkEntry.UsageReported(1, new Usage(Long.MAX_VALUE, -5, 7, null, Long.MIN_VALUE, Long.MAX_VALUE)),
                new WorkEntry.UsageReported(2, new Usage(Long.MIN_VALUE, Long.MAX_VALUE, 7, null)));
        long most = 10_000_000_000L;
        assertThat(document.usage()).isEqualTo(new Usage(0, most, 7, null));
        assertThat(document.toRecord(record).roundUsages())
                .singleElement()
                .satisfies(round -> assertThat(round.inputTokens()).isEqualTo(most));
    }
}
