package dev.gadget.code.turn;

import static dev.gadget.code.turn.TurnFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.PastTurn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("S1-19: what an order tells of earlier turns")
class TurnHistoryTest {
    private static final long MOST = 100_000;

    private final Map<TurnId, List<StoredBlock>> stored = new LinkedHashMap<>();
    private final List<TurnRecord> turns = new ArrayList<>();

    private void turn(String prompt, StoredBlock... blocks) {
        TurnRecord fresh = TurnFixture.fresh();
        TurnRecord turn = new TurnRecord(
                fresh.id(),
                fresh.sessionId(),
                fresh.ownerId(),
                prompt,
                TurnStatus.FINISHED,
                "demo",
                fresh.model(),
                fresh.reasoningEffort(),
                fresh.workOrderId(),
                null,
                null,
                1,
                1,
                0,
                TurnRecord.NOTHING_OPEN,
                fresh.usage(),
                List.of(),
                fresh.stats(),
                null,
                null,
                NOW,
                null,
                0);
        turns.add(turn);
        List<StoredBlock> numbered = new ArrayList<>();
        for (StoredBlock block : blocks) {
            numbered.add(new StoredBlock(at(numbered.size(), block.block()), 1, 1, block.round()));
        }
        stored.put(turn.id(), numbered);
    }

    private static Block at(int index, Block block) {
        return switch (block) {
            case Block.Thinking it -> new Block.Thinking(index, NOW, NOW, it.superseded(), it.content());
            case Block.Responding it -> new Block.Responding(index, NOW, NOW, it.superseded(), it.content());
            case Block.Tool it -> new Block.Tool(index, NOW, NOW, it.superseded(), it.content());
            case Block.Prompt it -> new Block.Prompt(index, NOW, NOW, it.superseded(), it.content());
        };
    }

    private static StoredBlock said(int round, String text) {
        return new StoredBlock(new Block.Responding(0, NOW, NOW, null, text), 1, 1, round);
    }

    private static StoredBlock called(int round, String name, Map<String, Object> parameters, String answer) {
        var call = new ToolCall("c", name, parameters, ToolCallState.DONE, "shown", answer, NOW, NOW, null);
        return new StoredBlock(new Block.Tool(0, NOW, NOW, null, call), 1, 1, round);
    }

    private static StoredBlock summary(int round, String text) {
        return called(round, "compact_context", Map.of(), text);
    }

    private List<PastTurn> history() {
        return TurnHistory.of(turns, stored::get, MOST);
    }

    private static ToolCall call(Block block) {
        return ((Block.Tool) block).content();
    }

    @Test
    @DisplayName("is all of them, oldest first, without thinking, what was said again and what only the person saw")
    void all() {
        turn(
                "one",
                new StoredBlock(new Block.Thinking(0, NOW, NOW, null, "hm"), 1, 1, 1),
                new StoredBlock(new Block.Responding(0, NOW, NOW, true, "hal"), 1, 1, 1),
                called(2, "write_file", Map.of("text", "x".repeat(20_000)), "y".repeat(20_000)),
                said(3, "half"));
        turn("two");

        List<PastTurn> history = history();

        assertThat(history).extracting(PastTurn::prompt).containsExactly("one", "two");
        assertThat(history).extracting(PastTurn::leftOut).containsOnlyNulls();
        List<Block> blocks = history.getFirst().blocks();
        assertThat(blocks).hasSize(2);
        assertThat(call(blocks.getFirst()).parameters()).containsEntry("text", "x".repeat(20_000));
        assertThat(call(blocks.getFirst()).response())
                .contains("characters left out")
                .hasSizeLessThan(8_100);
        assertThat(call(blocks.getFirst()).output()).isNull();
    }

    @Test
    @DisplayName("has the newest turn also where that alone is too long: its newest rounds, and a word on the rest")
    void oneLongTurn() throws Exception {
        turn("old", said(1, "done"));
        StoredBlock[] rounds = new StoredBlock[60];
        for (int i = 0; i < rounds.length; i++) {
            List<Map<String, String>> edits = List.of(Map.of("old", "o" + i, "new", "n".repeat(5_000)));
            rounds[i] = called(i + 1, "edit_file", Map.of("edits", edits, "path", "p" + i), "a".repeat(7_000));
        }
        turn("long", rounds);

        List<PastTurn> history = history();

        assertThat(history).extracting(PastTurn::prompt).contains("long");
        PastTurn last = history.getLast();
        ToolCall newest = call(last.blocks().getLast());
        assertThat(newest.response()).hasSize(7_000);
        assertThat(newest.parameters()).containsEntry("path", "p59");
        ToolCall older = call(last.blocks().getFirst());
        assertThat(older.response()).contains("characters left out").hasSizeLessThan(300);
        assertThat(older.parameters().toString()).contains("old=o", "characters left out");
        assertThat(last.blocks()).hasSizeGreaterThan(30);
        assertThat(last.rounds()).hasSameSizeAs(last.blocks()).endsWith(59, 60);
        assertThat(history.getFirst().leftOut()).isTrue();
        assertThat(new ObjectMapper().findAndRegisterModules().writeValueAsBytes(history))
                .hasSizeLessThan((int) MOST);
    }

    @Test
    @DisplayName("begins with the last summary and the round before it: nothing that it stands for takes any room")
    void sinceTheSummary() {
        turn("first", said(1, "x".repeat(200_000)));
        turn(
                "second",
                called(1, "read_file", Map.of(), "y".repeat(9_000)),
                said(2, "I edit."),
                called(2, "edit_file", Map.of(), "edited"),
                summary(3, "SUMMARY"),
                said(3, "Done."));
        turn("third", said(1, "ok"));

        List<PastTurn> history = history();

        assertThat(history).extracting(PastTurn::prompt).containsExactly("second", "third");
        assertThat(history).extracting(PastTurn::leftOut).containsOnlyNulls();
        assertThat(history.getFirst().blocks()).extracting(Block::index).containsExactly(1, 2, 3, 4);
        assertThat(history.getFirst().rounds()).containsExactly(2, 2, 3, 3);
    }

    @Test
    @DisplayName("keeps the summary where what came after it is too long")
    void summaryStays() {
        turn("first", said(1, "x"), summary(2, "SUMMARY"));
        for (int i = 0; i < 40; i++) {
            turn("turn " + i, said(1, "z".repeat(10_000)));
        }

        List<PastTurn> history = history();

        assertThat(history.getFirst().prompt()).isEqualTo("first");
        assertThat(history.getFirst().leftOut()).isTrue();
        assertThat(call(history.getFirst().blocks().getFirst()).response()).isEqualTo("SUMMARY");
        assertThat(history.getLast().prompt()).isEqualTo("turn 39");
        assertThat(history.getLast().blocks()).hasSize(1);
        assertThat(history).hasSizeBetween(5, 12);
    }

    @Test
    @DisplayName("cuts giant words in the middle, and never a character")
    void giants() {
        turn("🚪".repeat(100_000), said(1, "a" + "🚪".repeat(100_000)));

        PastTurn only = history().getFirst();

        assertThat(only.prompt()).contains("characters left out").hasSizeLessThan(33_000);
        assertThat(new String(
                        only.prompt().getBytes(java.nio.charset.StandardCharsets.UTF_8),
                        java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo(only.prompt());
        assertThat(TurnHistory.bytes("a\n\"é€\u0001")).isEqualTo(1 + 2 + 2 + 2 + 3 + 6);
    }
}
