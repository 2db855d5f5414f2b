package dev.gadget.drone.agent;

import dev.gadget.drone.checkpoint.Checkpoints;
import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.policy.LocalPolicy;
import dev.gadget.drone.policy.SessionGrants;
import dev.gadget.drone.policy.UnaskedReads;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.policy.WorkspaceDirectory;
import dev.gadget.drone.project.ProjectFailedException;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ModelProvider;
import dev.gadget.drone.provider.ModelProviders;
import dev.gadget.drone.tool.AskPersonTool;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import dev.gadget.model.work.WorkOrder;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Works on turns with the model that each work order names and the tools of this drone. */
@ApplicationScoped
public class AgentLoop implements WorkOrderRunner {
    private static final Logger LOG = Logger.getLogger(AgentLoop.class);

    private final ModelProviders providers;
    private final Toolbox tools;
    private final SessionGrants grants;
    private final WorkspaceDirectory directory;
    private final CommandSandbox sandbox;
    private final SystemPrompt prompt;
    private final ProjectSetup projects;
    private final RetryPlan retries;
    private final Pause pause;
    private final Duration second;
    private final UnmeasuredContext contexts = new UnmeasuredContext();
    private final ToolsInWords toolsInWords = new ToolsInWords(System::nanoTime);
    private final ToldWithPrompts told = new ToldWithPrompts();

    @Inject
    public AgentLoop(
            ModelProviders providers,
            Toolbox tools,
            SessionGrants grants,
            WorkspaceDirectory directory,
            CommandSandbox sandbox,
            SystemPrompt prompt,
            ProjectSetup projects) {
        this(
                providers,
                tools,
                grants,
                directory,
                sandbox,
                prompt,
                projects,
                new RetryPlan(() -> ThreadLocalRandom.current().nextDouble()),
                Pause.real(),
                Duration.ofSeconds(1));
    }

    /** With another way to wait and another length of a second, for tests. */
    AgentLoop(
            ModelProviders providers,
            Toolbox tools,
            SessionGrants grants,
            WorkspaceDirectory directory,
            CommandSandbox sandbox,
            SystemPrompt prompt,
            ProjectSetup projects,
            RetryPlan retries,
            Pause pause,
            Duration second) {
        this.providers = providers;
        this.tools = tools;
        this.grants = grants;
        this.directory = directory;
        this.sandbox = sandbox;
        this.prompt = prompt;
        this.projects = projects;
        this.retries = retries;
        this.pause = pause;
        this.second = second;
    }

    @Override
    public void run(
            WorkOrder order, List<WorkEntry> earlier, WorkReport journal, Approvals approvals, CancelSignal cancel) {
        RecoveredTurn before = RecoveredTurn.of(earlier);
        if (before.ended()) {
            return;
        }
        var report = new TurnLog(order, journal);
        report.starts(earlier.size());
        Budget budget = new Budget(order.limits(), order.price());
        Ending ending;
        try {
            ending = end(measured(order, cancel), before, budget, report, approvals, cancel);
        } catch (RuntimeException e) {
            // A report that takes no more says so here too, and whoever gave it knows why; only else it is our fault.
            Failure failure =
                    new Failure(FailureCode.INTERNAL, "The drone's own code broke: " + e + ". Its log says where.");
            report.complete(TurnStatus.FAILED, failure, budget.usage());
            LOG.errorf(e, "The work on turn %s broke", order.turnId());
            return;
        }
        report.complete(ending.status(), ending.failure(), budget.usage());
    }

    @Override
    public Optional<Title> title(WorkOrder order, Usage used, CancelSignal cancel) {
        if (!Boolean.TRUE.equals(order.wantsTitle())) {
            return Optional.empty();
        }
        Budget budget = new Budget(order.limits(), order.price());
        budget.add(Optional.of(used), 0);
        ModelProvider provider = providers.of(order.provider().type());
        return new SessionTitle(measured(order, cancel), provider, budget, second).ask(cancel);
    }

    private WorkOrder measured(WorkOrder order, CancelSignal cancel) {
        return contexts.in(order, providers.of(order.provider().type()), cancel);
    }

    private Ending end(
            WorkOrder order,
            RecoveredTurn before,
            Budget budget,
            WorkReport report,
            Approvals approvals,
            CancelSignal cancel) {
        LocalPolicy local;
        try {
            local = LocalPolicy.of(directory.path());
        } catch (IllegalArgumentException e) {
            // Nothing is done under a policy that cannot be read.
            return Ending.failed(FailureCode.WORKSPACE_UNUSABLE, String.valueOf(e.getMessage()));
        }
        try (TurnClock clock =
                new TurnClock(cancel, order.limits().maxSeconds(), second, report.workedBefore(), report::worked)) {
            Workspace workspace = place(order, before, report, clock);
            Checkpoints checkpoints = Checkpoints.of(workspace);
            ModelProvider provider =
                    toolsInWords.around(providers.of(order.provider().type()));
            Toolbox chosen = ToolChoice.of(tools, order.profile());
            String instructions = prompt.text(workspace, order) + ToolChoice.said(tools, chosen);
            String now = WorkspaceFacts.now(workspace, order.createdAt());
            told.keep(order.turnId(), now);
            CallIds callIds = new CallIds();
            callIds.take(ProjectSetup.CALL_ID);
            before.callIds().forEach(callIds::take);
            Subagent helper = new Subagent(
                    order,
                    provider,
                    instructions + now,
                    workspace,
                    // Nobody would hear it.
                    chosen.without(AskPersonTool.NAME),
                    local,
                    checkpoints,
                    budget,
                    report,
                    approvals,
                    retries,
                    pause,
                    callIds,
                    before);
            // Of a small context nothing is won by a second one.
            Toolbox all = chosen == tools ? tools.with(helper) : chosen;
            CallDesk desk = new CallDesk(
                    all,
                    workspace,
                    order,
                    report,
                    new ApprovalDesk(grants, order.chatSessionId(), report, approvals, clock, local.patience()),
                    local,
                    clock.signal(),
                    checkpoints);
            UnaskedReads unasked = SystemPrompt.reads(workspace, order, local);
            Conversation conversation = new Conversation(
                    instructions,
                    order,
                    Mentions.expanded(order.prompt(), unasked, contextTokens(order)) + now,
                    told::with,
                    ContextWindow.of(order.profile(), all.specs()));
            Ending ending = new TurnWork(
                            order,
                            provider,
                            all.specs(),
                            conversation,
                            desk,
                            new ToolQueue(order.toolQueue()),
                            budget,
                            clock,
                            report,
                            retries,
                            pause,
                            new Steering(
                                    approvals, report, said -> Mentions.expanded(said, unasked, contextTokens(order))),
                            callIds)
                    .run(before);
            checkpoints.after(order.turnId()).ifPresent(report::filesChanged);
            return ending;
        } catch (ProjectFailedException e) {
            return e.code() == FailureCode.CANCELLED
                    ? Ending.CANCELLED
                    : Ending.failed(e.code(), String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Ending(TurnStatus.INTERRUPTED, null);
        } catch (IOException e) {
            return Ending.failed(
                    FailureCode.WORKSPACE_UNUSABLE, "The workspace " + directory.path() + " cannot be used: " + e);
        }
    }

    private static @Nullable Integer contextTokens(WorkOrder order) {
        ModelProfile profile = order.profile();
        return profile == null ? null : profile.contextTokens();
    }

    /** A clone has a limit of its own, and takes no time from the work. */
    private Workspace place(WorkOrder order, RecoveredTurn before, WorkReport report, TurnClock clock)
            throws IOException, ProjectFailedException {
        Workspace whole = new Workspace(directory.path(), sandbox.get());
        clock.pause();
        try {
            return projects.place(whole, order, before, report, clock.signal());
        } finally {
            clock.goOn();
        }
    }
}
