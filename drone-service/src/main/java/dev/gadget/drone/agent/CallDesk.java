package dev.gadget.drone.agent;

import dev.gadget.drone.policy.ApprovalRules;
import dev.gadget.drone.policy.ApprovalRules.Verdict;
import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.ProtectedNames;
import dev.gadget.drone.policy.SessionGrants;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.tool.ParameterCheck;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolFailedException;
import dev.gadget.drone.tool.ToolInvocation;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.ToolEffect;
import dev.gadget.model.work.WorkOrder;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Takes one tool call from the model's wish to its answer: is there such a tool, are the parameters right, may it run. */
final class CallDesk {
    private static final Logger LOG = Logger.getLogger(CallDesk.class);
    private static final int MAX_ANSWER = 64_000;
    private static final String STOPPED = "Not run: the turn was stopped before.";

    private final Toolbox tools;
    private final SessionGrants grants;
    private final Workspace workspace;
    private final WorkOrder order;
    private final WorkReport report;
    private final WorkOrderRunner.Approvals approvals;
    private final CancelSignal cancel;

    CallDesk(
            Toolbox tools,
            SessionGrants grants,
            Workspace workspace,
            WorkOrder order,
            WorkReport report,
            WorkOrderRunner.Approvals approvals,
            CancelSignal cancel) {
        this.tools = tools;
        this.grants = grants;
        this.workspace = workspace;
        this.order = order;
        this.report = report;
        this.approvals = approvals;
        this.cancel = cancel;
    }

    /** Whether it may run beside others. */
    boolean parallel(TurnCall call) {
        return tools.find(call.name())
                .map(tool -> tool.effect() == ToolEffect.READS)
                .orElse(true);
    }

    /** The file that the call would change, as one name for one file; empty when it changes none or the path is refused. */
    Optional<String> changes(TurnCall call) {
        return tools.find(call.name()).flatMap(tool -> {
            if (!(ParameterCheck.check(tool, call.parameters()) instanceof ParameterCheck.Outcome.Fine fine)) {
                return Optional.empty();
            }
            try {
                return tool.changes(fine.parameters()).map(path -> workspace.show(workspace.toWrite(path)));
            } catch (PathRefusedException e) {
                return Optional.empty();
            }
        });
    }

    /** Does not run the call, and says why. */
    String refuse(TurnCall call, String why) {
        return end(call, ToolCallState.DENIED, why);
    }

    /** Runs the call, or says why not; what it returns is told to the model, and was reported. */
    String run(TurnCall call) throws InterruptedException {
        Optional<Tool> found = tools.find(call.name());
        if (found.isEmpty()) {
            return end(call, ToolCallState.FAILED, unknownTool(call.name()));
        }
        Tool tool = found.get();
        if (call.malformed() != null) {
            return end(
                    call,
                    ToolCallState.FAILED,
                    "The arguments are not a JSON object: " + call.malformed() + ". " + ParameterCheck.usage(tool));
        }
        return switch (ParameterCheck.check(tool, call.parameters())) {
            case ParameterCheck.Outcome.Wrong wrong -> end(call, ToolCallState.FAILED, wrong.message());
            case ParameterCheck.Outcome.Fine fine ->
                call.started() ? takeUp(call, tool, fine) : begin(call, tool, fine);
        };
    }

    private String begin(TurnCall call, Tool tool, ParameterCheck.Outcome.Fine fine) throws InterruptedException {
        if (cancel.cancelled()) {
            return refuse(call, STOPPED);
        }
        Verdict verdict;
        try {
            verdict = stricter(
                    ApprovalRules.decide(order.approvalPolicy(), tool.effect(), delicate(tool, fine.parameters())),
                    tool.demand());
        } catch (PathRefusedException e) {
            return end(call, ToolCallState.FAILED, String.valueOf(e.getMessage()));
        }
        Optional<String> denied = switch (verdict) {
            case Verdict.Run run -> Optional.empty();
            case Verdict.Refuse refused -> Optional.of(refused.reason());
            case Verdict.Ask ask -> ask(call, tool, ask);
        };
        return denied.isPresent() ? refuse(call, denied.get()) : execute(call, tool, fine.parameters());
    }

    /** What the owner of this machine demands is never loosened by a session. */
    private static Verdict stricter(Verdict session, Optional<Verdict> machine) {
        boolean asks = machine.isPresent() && machine.get() instanceof Verdict.Ask;
        boolean runs = session instanceof Verdict.Run;
        return machine.isEmpty() || (asks && !runs) ? session : machine.get();
    }

    private boolean delicate(Tool tool, Map<String, Object> parameters) {
        return tool.changes(parameters)
                .map(path -> ProtectedNames.runsLater(workspace.root().relativize(workspace.toWrite(path))))
                .orElse(false);
    }

    /** Empty when the person allows it, else why not. */
    private Optional<String> ask(TurnCall call, Tool tool, Verdict.Ask ask) throws InterruptedException {
        if (!ask.always() && grants.allowed(order.chatSessionId(), call.name(), tool.effect())) {
            return Optional.empty();
        }
        report.toolAwaitsApproval(call.callId(), ask.reason());
        WorkOrderRunner.Decision said = approvals.await(call.callId(), cancel);
        if (cancel.cancelled()) {
            return Optional.of(STOPPED);
        }
        return switch (said.decision()) {
            case APPROVE -> Optional.empty();
            case APPROVE_FOR_SESSION -> {
                grants.allow(order.chatSessionId(), call.name(), tool.effect());
                yield Optional.empty();
            }
            case DENY ->
                Optional.of("The person did not allow this call"
                        + (said.reason() == null || said.reason().isBlank() ? "." : ": " + said.reason())
                        + " Do not try it again; go on another way, or say what is needed.");
        };
    }

    /** Of a call that was begun before a crash: at most one effect. */
    private String takeUp(TurnCall call, Tool tool, ParameterCheck.Outcome.Fine fine) throws InterruptedException {
        if (tool.effect() == ToolEffect.READS) {
            return cancel.cancelled() ? refuse(call, STOPPED) : execute(call, tool, fine.parameters());
        }
        Optional<ToolResult> done;
        try {
            done = tool.alreadyDone(invocation(call, fine.parameters()));
        } catch (IOException | RuntimeException e) {
            LOG.debugf(e, "Cannot tell whether %s took effect", call.name());
            done = Optional.empty();
        }
        return done.map(result -> end(call, ToolCallState.DONE, result.text()))
                .orElseGet(() -> end(
                        call,
                        ToolCallState.UNKNOWN,
                        "The outcome is unknown: the drone stopped while this ran, and it was not run again."
                                + " Look at the present state first, then decide what is left to do."));
    }

    private String execute(TurnCall call, Tool tool, Map<String, Object> parameters) throws InterruptedException {
        report.toolStarted(call.callId());
        ToolResult result;
        try {
            result = tool.run(invocation(call, parameters));
        } catch (ToolFailedException | PathRefusedException e) {
            result = ToolResult.failed(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            result = ToolResult.failed(call.name() + " could not be done: " + e);
        } catch (RuntimeException e) {
            LOG.errorf(e, "The tool %s broke", call.name());
            result = ToolResult.failed(call.name() + " broke: " + e + ". Go on another way.");
        } catch (InterruptedException e) {
            end(call, ToolCallState.UNKNOWN, "The outcome is unknown: the drone stopped while this ran.");
            throw e;
        }
        return end(call, result.ok() ? ToolCallState.DONE : ToolCallState.FAILED, result.text());
    }

    private ToolInvocation invocation(TurnCall call, Map<String, Object> parameters) {
        return new ToolInvocation(
                call.callId(), parameters, workspace, text -> report.toolOutput(call.callId(), text), cancel);
    }

    private String end(TurnCall call, ToolCallState state, String text) {
        String capped = text.length() <= MAX_ANSWER
                ? text
                : text.substring(0, MAX_ANSWER / 2) + "\n… cut …\n" + text.substring(text.length() - MAX_ANSWER / 2);
        report.toolEnded(call.callId(), state, capped);
        return capped;
    }

    private String unknownTool(String name) {
        StringBuilder text = new StringBuilder(
                "There is no tool `" + name + "`. The tools are: " + String.join(", ", tools.names()) + ".");
        tools.names().stream()
                .filter(known -> known.contains(name) || name.contains(known))
                .findFirst()
                .or(() -> tools.names().stream().findFirst())
                .flatMap(tools::find)
                .ifPresent(tool -> text.append(" For example, ").append(ParameterCheck.usage(tool)));
        return text.toString();
    }
}
