package dev.gadget.drone.agent;

import dev.gadget.drone.checkpoint.Checkpoints;
import dev.gadget.drone.policy.LocalPolicy;
import dev.gadget.drone.policy.SessionGrants;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ModelProvider;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.drone.tool.Arguments;
import dev.gadget.drone.tool.HeadAndTail;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolInvocation;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.Failure;
import dev.gadget.model.Limits;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.ToolEffect;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkOrder;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Hands a part of the work to a second agent with a context of its own, whose answer alone comes back. It asks nobody: unless the
 * session lets everything through it only reads. What it thinks, says and calls is shown as it happens, below the call.
 */
final class Subagent implements Tool {
    static final String NAME = "delegate";

    private static final int MAX_ROUNDS = 25;
    /** Of what each of its calls is made with, prints and answers the turn is told about so many characters; its own model all of it. */
    private static final int MOST_TOLD = 8_000;

    private static final int MOST_PARAMETERS = 32;
    private static final int LONGEST_NAME = 64;

    private final WorkOrder order;
    private final ModelProvider provider;
    private final String instructions;
    private final Workspace workspace;
    private final Toolbox tools;
    private final LocalPolicy local;
    private final Checkpoints checkpoints;
    private final Budget budget;
    private final WorkReport report;
    private final WorkOrderRunner.Approvals person;
    private final RetryPlan retries;
    private final Pause pause;
    private final CallIds callIds;
    private final RecoveredTurn before;

    /**
     * @param tools those of the turn, without this one: a subagent has none of its own
     * @param before what the turn did before a crash
     */
    Subagent(
            WorkOrder order,
            ModelProvider provider,
            String instructions,
            Workspace workspace,
            Toolbox tools,
            LocalPolicy local,
            Checkpoints checkpoints,
            Budget budget,
            WorkReport report,
            WorkOrderRunner.Approvals person,
            RetryPlan retries,
            Pause pause,
            CallIds callIds,
            RecoveredTurn before) {
        this.order = order;
        this.provider = provider;
        this.instructions = instructions;
        this.workspace = workspace;
        this.tools = tools;
        this.local = local;
        this.checkpoints = checkpoints;
        this.budget = budget;
        this.report = report;
        this.person = person;
        this.retries = retries;
        this.pause = pause;
        this.callIds = callIds;
        this.before = before;
    }

    @Override
    public ToolSpec spec() {
        return new ToolSpec(
                NAME,
                "Gives a task to a second agent with a fresh context and the same tools"
                        + (writes() ? "" : ", which only reads")
                        + ", and gives back its answer. For looking through much at once, so that your own context stays small. It knows"
                        + " nothing of this conversation: say all that it needs, and what it should answer.",
                Map.of(
                        "type",
                        "object",
                        "properties",
                        Map.of("task", Map.of("type", "string", "description", "The whole task, and what to answer.")),
                        "required",
                        List.of("task"),
                        "additionalProperties",
                        false));
    }

    @Override
    public ToolEffect effect() {
        return writes() ? ToolEffect.RUNS : ToolEffect.READS;
    }

    @Override
    public int priority() {
        return 1;
    }

    @Override
    public Map<String, Object> example() {
        return Map.of(
                "task",
                "Find every place where the total of a cart is computed. Answer with file, line and what is computed there.");
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("prompt", "task", "description", "task", "instructions", "task");
    }

    private boolean writes() {
        return order.approvalPolicy() == ApprovalPolicy.AUTO;
    }

    @Override
    public ToolResult run(ToolInvocation call) throws InterruptedException {
        WorkOrder part = part(call.text("task"));
        Budget own = budget.part(part.limits());
        var said = new PartReport(report, call.callId(), this::tellUsage);
        boolean again = before.began(call.callId());
        if (again) {
            // It starts over: what it said and did before the crash is nothing that it knows of.
            said.roundSuperseded(1);
        }
        Ending ending;
        try (TurnClock clock = new TurnClock(call.cancel(), null, Duration.ofSeconds(1))) {
            CallDesk desk = new CallDesk(
                    tools,
                    workspace,
                    part,
                    said,
                    new ApprovalDesk(
                            new SessionGrants(),
                            part.chatSessionId(),
                            said,
                            new Unasked(person),
                            clock,
                            local.patience()),
                    local,
                    clock.signal(),
                    checkpoints);
            ending = new TurnWork(
                            part,
                            provider,
                            tools.specs(),
                            new Conversation(instructions, part, ContextWindow.of(part.profile(), tools.specs())),
                            desk,
                            new ToolQueue(part.toolQueue()),
                            own,
                            clock,
                            said,
                            retries,
                            pause,
                            Steering.none(said),
                            again ? callIds.again() : callIds)
                    .run(RecoveredTurn.of(List.of()));
        }
        String answer = said.answer().strip();
        if (ending.status() == TurnStatus.FINISHED && !answer.isEmpty()) {
            return ToolResult.done(answer);
        }
        Failure failure = ending.failure();
        return ToolResult.failed("The subagent did not come to an end"
                + (failure == null ? "." : ": " + failure.message())
                + (answer.isEmpty() ? "" : "\nWhat it said last:\n" + answer));
    }

    /** One after the other, so that of several subagents none tells less than was told. */
    private synchronized void tellUsage() {
        report.usage(budget.usage());
    }

    private WorkOrder part(String task) {
        Limits limits = order.limits();
        return new WorkOrder(
                order.workOrderId(),
                order.turnId(),
                order.chatSessionId(),
                order.sessionName(),
                order.project(),
                order.workspaceId(),
                task,
                List.of(),
                order.provider(),
                order.model(),
                order.profile(),
                order.price(),
                order.reasoningEffort(),
                // What it may use is what is left of the turn: see Budget.
                new Limits(MAX_ROUNDS, null, null, limits.maxEqualCalls(), null, null),
                writes() ? ApprovalPolicy.AUTO : ApprovalPolicy.READ_ONLY,
                order.rules(),
                order.toolQueue(),
                null,
                order.createdAt());
    }

    /** Nobody is there to ask: what would be asked is refused. What runs can be stopped by the person all the same. */
    private record Unasked(WorkOrderRunner.Approvals person) implements WorkOrderRunner.Approvals {
        @Override
        public WorkOrderRunner.Decision await(String callId, CancelSignal cancel, Duration atMost) {
            return new WorkOrderRunner.Decision(
                    ApprovalDecision.DENY,
                    "a subagent cannot ask the person; leave it to the one who gave you the task.");
        }

        @Override
        public CancelSignal.Registration onStop(String callId, Runnable stop) {
            return person.onStop(callId, stop);
        }
    }

    /** What one of its calls prints: the beginning is told as it comes, of the rest some when the call ends. */
    private static final class Printed {
        private int room = MOST_TOLD / 2;
        private final HeadAndTail rest = new HeadAndTail(MOST_TOLD / 4);

        String atOnce(String text) {
            int to = Math.min(room, text.length());
            if (to > 0 && to < text.length() && Character.isHighSurrogate(text.charAt(to - 1))) {
                to--;
            }
            room = to < text.length() ? 0 : room - to;
            rest.add(text.substring(to));
            return text.substring(0, to);
        }
    }

    /** What the subagent says and does, as a part of what the turn reports; its last round is its answer. */
    private static final class PartReport implements WorkReport {
        private final WorkReport turn;
        private final String callId;
        private final Runnable used;
        private final StringBuilder answer = new StringBuilder();
        private final Map<String, Printed> printed = new HashMap<>();

        PartReport(WorkReport turn, String callId, Runnable used) {
            this.turn = turn;
            this.callId = callId;
            this.used = used;
        }

        synchronized String answer() {
            return answer.toString();
        }

        @Override
        public boolean readsDiffs() {
            // The call of the subagent tells what it changed as a whole.
            return false;
        }

        @Override
        public synchronized void roundStarted(@Nullable String parent, int round) {
            answer.setLength(0);
            turn.roundStarted(callId, round);
        }

        @Override
        public void roundSuperseded(@Nullable String parent, int round) {
            turn.roundSuperseded(callId, round);
        }

        @Override
        public void prompted(TurnId promptId, String text) {
            // What the person says is for the turn.
        }

        @Override
        public void thinking(@Nullable String parent, String text) {
            turn.thinking(callId, text);
        }

        @Override
        public synchronized void response(@Nullable String parent, String text) {
            answer.append(text);
            turn.response(callId, text);
        }

        @Override
        public void callGrows(String name, int chars) {
            // Of the turn there is one such line, and several subagents may write calls.
        }

        @Override
        public void toolCalled(
                @Nullable String parent, String innerCallId, String name, Map<String, Object> parameters) {
            turn.toolCalled(callId, innerCallId, name, preview(parameters));
        }

        /** Nothing is run by it: the call itself has all of its parameters, and starts over after a crash. */
        private static Map<String, Object> preview(Map<String, Object> parameters) {
            if (Arguments.size(parameters) <= MOST_TOLD) {
                return parameters;
            }
            int each = MOST_TOLD / 2 / Math.clamp(parameters.size(), 1, MOST_PARAMETERS);
            Map<String, Object> told = new LinkedHashMap<>();
            parameters.entrySet().stream()
                    .limit(MOST_PARAMETERS)
                    .forEach(one ->
                            told.put(HeadAndTail.of(one.getKey(), LONGEST_NAME / 2), shortened(one.getValue(), each)));
            return told;
        }

        private static Object shortened(Object value, int each) {
            return switch (value) {
                case String text -> HeadAndTail.of(text, each);
                case Number _, Boolean _ -> value;
                default -> HeadAndTail.of(Arguments.write(value), each);
            };
        }

        @Override
        public void toolAwaitsApproval(
                String innerCallId,
                String reason,
                @Nullable String preview,
                String shown,
                @Nullable List<String> patterns) {
            // It is answered at once, and the end of the call says how.
        }

        @Override
        public void toolStarted(String innerCallId, @Nullable Map<String, Object> changed) {
            turn.toolStarted(innerCallId, changed == null ? null : preview(changed));
        }

        @Override
        public void toolOutput(String innerCallId, String text) {
            told(innerCallId, atOnce(innerCallId, text));
        }

        private synchronized String atOnce(String innerCallId, String text) {
            return printed.computeIfAbsent(innerCallId, _ -> new Printed()).atOnce(text);
        }

        private void told(String innerCallId, String text) {
            if (!text.isEmpty()) {
                turn.toolOutput(innerCallId, text);
            }
        }

        @Override
        public void toolEnded(String innerCallId, ToolCallState state, String response, @Nullable String diff) {
            told(innerCallId, rest(innerCallId));
            turn.toolEnded(innerCallId, state, HeadAndTail.of(response, MOST_TOLD / 2), diff);
        }

        private synchronized String rest(String innerCallId) {
            Printed all = printed.remove(innerCallId);
            return all == null ? "" : all.rest.text();
        }

        @Override
        public void usage(Usage usage) {
            // It is among what the turn used, which is told in its place.
            used.run();
        }

        @Override
        public void retrying(Failure failure, int attempt, long delayMillis) {
            turn.retrying(failure, attempt, delayMillis);
        }

        @Override
        public void filesChanged(TurnFiles files) {
            // Told by the turn that it is a part of.
        }

        @Override
        public void complete(TurnStatus status, @Nullable Failure failure, Usage usage) {
            // A part of a turn has no end of its own.
        }
    }
}
