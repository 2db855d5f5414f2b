package dev.gadget.code.turn;

import dev.gadget.model.api.AnalyticsApi.Activity;
import dev.gadget.model.api.AnalyticsApi.ActivityTimes;
import dev.gadget.model.api.AnalyticsApi.Stretch;
import dev.gadget.model.api.AnalyticsApi.ToolFigures;
import dev.gadget.model.api.AnalyticsApi.TurnAnalytics;
import dev.gadget.model.api.AnalyticsApi.TurnFigures;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a turn went to, reckoned from when its blocks began and ended. */
final class TurnAnalysis {
    private static final int MOST_STRETCHES = 2_000;
    private static final int PROMPT_CHARS = 80;

    private final TurnRecord turn;
    private final List<Block> blocks;
    private final long begin;
    private final long end;

    /** @param now the end of what has not ended */
    TurnAnalysis(TurnRecord turn, List<Block> blocks, Instant now) {
        this.turn = turn;
        this.blocks = blocks;
        begin = turn.createdAt().toEpochMilli();
        end = Math.max(begin, Objects.requireNonNullElse(turn.finishedAt(), now).toEpochMilli());
    }

    /** Something that took its time, alone or beside others. */
    private record Span(
            long from,
            long until,
            Activity activity,
            @Nullable String tool) {}

    TurnAnalytics whole() {
        List<Stretch> timeline = timeline();
        return new TurnAnalytics(
                figures(timeline),
                turn.roundUsages(),
                timeline.subList(0, Math.min(timeline.size(), MOST_STRETCHES)),
                timeline.size() > MOST_STRETCHES,
                tools());
    }

    TurnFigures figures() {
        return figures(timeline());
    }

    private TurnFigures figures(List<Stretch> timeline) {
        Map<Activity, Long> millis = new EnumMap<>(Activity.class);
        timeline.forEach(stretch -> millis.merge(stretch.activity(), stretch.millis(), Long::sum));
        return new TurnFigures(
                turn.id(),
                beginning(turn.prompt()),
                turn.status(),
                turn.model(),
                turn.createdAt(),
                end - begin,
                new ActivityTimes(
                        millis.getOrDefault(Activity.THINKING, 0L),
                        millis.getOrDefault(Activity.RESPONDING, 0L),
                        millis.getOrDefault(Activity.TOOL, 0L),
                        millis.getOrDefault(Activity.PERSON, 0L),
                        millis.getOrDefault(Activity.WAITING, 0L)),
                turn.usage(),
                turn.stats().rounds(),
                turn.stats().modeTransitions(),
                turn.stats().toolCallCount(),
                turn.stats().toolFailures());
    }

    private static String beginning(String prompt) {
        String line = prompt.strip().replaceAll("\\s+", " ");
        if (line.length() <= PROMPT_CHARS) {
            return line;
        }
        int cut = Character.isHighSurrogate(line.charAt(PROMPT_CHARS - 1)) ? PROMPT_CHARS - 1 : PROMPT_CHARS;
        return line.substring(0, cut) + "…";
    }

    /** Calls and their time by tool, the longest first. */
    List<ToolFigures> tools() {
        Map<String, ToolFigures> byName = new TreeMap<>();
        for (Block block : blocks) {
            if (block instanceof Block.Tool tool) {
                byName.merge(tool.content().name(), figures(tool.content()), TurnAnalysis::together);
            }
        }
        return sorted(byName);
    }

    /** Those of several turns. */
    static List<ToolFigures> together(List<List<ToolFigures>> ofTurns) {
        Map<String, ToolFigures> byName = new TreeMap<>();
        ofTurns.forEach(tools -> tools.forEach(one -> byName.merge(one.name(), one, TurnAnalysis::together)));
        return sorted(byName);
    }

    private static List<ToolFigures> sorted(Map<String, ToolFigures> byName) {
        return byName.values().stream()
                .sorted(Comparator.comparingLong(ToolFigures::millis).reversed())
                .toList();
    }

    private ToolFigures figures(ToolCall call) {
        long millis = call.startedAt() == null ? 0 : Math.max(0, endOf(call) - millis(call.startedAt()));
        return new ToolFigures(
                call.name(),
                1,
                call.state() == ToolCallState.FAILED ? 1 : 0,
                call.state() == ToolCallState.DENIED ? 1 : 0,
                millis,
                millis);
    }

    private static ToolFigures together(ToolFigures one, ToolFigures other) {
        return new ToolFigures(
                one.name(),
                one.calls() + other.calls(),
                one.failed() + other.failed(),
                one.denied() + other.denied(),
                one.millis() + other.millis(),
                Math.max(one.longestMillis(), other.longestMillis()));
    }

    /** What was done from the beginning to the end: at every moment the first {@link Activity} of what went on. */
    private List<Stretch> timeline() {
        List<Span> spans = spans();
        var times = new TreeSet<Long>(List.of(begin, end));
        spans.forEach(span -> times.addAll(List.of(span.from(), span.until())));
        List<Stretch> timeline = new ArrayList<>();
        List<Span> goingOn = new ArrayList<>();
        int next = 0;
        long from = begin;
        for (long until : times.tailSet(begin, false)) {
            long moment = from;
            while (next < spans.size() && spans.get(next).from() <= moment) {
                goingOn.add(spans.get(next++));
            }
            goingOn.removeIf(span -> span.until() <= moment);
            add(timeline, stretch(goingOn, from, until));
            from = until;
        }
        return timeline;
    }

    private Stretch stretch(List<Span> goingOn, long from, long until) {
        return goingOn.stream()
                .min(Comparator.comparing(Span::activity))
                .map(span -> new Stretch(span.activity(), from - begin, until - from, span.tool()))
                .orElseGet(() -> new Stretch(Activity.WAITING, from - begin, until - from, null));
    }

    /** What goes on as before is one stretch with it. */
    private static void add(List<Stretch> timeline, Stretch stretch) {
        Stretch last = timeline.isEmpty() ? null : timeline.getLast();
        if (last != null && last.activity() == stretch.activity() && Objects.equals(last.tool(), stretch.tool())) {
            timeline.set(
                    timeline.size() - 1,
                    new Stretch(last.activity(), last.fromMillis(), last.millis() + stretch.millis(), last.tool()));
        } else {
            timeline.add(stretch);
        }
    }

    /** What subagents do is in the time of the calls that they work for. */
    private List<Span> spans() {
        List<Span> spans = new ArrayList<>();
        for (Block block : blocks) {
            if (block.parent() != null) {
                continue;
            }
            long created = millis(block.createdAt());
            long closed = block.closedAt() == null ? end : millis(block.closedAt());
            switch (block) {
                case Block.Thinking _ -> add(spans, created, closed, Activity.THINKING, null);
                case Block.Responding _ -> add(spans, created, closed, Activity.RESPONDING, null);
                case Block.Tool tool -> addCall(spans, tool.content());
                case Block.Prompt _ -> {}
            }
        }
        spans.sort(Comparator.comparingLong(Span::from));
        return spans;
    }

    private void addCall(List<Span> spans, ToolCall call) {
        Instant started = call.startedAt();
        Instant asked = call.askedAt();
        if (asked != null) {
            add(spans, millis(asked), started == null ? endOf(call) : millis(started), Activity.PERSON, call.name());
        }
        if (started != null) {
            add(spans, millis(started), endOf(call), Activity.TOOL, call.name());
        }
    }

    private void add(List<Span> spans, long from, long until, Activity activity, @Nullable String tool) {
        long first = Math.max(begin, from);
        long last = Math.min(end, until);
        if (last > first) {
            spans.add(new Span(first, last, activity, tool));
        }
    }

    private long endOf(ToolCall call) {
        return call.finishedAt() == null ? end : millis(call.finishedAt());
    }

    private static long millis(Instant instant) {
        return instant.toEpochMilli();
    }
}
