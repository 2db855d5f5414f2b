package dev.gadget.drone.agent;

import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the journal of a turn tells. A round is whole once its usage was reported: the loop does so after each response that
 * is complete, and before any of its tools runs. What subagents said and called is none of the turn's own: one whose call has no
 * end starts over, or its outcome is unknown.
 *
 * @param setup the clone of the project, when one was begun before the first round
 * @param rounds the whole rounds, in order
 * @param cut the number of the last round, when it is not whole and something of it was told
 * @param openCallsOfCut calls of that round that have no end
 * @param summary what stands for all before these rounds, when the conversation was made short
 * @param compactions how often that was tried
 * @param callIds the ids of all calls, also of those that do not count any more
 * @param lastRound the highest number that was used
 */
record RecoveredTurn(
        @Nullable TurnCall setup,
        List<Round> rounds,
        @Nullable Integer cut,
        List<String> openCallsOfCut,
        int lastRound,
        Usage usage,
        boolean ended,
        @Nullable String summary,
        int compactions,
        Set<String> callIds) {

    /**
     * A round that was complete.
     *
     * @param said what the person said meanwhile, and was taken after it
     */
    record Round(int number, String text, String thinking, List<TurnCall> calls, List<WorkOrderRunner.Said> said) {}

    /** Whether this call began before. */
    boolean began(String callId) {
        return rounds.stream()
                .flatMap(round -> round.calls().stream())
                .anyMatch(call -> call.started() && call.callId().equals(callId));
    }

    static RecoveredTurn of(List<WorkEntry> entries) {
        Reader reader = new Reader();
        entries.forEach(reader::take);
        return reader.result();
    }

    private static final class Reader {
        private final List<Round> rounds = new ArrayList<>();
        private final List<Part> parts = new ArrayList<>();
        private Usage usage = Usage.NONE;
        private @Nullable TurnCall setup;
        private boolean ended;
        private @Nullable String summary;
        private @Nullable String compacting;
        private int compactions;
        private final Set<String> callIds = new HashSet<>();

        private static final class Part {
            final int number;
            final StringBuilder text = new StringBuilder();
            final StringBuilder thinking = new StringBuilder();
            final Map<String, TurnCall> calls = new LinkedHashMap<>();
            final List<WorkOrderRunner.Said> said = new ArrayList<>();
            boolean whole;
            boolean superseded;
            boolean summarised;

            Part(int number) {
                this.number = number;
            }

            boolean told() {
                return !text.isEmpty() || !thinking.isEmpty() || !calls.isEmpty();
            }
        }

        void take(WorkEntry entry) {
            if (entry instanceof WorkEntry.ToolCalled call) {
                callIds.add(call.callId());
            }
            switch (entry) {
                case WorkEntry.RoundStarted started when started.parent() != null -> {}
                case WorkEntry.RoundSuperseded cut when cut.parent() != null -> {}
                case WorkEntry.Thinking text when text.parent() != null -> {}
                case WorkEntry.Response text when text.parent() != null -> {}
                case WorkEntry.ToolCalled call when call.parent() != null -> {}
                case WorkEntry.RoundStarted started -> parts.add(new Part(started.round()));
                case WorkEntry.RoundSuperseded cut ->
                    parts.stream().filter(part -> part.number == cut.round()).forEach(part -> part.superseded = true);
                case WorkEntry.Thinking text -> last().thinking.append(text.content());
                case WorkEntry.Response text -> last().text.append(text.content());
                case WorkEntry.Prompted more ->
                    last().said.add(new WorkOrderRunner.Said(more.promptId(), more.content()));
                case WorkEntry.ToolCalled call
                when call.name().equals(Compaction.NAME) -> {
                    compactions++;
                    compacting = call.callId();
                }
                case WorkEntry.ToolStarted started when started.callId().equals(compacting) -> {}
                case WorkEntry.ToolEnded end
                when end.callId().equals(compacting) -> {
                    compacting = null;
                    if (end.state() == ToolCallState.DONE) {
                        summary = end.response();
                        keepNewestRound();
                    }
                }
                case WorkEntry.ToolCalled call -> called(call);
                case WorkEntry.ToolStarted started -> change(started.callId(), started.parameters(), true, null);
                case WorkEntry.ToolEnded end -> change(end.callId(), null, false, end);
                case WorkEntry.UsageReported reported -> {
                    usage = reported.usage();
                    last().whole = true;
                }
                case WorkEntry.WorkOrderComplete complete -> ended = true;
                case WorkEntry.ToolAwaitsApproval awaits -> {}
                case WorkEntry.ToolOutput output -> {}
                case WorkEntry.FilesChanged files -> {}
                case WorkEntry.Retrying retrying -> {}
                case WorkEntry.CallGrows grows -> {}
            }
        }

        /** A summary stands for all but the newest round, as the conversation had it. */
        private void keepNewestRound() {
            List<Part> whole = parts.stream()
                    .filter(part -> part.whole && !part.superseded)
                    .toList();
            for (int i = 0; i < whole.size() - 1; i++) {
                whole.get(i).summarised = true;
            }
        }

        private void called(WorkEntry.ToolCalled call) {
            var fresh = new TurnCall(call.callId(), call.name(), call.parameters(), null, false, null);
            if (call.callId().equals(ProjectSetup.CALL_ID)) {
                setup = fresh;
            } else {
                last().calls.put(call.callId(), fresh);
            }
        }

        private Part last() {
            if (parts.isEmpty()) {
                parts.add(new Part(1));
            }
            return parts.getLast();
        }

        private void change(
                String callId,
                @Nullable Map<String, Object> parameters,
                boolean started,
                WorkEntry.@Nullable ToolEnded end) {
            TurnCall clone = setup;
            if (clone != null && clone.callId().equals(callId)) {
                setup = advanced(clone, parameters, started, end);
                return;
            }
            for (Part part : parts.reversed()) {
                if (part.calls.containsKey(callId)) {
                    part.calls.computeIfPresent(callId, (id, call) -> advanced(call, parameters, started, end));
                    return;
                }
            }
        }

        private static TurnCall advanced(
                TurnCall call,
                @Nullable Map<String, Object> parameters,
                boolean started,
                WorkEntry.@Nullable ToolEnded end) {
            return new TurnCall(
                    call.callId(),
                    call.name(),
                    parameters == null ? call.parameters() : parameters,
                    call.malformed(),
                    call.started() || started,
                    end == null ? call.answer() : answer(end));
        }

        private static String answer(WorkEntry.ToolEnded end) {
            return end.state() == ToolCallState.UNKNOWN && end.response().isEmpty()
                    ? "The outcome is unknown."
                    : end.response();
        }

        RecoveredTurn result() {
            for (Part part : parts) {
                if (part.whole && !part.superseded && !part.summarised) {
                    rounds.add(new Round(
                            part.number,
                            part.text.toString(),
                            part.thinking.toString(),
                            List.copyOf(part.calls.values()),
                            List.copyOf(part.said)));
                }
            }
            Part cut = cut();
            List<String> open = new ArrayList<>();
            if (compacting != null) {
                open.add(compacting);
            }
            open.addAll(openCalls(cut));
            int highest = parts.stream().mapToInt(part -> part.number).max().orElse(0);
            return new RecoveredTurn(
                    setup,
                    rounds,
                    cut == null ? null : cut.number,
                    open,
                    highest,
                    usage,
                    ended,
                    summary,
                    compactions,
                    Set.copyOf(callIds));
        }

        private static List<String> openCalls(@Nullable Part cut) {
            return cut == null
                    ? List.of()
                    : cut.calls.values().stream()
                            .filter(call -> call.answer() == null)
                            .map(TurnCall::callId)
                            .toList();
        }

        private @Nullable Part cut() {
            Part last = parts.isEmpty() ? null : parts.getLast();
            return last != null && !last.whole && !last.superseded && last.told() ? last : null;
        }
    }
}
