package dev.gadget.code.turn;

import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStats;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Makes turns and what a drone says of them. */
final class TurnFixture {
    static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

    /** What scripts take into a turn, which fresh ones have on its way. */
    static final TurnId STEERED = TurnId.random();

    private static final int MOST_ROUNDS = 50;

    private TurnFixture() {}

    static TurnRecord fresh() {
        return new TurnRecord(
                TurnId.random(),
                SessionId.random(),
                UserId.random(),
                "hello",
                TurnStatus.QUEUED,
                "demo",
                "model",
                ReasoningEffort.OFF,
                WorkOrderId.random(),
                null,
                null,
                1,
                1,
                0,
                TurnRecord.NOTHING_OPEN,
                Usage.NONE,
                List.of(),
                TurnStats.NONE,
                null,
                null,
                NOW,
                null,
                IntStream.rangeClosed(1, MOST_ROUNDS)
                        .mapToObj(round -> SteeredPrompt.of(STEERED, "more after " + round))
                        .toList(),
                null,
                0);
    }

    static WorkEntry thinking(long seq, String text) {
        return new WorkEntry.Thinking(seq, null, text);
    }

    static WorkEntry response(long seq, String text) {
        return new WorkEntry.Response(seq, null, text);
    }

    static WorkEntry called(long seq, String callId) {
        return new WorkEntry.ToolCalled(seq, callId, "read_file", Map.of("path", "a.txt"));
    }

    static WorkEntry thinking(long seq, String text, String parent) {
        return new WorkEntry.Thinking(seq, null, text, parent);
    }

    static WorkEntry response(long seq, String text, String parent) {
        return new WorkEntry.Response(seq, null, text, parent);
    }

    static WorkEntry called(long seq, String callId, String parent) {
        return new WorkEntry.ToolCalled(seq, callId, "read_file", Map.of(), parent);
    }

    static WorkEntry started(long seq, String callId) {
        return new WorkEntry.ToolStarted(seq, callId, null);
    }

    static WorkEntry printed(long seq, String callId, String text) {
        return new WorkEntry.ToolOutput(seq, callId, text);
    }

    static WorkEntry ended(long seq, String callId) {
        return new WorkEntry.ToolEnded(seq, callId, ToolCallState.DONE, "result of " + callId);
    }

    static WorkEntry complete(long seq) {
        return new WorkEntry.WorkOrderComplete(seq, TurnStatus.FINISHED, null, new Usage(10, 20, 5, null));
    }

    /** A whole turn of several rounds with parallel tools, as a drone would tell it. */
    static List<WorkEntry> script(RandomGenerator random, int rounds) {
        List<WorkEntry> entries = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            entries.add(new WorkEntry.RoundStarted(entries.size() + 1, round));
            cuts(entries, random, round);
            text(entries, random, true);
            text(entries, random, false);
            if (round < rounds) {
                entries.add(new WorkEntry.CallGrows(entries.size() + 1, "read_file", 700));
                tools(entries, random, round);
            }
            boolean delegates = random.nextInt(3) == 0;
            if (delegates) {
                delegated(entries, round);
            }
            entries.add(new WorkEntry.UsageReported(entries.size() + 1, new Usage(round, round, 0, null)));
            if (delegates) {
                subagents(entries, random, round);
            }
            if (random.nextBoolean()) {
                entries.add(new WorkEntry.Prompted(entries.size() + 1, STEERED, "more after " + round));
            }
        }
        entries.add(complete(entries.size() + 1));
        return entries;
    }

    /** Responses that broke off before the one that holds: while a call was written, or before they said anything. */
    private static void cuts(List<WorkEntry> entries, RandomGenerator random, int round) {
        while (random.nextInt(3) == 0) {
            if (random.nextBoolean()) {
                text(entries, random, true);
                entries.add(new WorkEntry.CallGrows(entries.size() + 1, "read_file", 700));
                entries.add(new WorkEntry.RoundSuperseded(entries.size() + 1, round));
            } else {
                entries.add(retrying(entries.size() + 1));
            }
            entries.add(new WorkEntry.RoundStarted(entries.size() + 1, round));
        }
    }

    static WorkEntry retrying(long seq) {
        return new WorkEntry.Retrying(seq, new Failure(FailureCode.RATE_LIMITED, "Too many requests."), 1, 60_000);
    }

    private static void text(List<WorkEntry> entries, RandomGenerator random, boolean thinking) {
        int pieces = random.nextInt(6);
        for (int i = 0; i < pieces; i++) {
            long seq = entries.size() + 1;
            String piece = "t" + seq + " ";
            entries.add(thinking ? thinking(seq, piece) : response(seq, piece));
        }
    }

    private static final List<String> AGENTS = List.of("a", "b", "c");

    private static void delegated(List<WorkEntry> entries, int round) {
        AGENTS.forEach(agent -> entries.add(new WorkEntry.ToolCalled(
                entries.size() + 1, "agent-" + round + agent, "delegate", Map.of("task", "look"))));
    }

    /** Subagents at once, each of which thinks, speaks and calls; some start over, and what they have open may end with their call. */
    private static void subagents(List<WorkEntry> entries, RandomGenerator random, int round) {
        List<Subagent> working = new ArrayList<>();
        for (String agent : AGENTS) {
            working.add(new Subagent("agent-" + round + agent));
            entries.add(started(entries.size() + 1, "agent-" + round + agent));
        }
        while (!working.isEmpty()) {
            Subagent agent = working.get(random.nextInt(working.size()));
            if (random.nextInt(25) == 0) {
                working.remove(agent);
                entries.add(ended(entries.size() + 1, agent.call));
            } else {
                agent.step(entries, random);
            }
        }
    }

    private static final class Subagent {
        private final String call;
        private final List<String> open = new ArrayList<>();
        private int rounds;

        Subagent(String call) {
            this.call = call;
        }

        void step(List<WorkEntry> entries, RandomGenerator random) {
            long seq = entries.size() + 1;
            String own = open.isEmpty() ? "" : open.get(random.nextInt(open.size()));
            switch (random.nextInt(own.isEmpty() ? 9 : 14)) {
                case 0 -> entries.add(new WorkEntry.RoundStarted(seq, ++rounds, call));
                case 1 -> {
                    open.add(call + "-" + seq);
                    entries.add(new WorkEntry.ToolCalled(seq, call + "-" + seq, "read_file", Map.of(), call));
                }
                case 2 -> {
                    if (random.nextInt(5) == 0) {
                        rounds = 0;
                        open.clear();
                        entries.add(new WorkEntry.RoundSuperseded(seq, 1, call));
                    }
                }
                case 3, 4, 5 -> entries.add(new WorkEntry.Thinking(seq, null, "h" + seq + " ", call));
                case 6, 7, 8 -> entries.add(new WorkEntry.Response(seq, null, "r" + seq + " ", call));
                case 9, 10 -> entries.add(started(seq, own));
                case 11, 12 -> entries.add(printed(seq, own, "out" + seq + "\n"));
                default -> {
                    open.remove(own);
                    entries.add(ended(seq, own));
                }
            }
        }
    }

    private static void tools(List<WorkEntry> entries, RandomGenerator random, int round) {
        String first = "call-" + round + "-a";
        String second = "call-" + round + "-b";
        entries.add(called(entries.size() + 1, first));
        entries.add(called(entries.size() + 1, second));
        entries.add(started(entries.size() + 1, first));
        entries.add(started(entries.size() + 1, second));
        int chunks = random.nextInt(8);
        for (int i = 0; i < chunks; i++) {
            String call = random.nextBoolean() ? first : second;
            entries.add(printed(entries.size() + 1, call, "out" + entries.size() + "\n"));
        }
        entries.add(ended(entries.size() + 1, second));
        entries.add(ended(entries.size() + 1, first));
    }
}
