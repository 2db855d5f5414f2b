package dev.gadget.code.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.model.api.AnalyticsApi.Activity;
import dev.gadget.model.api.AnalyticsApi.ActivityTimes;
import dev.gadget.model.api.AnalyticsApi.Stretch;
import dev.gadget.model.api.AnalyticsApi.ToolFigures;
import dev.gadget.model.api.AnalyticsApi.TurnAnalytics;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.RoundUsage;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("S0-30: what a turn went to")
class TurnAnalysisTest {
    private static Instant at(long millis) {
        return TurnFixture.NOW.plusMillis(millis);
    }

    private static Block call(
            int index, String name, ToolCallState state, @Nullable Long asked, @Nullable Long started, long ended) {
        return new Block.Tool(
                index,
                at(1_000),
                at(ended),
                null,
                new ToolCall(
                        "c" + index,
                        name,
                        Map.of(),
                        state,
                        null,
                        null,
                        null,
                        started == null ? null : at(started),
                        at(ended),
                        null,
                        asked == null ? null : at(asked)));
    }

    private static TurnAnalytics analytics(List<Block> blocks, long now) {
        return new TurnAnalysis(TurnFixture.fresh(), blocks, at(now)).whole();
    }

    @Test
    @DisplayName("every moment belongs to one activity, and together they are the time that it took")
    void moments() {
        TurnAnalytics found = analytics(
                List.of(
                        new Block.Thinking(0, at(200), at(700), null, ""),
                        new Block.Responding(1, at(700), at(1_000), null, ""),
                        call(2, "read_file", ToolCallState.DONE, null, 1_100L, 1_600),
                        call(3, "run_command", ToolCallState.DONE, 1_200L, 3_000L, 4_000)),
                5_000);

        assertThat(found.timeline())
                .containsExactly(
                        new Stretch(Activity.WAITING, 0, 200, null),
                        new Stretch(Activity.THINKING, 200, 500, null),
                        new Stretch(Activity.RESPONDING, 700, 300, null),
                        new Stretch(Activity.WAITING, 1_000, 100, null),
                        new Stretch(Activity.TOOL, 1_100, 500, "read_file"),
                        new Stretch(Activity.PERSON, 1_600, 1_400, "run_command"),
                        new Stretch(Activity.TOOL, 3_000, 1_000, "run_command"),
                        new Stretch(Activity.WAITING, 4_000, 1_000, null));
        assertThat(found.turn().times()).isEqualTo(new ActivityTimes(500, 300, 1_500, 1_400, 1_300));
        assertThat(found.turn().millis()).isEqualTo(5_000);
        assertThat(found.cut()).isFalse();
    }

    private static Block of(String parent, Block block) {
        var tool = (Block.Tool) block;
        return new Block.Tool(
                tool.index(), tool.createdAt(), tool.closedAt(), tool.superseded(), tool.content(), parent);
    }

    @Test
    @DisplayName("S0-52: what subagents do at once is in the time of their calls, and counted by tool like others")
    void subagents() {
        TurnAnalytics found = analytics(
                List.of(
                        call(0, "delegate", ToolCallState.DONE, null, 1_000L, 3_000),
                        call(1, "delegate", ToolCallState.DONE, null, 1_000L, 4_000),
                        new Block.Thinking(2, at(1_000), at(2_500), null, "", "c0"),
                        new Block.Responding(3, at(1_000), at(4_500), null, "", "c1"),
                        of("c0", call(4, "read_file", ToolCallState.DONE, null, 2_500L, 3_000))),
                5_000);

        assertThat(found.timeline())
                .containsExactly(
                        new Stretch(Activity.WAITING, 0, 1_000, null),
                        new Stretch(Activity.TOOL, 1_000, 3_000, "delegate"),
                        new Stretch(Activity.WAITING, 4_000, 1_000, null));
        assertThat(found.turn().times()).isEqualTo(new ActivityTimes(0, 0, 3_000, 0, 2_000));
        assertThat(found.tools())
                .containsExactly(
                        new ToolFigures("delegate", 2, 0, 0, 5_000, 3_000),
                        new ToolFigures("read_file", 1, 0, 0, 500, 500));
    }

    @Test
    @DisplayName("calls are counted by tool, with what failed and what was not run")
    void tools() {
        TurnAnalytics found = analytics(
                List.of(
                        call(0, "run_command", ToolCallState.DONE, null, 1_000L, 1_400),
                        call(1, "run_command", ToolCallState.FAILED, null, 1_400L, 2_000),
                        call(2, "write_file", ToolCallState.DENIED, 2_000L, null, 2_500)),
                3_000);

        assertThat(found.tools())
                .containsExactly(
                        new ToolFigures("run_command", 2, 1, 0, 1_000, 600),
                        new ToolFigures("write_file", 1, 0, 1, 0, 0));
        assertThat(TurnAnalysis.together(List.of(found.tools(), found.tools())))
                .containsExactly(
                        new ToolFigures("run_command", 4, 2, 0, 2_000, 600),
                        new ToolFigures("write_file", 2, 0, 2, 0, 0));
    }

    @Test
    @DisplayName("what is still going on counts up to now, and a clock that went back counts nothing")
    void open() {
        TurnAnalytics found = analytics(List.of(new Block.Thinking(0, at(100), null, null, "")), 400);
        assertThat(found.turn().times()).isEqualTo(new ActivityTimes(300, 0, 0, 0, 100));

        TurnAnalytics back = analytics(List.of(new Block.Thinking(0, at(-500), at(-600), null, "")), -1_000);
        assertThat(back.turn().millis()).isZero();
        assertThat(back.timeline()).isEmpty();
    }

    @Test
    @DisplayName("a very long turn tells the beginning of its timeline, and all of its sums")
    void longOne() {
        List<Block> blocks = new ArrayList<>();
        for (int index = 0; index < 3_000; index++) {
            blocks.add(new Block.Thinking(index, at(index * 10L), at(index * 10L + 5), null, ""));
        }
        TurnAnalytics found = analytics(blocks, 30_000);
        assertThat(found.timeline()).hasSize(2_000);
        assertThat(found.cut()).isTrue();
        assertThat(found.turn().times()).isEqualTo(new ActivityTimes(15_000, 0, 0, 0, 15_000));
    }

    @Test
    @DisplayName("what is used is kept by rounds, and a round that was cut and asked for again is one round")
    void rounds() {
        var document = new TurnDocument(TurnFixture.fresh(), List.of());
        List<WorkEntry> entries = List.of(
                new WorkEntry.RoundStarted(1, 1),
                new WorkEntry.UsageReported(2, new Usage(100, 20, 5, null)),
                new WorkEntry.RoundStarted(3, 2),
                new WorkEntry.UsageReported(4, new Usage(250, 30, 5, null)),
                new WorkEntry.RoundSuperseded(5, 2),
                new WorkEntry.RoundStarted(6, 2),
                new WorkEntry.WorkOrderComplete(7, TurnStatus.FINISHED, null, new Usage(400, 60, 6, null)));
        entries.forEach(entry -> document.apply(entry, TurnFixture.CLOCK));

        TurnRecord record = document.toRecord(TurnFixture.fresh());
        assertThat(record.roundUsages()).containsExactly(new RoundUsage(1, 100, 20, 5), new RoundUsage(2, 300, 40, 1));
        assertThat(new TurnDocument(record, List.of()).toRecord(record).roundUsages())
                .isEqualTo(record.roundUsages());
    }
}
