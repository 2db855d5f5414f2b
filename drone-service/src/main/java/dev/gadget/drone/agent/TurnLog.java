package dev.gadget.drone.agent;

import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.model.Failure;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkOrder;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells the log what is reported of a turn, under the turn's id: what happens and how long it takes, and nothing of what is said, asked
 * for or answered, nor what an endpoint says of its failure, which may repeat it.
 */
final class TurnLog implements WorkReport {
    private static final Logger LOG = Logger.getLogger(TurnLog.class);
    private static final Pattern NOT_A_NAME = Pattern.compile("[^A-Za-z0-9_.:/-]");
    private static final int NAME_CHARS = 64;

    private final WorkOrder order;
    private final WorkReport report;
    private final long startedAt = System.nanoTime();
    private final Map<String, Call> calls = new ConcurrentHashMap<>();
    private String mode = "none";
    private int pieces;
    private int transitions;

    /** @param since when it was run; 0 before */
    private record Call(String tool, long since) {
        static final Call UNKNOWN = new Call("unknown", 0);
    }

    TurnLog(WorkOrder order, WorkReport report) {
        this.order = order;
        this.report = report;
    }

    /** @param earlier how many entries of a turn that was begun before are in the journal */
    void starts(int earlier) {
        LOG.infof(
                "turn starts turnId=%s sessionId=%s workOrderId=%s provider=%s model=%s effort=%s earlierEntries=%d",
                order.turnId(),
                order.chatSessionId(),
                order.workOrderId(),
                word(order.provider().type()),
                name(order.model()),
                word(order.reasoningEffort()),
                earlier);
    }

    /**
     * One response of the model, whatever came of it.
     *
     * @param number 0 for one that makes the conversation short
     */
    static void round(WorkOrder order, int number, RoundRequest request, ModelRound round) {
        Duration first = round.firstAfter();
        LOG.infof(
                "round ended turnId=%s round=%d model=%s messages=%d reason=%s firstMs=%s ms=%d pieces=%d calls=%d"
                        + " inputTokens=%s outputTokens=%s",
                order.turnId(),
                number,
                name(request.model()),
                request.messages().size(),
                round.failure().map(failed -> code(failed.failure())).orElseGet(() -> word(round.reason())),
                first == null ? "none" : first.toMillis(),
                round.took().toMillis(),
                round.pieces(),
                round.calls().size(),
                round.usage().map(usage -> Long.toString(usage.inputTokens())).orElse("unknown"),
                round.usage().map(usage -> Long.toString(usage.outputTokens())).orElse("unknown"));
    }

    @Override
    public void roundStarted(@Nullable String parent, int round) {
        LOG.debugf("round starts turnId=%s of=%s round=%d", order.turnId(), whose(parent), round);
        report.roundStarted(parent, round);
    }

    @Override
    public void roundSuperseded(@Nullable String parent, int round) {
        LOG.infof("round is said again turnId=%s of=%s round=%d", order.turnId(), whose(parent), round);
        report.roundSuperseded(parent, round);
    }

    @Override
    public void prompted(TurnId promptId, String text) {
        LOG.infof("prompt taken into the turn turnId=%s promptId=%s", order.turnId(), promptId);
        report.prompted(promptId, text);
    }

    @Override
    public void thinking(@Nullable String parent, String text) {
        in(parent, "thinking");
        report.thinking(parent, text);
    }

    @Override
    public void response(@Nullable String parent, String text) {
        in(parent, "responding");
        report.response(parent, text);
    }

    @Override
    public void callGrows(String name, int chars) {
        report.callGrows(name, chars);
    }

    @Override
    public void toolCalled(@Nullable String parent, String callId, String name, Map<String, Object> parameters) {
        in(parent, "tool");
        calls.put(callId, new Call(name(name), 0));
        LOG.debugf(
                "tool call turnId=%s of=%s callId=%s tool=%s", order.turnId(), whose(parent), name(callId), name(name));
        report.toolCalled(parent, callId, name, parameters);
    }

    @Override
    public void toolAwaitsApproval(
            String callId, String reason, @Nullable String preview, String shown, @Nullable List<String> patterns) {
        LOG.infof(
                "tool call waits for a person turnId=%s callId=%s tool=%s",
                order.turnId(), name(callId), called(callId).tool());
        report.toolAwaitsApproval(callId, reason, preview, shown, patterns);
    }

    @Override
    public void toolStarted(String callId, @Nullable Map<String, Object> changed) {
        calls.put(callId, new Call(called(callId).tool(), System.nanoTime()));
        report.toolStarted(callId, changed);
    }

    @Override
    public void toolOutput(String callId, String text) {
        report.toolOutput(callId, text);
    }

    @Override
    public void toolEnded(String callId, ToolCallState state, String response, @Nullable String diff) {
        Call call = called(callId);
        calls.remove(callId);
        LOG.infof(
                "tool call ended turnId=%s callId=%s tool=%s state=%s ms=%s",
                order.turnId(),
                name(callId),
                call.tool(),
                word(state),
                call.since() == 0 ? "none" : millisSince(call.since()));
        report.toolEnded(callId, state, response, diff);
    }

    @Override
    public boolean readsDiffs() {
        return report.readsDiffs();
    }

    @Override
    public void usage(Usage usage) {
        report.usage(usage);
    }

    @Override
    public void retrying(Failure failure, int attempt, long delayMillis) {
        LOG.infof(
                "model is asked again turnId=%s attempt=%d code=%s waitMs=%d",
                order.turnId(), attempt, code(failure), delayMillis);
        report.retrying(failure, attempt, delayMillis);
    }

    @Override
    public void filesChanged(TurnFiles files) {
        LOG.debugf(
                "files changed turnId=%s files=%d",
                order.turnId(), files.files().size());
        report.filesChanged(files);
    }

    @Override
    public Duration workedBefore() {
        return report.workedBefore();
    }

    @Override
    public void worked(Duration soFar) {
        report.worked(soFar);
    }

    @Override
    public void complete(TurnStatus status, @Nullable Failure failure, Usage usage) {
        in(null, "none");
        LOG.infof(
                "turn ends turnId=%s status=%s code=%s ms=%d modeTransitions=%d inputTokens=%d outputTokens=%d",
                order.turnId(),
                word(status),
                failure == null ? "none" : code(failure),
                millisSince(startedAt),
                transitions(),
                usage.inputTokens(),
                usage.outputTokens());
        report.complete(status, failure, usage);
    }

    /** Of a turn that is taken up again, calls may have been asked for before. */
    private Call called(String callId) {
        return calls.getOrDefault(callId, Call.UNKNOWN);
    }

    private synchronized int transitions() {
        return transitions;
    }

    /** Modes are those of the turn's own words; subagents speak beside them. */
    private synchronized void in(@Nullable String parent, String now) {
        if (parent != null) {
            return;
        }
        if (!mode.equals(now)) {
            LOG.debugf("mode turnId=%s currentMode=%s before=%s pieces=%d", order.turnId(), now, mode, pieces);
            mode = now;
            transitions++;
            pieces = 0;
        }
        pieces++;
    }

    /** The call that a subagent works for, or the turn itself. */
    private static String whose(@Nullable String parent) {
        return parent == null ? "turn" : name(parent);
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    private static String code(Failure failure) {
        return failure.code().wireName();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** What others made up: on one line, and not for ever. */
    private static String name(String theirs) {
        String one = theirs.length() > NAME_CHARS ? theirs.substring(0, NAME_CHARS) : theirs;
        return NOT_A_NAME.matcher(one).replaceAll("_");
    }
}
