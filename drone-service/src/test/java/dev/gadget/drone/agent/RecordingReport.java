package dev.gadget.drone.agent;

import dev.gadget.model.Failure;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Keeps what is reported, as the journal would and as short lines. */
final class RecordingReport implements WorkReport {
    private final List<WorkEntry> entries = new ArrayList<>();
    Duration workedBefore = Duration.ZERO;
    final List<Duration> worked = new CopyOnWriteArrayList<>();

    synchronized List<WorkEntry> entries() {
        return List.copyOf(entries);
    }

    /** The journal as a crash would leave it that came right after the first entry of which this is true. */
    synchronized List<WorkEntry> until(java.util.function.Predicate<WorkEntry> last) {
        List<WorkEntry> kept = new ArrayList<>();
        for (WorkEntry entry : entries) {
            kept.add(entry);
            if (last.test(entry)) {
                return kept;
            }
        }
        throw new AssertionError("no such entry in " + lines());
    }

    synchronized List<String> lines() {
        return entries.stream()
                .map(entry -> switch (entry) {
                    case WorkEntry.Thinking text -> of(text.parent()) + "thinking " + text.content();
                    case WorkEntry.Response text -> of(text.parent()) + "response " + text.content();
                    case WorkEntry.RoundStarted round -> of(round.parent()) + "round " + round.round();
                    case WorkEntry.RoundSuperseded round -> of(round.parent()) + "superseded " + round.round();
                    case WorkEntry.Prompted said -> "prompted " + said.content();
                    case WorkEntry.CallGrows call -> "grows " + call.name() + " " + call.chars();
                    case WorkEntry.ToolCalled call -> of(call.parent()) + "called " + call.callId() + " " + call.name();
                    case WorkEntry.ToolAwaitsApproval call -> "awaits " + call.callId();
                    case WorkEntry.ToolStarted call -> "started " + call.callId();
                    case WorkEntry.ToolOutput output -> "output " + output.callId() + " " + output.text();
                    case WorkEntry.ToolEnded end -> end.state().name().toLowerCase(Locale.ROOT) + " " + end.callId();
                    case WorkEntry.UsageReported usage ->
                        "usage " + usage.usage().outputTokens();
                    case WorkEntry.Retrying retrying -> "retrying " + retrying.attempt();
                    case WorkEntry.FilesChanged files ->
                        "files " + files.files().total();
                    case WorkEntry.WorkOrderComplete complete ->
                        "complete " + complete.status().name().toLowerCase(Locale.ROOT);
                })
                .toList();
    }

    private static String of(@Nullable String parent) {
        return parent == null ? "" : parent + " ";
    }

    String answer(String callId) {
        return ended(callId).response();
    }

    synchronized String output(String callId) {
        return entries.stream()
                .filter(WorkEntry.ToolOutput.class::isInstance)
                .map(WorkEntry.ToolOutput.class::cast)
                .filter(output -> output.callId().equals(callId))
                .map(WorkEntry.ToolOutput::text)
                .collect(Collectors.joining());
    }

    synchronized WorkEntry.ToolEnded ended(String callId) {
        return entries.stream()
                .filter(WorkEntry.ToolEnded.class::isInstance)
                .map(WorkEntry.ToolEnded.class::cast)
                .filter(end -> end.callId().equals(callId))
                .findFirst()
                .orElseThrow();
    }

    WorkEntry.WorkOrderComplete complete() {
        return (WorkEntry.WorkOrderComplete) entries().getLast();
    }

    Failure failure() {
        return Objects.requireNonNull(complete().failure());
    }

    private synchronized long next() {
        return entries.size() + 1L;
    }

    private synchronized void add(WorkEntry entry) {
        if (!entries.isEmpty() && entries.getLast() instanceof WorkEntry.WorkOrderComplete) {
            throw new AssertionError("after the end came " + entry);
        }
        entries.add(entry);
    }

    @Override
    public Duration workedBefore() {
        return workedBefore;
    }

    @Override
    public void worked(Duration soFar) {
        worked.add(soFar);
    }

    @Override
    public synchronized void roundStarted(@Nullable String parent, int round) {
        add(new WorkEntry.RoundStarted(next(), round, parent));
    }

    @Override
    public synchronized void roundSuperseded(@Nullable String parent, int round) {
        add(new WorkEntry.RoundSuperseded(next(), round, parent));
    }

    @Override
    public synchronized void prompted(TurnId promptId, String text) {
        add(new WorkEntry.Prompted(next(), promptId, text));
    }

    @Override
    public synchronized void thinking(@Nullable String parent, String text) {
        add(new WorkEntry.Thinking(next(), null, text, parent));
    }

    @Override
    public synchronized void response(@Nullable String parent, String text) {
        add(new WorkEntry.Response(next(), null, text, parent));
    }

    @Override
    public synchronized void callGrows(String name, int chars) {
        add(new WorkEntry.CallGrows(next(), name, chars));
    }

    @Override
    public synchronized void toolCalled(
            @Nullable String parent, String callId, String name, Map<String, Object> parameters) {
        add(new WorkEntry.ToolCalled(next(), callId, name, parameters, parent));
    }

    @Override
    public synchronized void toolAwaitsApproval(
            String callId, String reason, @Nullable String preview, String shown, @Nullable List<String> patterns) {
        add(new WorkEntry.ToolAwaitsApproval(next(), callId, reason, preview, shown, patterns));
    }

    @Override
    public synchronized void toolStarted(String callId, @Nullable Map<String, Object> changed) {
        add(new WorkEntry.ToolStarted(next(), callId, changed));
    }

    @Override
    public synchronized void toolOutput(String callId, String text) {
        add(new WorkEntry.ToolOutput(next(), callId, text));
    }

    @Override
    public synchronized void toolEnded(String callId, ToolCallState state, String response, @Nullable String diff) {
        add(new WorkEntry.ToolEnded(next(), callId, state, response, diff));
    }

    @Override
    public synchronized void usage(Usage usage) {
        add(new WorkEntry.UsageReported(next(), usage));
    }

    @Override
    public synchronized void retrying(Failure failure, int attempt, long delayMillis) {
        add(new WorkEntry.Retrying(next(), failure, attempt, delayMillis));
    }

    @Override
    public synchronized void filesChanged(TurnFiles files) {
        add(new WorkEntry.FilesChanged(next(), files));
    }

    @Override
    public synchronized void complete(TurnStatus status, @Nullable Failure failure, Usage usage) {
        add(new WorkEntry.WorkOrderComplete(next(), status, failure, usage));
    }
}
