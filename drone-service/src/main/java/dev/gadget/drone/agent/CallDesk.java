package dev.gadget.drone.agent;

import dev.gadget.drone.checkpoint.Checkpoints;
import dev.gadget.drone.policy.ApprovalRules;
import dev.gadget.drone.policy.ApprovalRules.Verdict;
import dev.gadget.drone.policy.CommandPatterns;
import dev.gadget.drone.policy.LocalPolicy;
import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.tool.HeadAndTail;
import dev.gadget.drone.tool.ParameterCheck;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolFailedException;
import dev.gadget.drone.tool.ToolInvocation;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.ToolEffect;
import dev.gadget.model.work.WorkOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Takes one tool call from the model's wish to its answer: is there such a tool, are the parameters right, may it run. */
final class CallDesk {
    private static final Logger LOG = Logger.getLogger(CallDesk.class);
    private static final int MAX_ANSWER = 64_000;
    static final String STOPPED = "Not run: the turn was stopped before.";
    private static final String STOPPED_ALONE =
            "\n[The person stopped this call; the turn goes on. What stands here may not be all."
                    + " Do not just make it again: go on another way, or say what is needed.]";

    private final Toolbox tools;
    private final Workspace workspace;
    private final WorkOrder order;
    private final WorkReport report;
    private final ApprovalDesk approvals;
    private final LocalPolicy local;
    private final CancelSignal cancel;
    private final Checkpoints checkpoints;
    private final ProjectNotes notes;
    /** What the session allows since the turn began. */
    private final Set<String> given = ConcurrentHashMap.newKeySet();

    CallDesk(
            Toolbox tools,
            Workspace workspace,
            WorkOrder order,
            WorkReport report,
            ApprovalDesk approvals,
            LocalPolicy local,
            CancelSignal cancel,
            Checkpoints checkpoints) {
        this.checkpoints = checkpoints;
        notes = new ProjectNotes(SystemPrompt.reads(workspace, order, local));
        this.tools = tools;
        this.workspace = workspace;
        this.order = order;
        this.report = report;
        this.approvals = approvals;
        this.local = local;
        this.cancel = cancel;
    }

    /** Whether it may run beside others. */
    boolean parallel(TurnCall call) {
        return tools.find(call.name())
                .map(tool -> tool.effect() == ToolEffect.READS)
                .orElse(true);
    }

    /** Among those that run beside each other, which starts first. */
    int priority(TurnCall call) {
        return tools.find(call.name()).map(Tool::priority).orElse(0);
    }

    /** The files that the call would change, as one name for one file; none of a call that is refused for its paths. */
    List<String> changes(TurnCall call) {
        Optional<Tool> tool = tools.find(call.name());
        if (tool.isEmpty()
                || !(ParameterCheck.check(tool.get(), call.parameters()) instanceof ParameterCheck.Outcome.Fine fine)) {
            return List.of();
        }
        try {
            return tool.get().places(workspace, fine.parameters()).stream()
                    .map(workspace::show)
                    .toList();
        } catch (ToolFailedException | PathRefusedException e) {
            return List.of();
        }
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
            return end(call, ToolCallState.FAILED, call.malformed() + " " + ParameterCheck.usage(tool));
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
            verdict = verdict(tool, fine.parameters());
        } catch (ToolFailedException | PathRefusedException e) {
            return end(call, ToolCallState.FAILED, String.valueOf(e.getMessage()));
        }
        return switch (verdict) {
            case Verdict.Run _ -> execute(call, tool, fine.parameters());
            case Verdict.Refuse refused -> refuse(call, refused.reason());
            case Verdict.Ask ask -> ask(call, tool, fine.parameters(), ask);
        };
    }

    /** What the owner of this machine demands is never loosened by a session. */
    private Verdict verdict(Tool tool, Map<String, Object> parameters) {
        return verdict(tool, parameters, rules());
    }

    private Verdict verdict(Tool tool, Map<String, Object> parameters, List<ApprovalRule> rules) {
        List<Path> files = new ArrayList<>(tool.places(workspace, parameters));
        if (Stream.concat(rules.stream(), local.rules().stream()).anyMatch(rule -> rule.path() != null)) {
            files.addAll(tool.carries(workspace, parameters));
        }
        return verdict(tool, parameters, files, tool.reads(workspace, parameters), rules);
    }

    private Verdict verdict(
            Tool tool, Map<String, Object> parameters, List<Path> files, List<Path> reads, List<ApprovalRule> rules) {
        Verdict session = ApprovalRules.decide(
                order.approvalPolicy(),
                rules,
                "this session",
                asked(tool, parameters, files, reads, workspace::inProject));
        // A file of a working tree is the one of the project, too, that it stands for.
        Verdict machine = ApprovalRules.stricter(
                machine(asked(tool, parameters, files, reads, workspace.root()::relativize)),
                machine(asked(tool, parameters, files, reads, workspace::inWorkspace)));
        Verdict both = ApprovalRules.stricter(session, machine);
        return tool.demand(parameters)
                .map(demand -> ApprovalRules.stricter(both, demand))
                .orElse(both);
    }

    private static ApprovalRules.Call asked(
            Tool tool, Map<String, Object> parameters, List<Path> files, List<Path> reads, UnaryOperator<Path> seen) {
        return new ApprovalRules.Call(
                tool.spec().name(),
                tool.effect(),
                files.stream().map(seen).toList(),
                reads.stream().map(seen).toList(),
                tool.command(parameters));
    }

    private Verdict machine(ApprovalRules.Call asked) {
        return ApprovalRules.decide(
                Objects.requireNonNullElse(local.approvals(), ApprovalPolicy.AUTO),
                local.rules(),
                "this machine's owner",
                asked);
    }

    private List<ApprovalRule> rules() {
        return with(List.copyOf(given));
    }

    private List<ApprovalRule> with(List<String> commands) {
        return Stream.concat(
                        Objects.requireNonNullElse(order.rules(), List.<ApprovalRule>of()).stream(),
                        commands.stream().map(ApprovalRule::allowing))
                .toList();
    }

    /** The commands that the session may allow so that this call, and those like it, are not asked for; none when it would be all the same. */
    private List<String> patterns(Tool tool, Map<String, Object> parameters, Verdict.Ask ask) {
        List<String> proposed = ask.always()
                ? List.of()
                : tool.command(parameters).map(CommandPatterns::of).orElse(List.of());
        List<String> all = Stream.concat(given.stream(), proposed.stream()).toList();
        return proposed.isEmpty() || verdict(tool, parameters, with(all)) instanceof Verdict.Run ? proposed : List.of();
    }

    private String ask(TurnCall call, Tool tool, Map<String, Object> parameters, Verdict.Ask ask)
            throws InterruptedException {
        return switch (approvals.ask(
                call, tool, parameters, ask, patterns(tool, parameters, ask), changed -> invocation(call, changed))) {
            case ApprovalDesk.Answer.Denied denied -> refuse(call, denied.why());
            case ApprovalDesk.Answer.Allowed allowed -> {
                if (allowed.changed() && refusal(tool, allowed.parameters()) instanceof String why) {
                    yield refuse(call, why);
                }
                given.addAll(allowed.patterns());
                yield execute(call, tool, allowed, true);
            }
        };
    }

    /** What a person may not allow either. */
    private @Nullable String refusal(Tool tool, Map<String, Object> parameters) {
        try {
            return verdict(tool, parameters) instanceof Verdict.Refuse refused ? refused.reason() : null;
        } catch (ToolFailedException | PathRefusedException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Of a call that was begun before a crash: at most one effect. */
    private String takeUp(TurnCall call, Tool tool, ParameterCheck.Outcome.Fine fine) throws InterruptedException {
        if (tool.effect() == ToolEffect.READS) {
            return cancel.cancelled() ? refuse(call, STOPPED) : execute(call, tool, fine.parameters());
        }
        Optional<ToolResult> done;
        try {
            for (Path file : tool.places(workspace, fine.parameters())) {
                SafeFiles.clearUnfinished(workspace, file);
            }
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

    /** Of which nobody had to be asked. */
    private String execute(TurnCall call, Tool tool, Map<String, Object> parameters) throws InterruptedException {
        return execute(call, tool, new ApprovalDesk.Answer.Allowed(parameters, false), false);
    }

    private String execute(TurnCall call, Tool tool, ApprovalDesk.Answer.Allowed allowed, boolean asked)
            throws InterruptedException {
        Map<String, Object> parameters = allowed.parameters();
        Optional<Checkpoints.Present> before = Optional.empty();
        if (tool.effect() != ToolEffect.READS && checkpoints.before(order.turnId())) {
            List<Path> files = tool.places(workspace, parameters);
            files.forEach(file -> checkpoints.touch(order.turnId(), file));
            // What is not said before is looked for after.
            if (files.isEmpty() && report.readsDiffs()) {
                before = checkpoints.present(order.turnId(), cancel);
            }
        }
        // Below the signal of the turn: what stops the turn stops the call, and not the other way round.
        CancelSignal stop = new CancelSignal();
        ToolResult result;
        // What a person may stop is told to run only when it can be stopped.
        try (CancelSignal.Registration _ = cancel.onCancel(stop::cancel);
                CancelSignal.Registration _ = approvals.onStop(call, stop::cancel)) {
            report.toolStarted(call.callId(), allowed.changed() ? parameters : null);
            result = tool.run(invocation(call, parameters, mayGoOn(call, parameters, asked), stop));
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
        return end(
                call,
                result.ok() ? ToolCallState.DONE : ToolCallState.FAILED,
                HeadAndTail.of(result.text(), MAX_ANSWER / 2)
                        + (result.ok() ? notes.forPaths(tool.touches(parameters)) : "")
                        + (stop.cancelled() && !cancel.cancelled() ? STOPPED_ALONE : ""),
                before.flatMap(checkpoints::since).orElse(null));
    }

    private ToolInvocation invocation(TurnCall call, Map<String, Object> parameters) {
        return invocation(call, parameters, false, cancel);
    }

    private ToolInvocation invocation(
            TurnCall call, Map<String, Object> parameters, boolean mayGoOn, CancelSignal stop) {
        return new ToolInvocation(
                call.callId(),
                order.chatSessionId(),
                mayGoOn,
                denied(call, parameters),
                parameters,
                workspace,
                text -> report.toolOutput(call.callId(), text),
                stop);
    }

    /** What a tool finds by itself in files is not told of those that a rule forbids. */
    private Optional<Predicate<Path>> denied(TurnCall call, Map<String, Object> parameters) {
        List<ApprovalRule> rules = rules();
        boolean some = Stream.concat(rules.stream(), local.rules().stream())
                .anyMatch(rule -> rule.action() == ApprovalRule.Action.DENY && rule.path() != null);
        return tools.find(call.name())
                .filter(tool -> some && tool.effect() == ToolEffect.READS)
                .map(tool ->
                        file -> verdict(tool, parameters, List.of(), List.of(file), rules) instanceof Verdict.Refuse);
    }

    /**
     * What may not be started in the background does not get there by taking long either; where a person is asked before it is
     * started there, one has to have been asked for this call.
     */
    private boolean mayGoOn(TurnCall call, Map<String, Object> parameters, boolean asked) {
        List<String> by = tools.find(call.name()).map(Tool::goesOnBy).orElse(List.of());
        if (by.isEmpty() || !by.stream().allMatch(name -> tools.find(name).isPresent())) {
            return false;
        }
        return tools.find(by.getFirst())
                .filter(starts -> switch (verdict(starts, parameters)) {
                    case Verdict.Run _ -> true;
                    case Verdict.Ask _ -> asked;
                    case Verdict.Refuse _ -> false;
                })
                .isPresent();
    }

    private String end(TurnCall call, ToolCallState state, String text) {
        return end(call, state, text, null);
    }

    private String end(TurnCall call, ToolCallState state, String text, @Nullable String diff) {
        report.toolEnded(call.callId(), state, text, diff);
        return text;
    }

    private String unknownTool(String name) {
        StringBuilder text = new StringBuilder(
                "There is no tool `" + name + "`. The tools are: " + String.join(", ", tools.names()) + ".");
        tools.names().stream()
                .filter(known -> known.contains(name) || name.contains(known))
                .findFirst()
                .or(() -> tools.names().stream()
                        .filter(known -> !known.equals(Subagent.NAME))
                        .findFirst())
                .flatMap(tools::find)
                .ifPresent(tool -> text.append(" For example, ").append(ParameterCheck.usage(tool)));
        return text.toString();
    }
}
