package dev.gadget.drone.agent;

import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.drone.provider.ModelProvider;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The work on one turn: a round of the model, its tools, the next round, until there is nothing left to do. */
final class TurnWork {
    private static final int MAX_CALLS_IN_A_ROUND = 64;
    private static final String REPEATED =
            "\n\n[You have made this same call, or the same few in turn, again and again. Do something else now: with the next equal call the turn ends.]";

    private final WorkOrder order;
    private final ModelProvider provider;
    private final List<ToolSpec> tools;
    private final Conversation conversation;
    private final CallDesk desk;
    private final ToolQueue queue;
    private final Budget budget;
    private final TurnClock clock;
    private final WorkReport report;
    private final RetryPlan retries;
    private final Pause pause;
    private final Steering steering;
    private final CallIds callIds;
    private final Compaction compaction;
    private final CallProgress progress;
    private int roundNumber;
    private int compactedIn;
    private long compactedTo;
    private boolean nudged;
    private boolean wentOnAfterCut;
    private int callsTooMany;

    TurnWork(
            WorkOrder order,
            ModelProvider provider,
            List<ToolSpec> tools,
            Conversation conversation,
            CallDesk desk,
            ToolQueue queue,
            Budget budget,
            TurnClock clock,
            WorkReport report,
            RetryPlan retries,
            Pause pause,
            Steering steering,
            CallIds callIds) {
        this.order = order;
        this.provider = provider;
        this.tools = tools;
        this.conversation = conversation;
        this.desk = desk;
        this.queue = queue;
        this.budget = budget;
        this.clock = clock;
        this.report = report;
        this.retries = retries;
        this.pause = pause;
        this.steering = steering;
        this.callIds = callIds;
        this.progress = new CallProgress(report, System::nanoTime);
        this.compaction = new Compaction(order, provider, report, budget, callIds);
    }

    /** Works to the end of the turn, which it returns; the usage is in the budget. */
    Ending run(RecoveredTurn before) throws InterruptedException {
        Optional<Ending> ending = takeUp(before);
        Optional<String> byHand = Compaction.command(order.prompt());
        if (byHand.isPresent()) {
            return compactByHand(byHand.get(), before);
        }
        while (ending.isEmpty()) {
            ending = clock.ending().or(budget::anotherRound);
            if (ending.isEmpty()) {
                ending = round();
            }
        }
        return ending.get();
    }

    private Optional<Ending> takeUp(RecoveredTurn before) throws InterruptedException {
        budget.startFrom(before.usage());
        compaction.startAfter(before.compactions());
        roundNumber = before.lastRound();
        for (String callId : before.openCallsOfCut()) {
            report.toolEnded(
                    callId,
                    ToolCallState.DENIED,
                    "Not run: the response that asked for it was cut, and the model is asked again.");
        }
        if (before.cut() != null) {
            report.roundSuperseded(before.cut());
        }
        Optional<Ending> ending = Optional.empty();
        String summary = before.summary();
        if (summary != null) {
            conversation.compact(summary);
            compactedTo = conversation.tokens();
            if (before.rounds().isEmpty()) {
                budget.context(null);
            }
        }
        for (RecoveredTurn.Round round : before.rounds()) {
            budget.roundDone();
            ending = follow(round.text(), round.thinking(), round.calls());
            if (!round.said().isEmpty()) {
                ending = goOn(round.text(), round.calls(), round.said());
            }
        }
        return ending;
    }

    private Ending compactByHand(String keep, RecoveredTurn before) {
        if (before.summary() == null) {
            if (order.history().isEmpty()) {
                report.response("There is nothing yet that could be made shorter.");
            } else {
                compaction.run(conversation, keep, clock.signal());
            }
        }
        return clock.ending().orElse(Ending.FINISHED);
    }

    /** Makes the conversation short, once a round: when that was not enough nothing would be won by doing it again. */
    private boolean compact(int number) {
        if (compactedIn == number || !conversation.canShrink()) {
            return false;
        }
        compactedIn = number;
        boolean shorter = compaction.run(conversation, "", clock.signal());
        compactedTo = conversation.tokens();
        return shorter;
    }

    /** A conversation that stays nearly full is not summarised in each round: what came since has to be worth it. */
    private boolean grown() {
        return conversation.tokens() > compactedTo + compactedTo / 10;
    }

    private Optional<Ending> round() throws InterruptedException {
        int number = ++roundNumber;
        List<TurnCall> calls = new ArrayList<>();
        ModelRound round = ask(number, calls);
        budget.add(round.usage(), round.text().length() + round.thinking().length());
        round.usage().ifPresent(counted -> budget.context(inContext(counted)));
        if (clock.ending().isEmpty() && cutInACall(round)) {
            // Not whole, as the journal sees it: after a restart the model is asked again.
            wentOnAfterCut = true;
            budget.roundDone();
            conversation.cut(round.text(), round.calls());
            return Optional.empty();
        }
        Optional<Ending> broken = clock.ending().or(() -> broken(round));
        if (broken.isPresent()) {
            return broken;
        }
        if (round.usage().isEmpty()) {
            budget.context(null);
        }
        budget.roundDone();
        // Also the mark in the journal that the round is whole: see RecoveredTurn.
        report.usage(budget.usage());
        Optional<Ending> ending = follow(round.text(), round.thinking(), calls);
        if (round.state() == ModelRound.State.TOOL_EXECUTION) {
            round.toolsAnswered();
        }
        return heard(round.text(), calls, ending);
    }

    /** What the person said meanwhile is taken when the model will be told it; else it waits for a turn of its own. */
    private Optional<Ending> heard(String text, List<TurnCall> calls, Optional<Ending> ending) {
        boolean over = ending.filter(end -> end.status() != TurnStatus.FINISHED).isPresent();
        if (over || clock.ending().or(budget::anotherRound).isPresent()) {
            return ending;
        }
        List<WorkOrderRunner.Said> said = steering.take();
        return said.isEmpty() ? ending : goOn(text, calls, said);
    }

    /** Goes on from what the person said, also where the turn was about to end. */
    private Optional<Ending> goOn(String text, List<TurnCall> calls, List<WorkOrderRunner.Said> said) {
        if (calls.isEmpty() && !text.isBlank()) {
            conversation.assistant(text, null, calls);
        }
        said.forEach(one -> conversation.said(steering.toModel(one)));
        return Optional.empty();
    }

    /** Whether the output limit cut a call: the model can do it in smaller parts, but not for ever. */
    private boolean cutInACall(ModelRound round) {
        Integer left = budget.outputTokensLeft();
        return !wentOnAfterCut
                && round.failure().isEmpty()
                && round.reason() == RoundEvent.FinishReason.LENGTH
                && !round.calls().isEmpty()
                && (left == null || left > 0);
    }

    /** Null where the endpoint counts what was said, but not what it was told. */
    private static @Nullable Long inContext(Usage counted) {
        return counted.inputTokens() > 0 ? counted.inputTokens() + counted.outputTokens() : null;
    }

    /** Asks the model, again when it failed before it said anything. */
    private ModelRound ask(int number, List<TurnCall> calls) throws InterruptedException {
        report.roundStarted(number);
        callsTooMany = 0;
        if (conversation.nearlyFull() && grown()) {
            compact(number);
        }
        ModelProfile profile = order.profile();
        RoundRequest request = request(profile);
        boolean callsAreNative = profile != null && profile.toolCalling() == ModelProfile.ToolCalling.NATIVE;
        for (int tries = 1; ; tries++) {
            progress.asked();
            ModelRound round = new ModelRound(provider, request, !callsAreNative);
            try {
                round.stream(event -> tell(event, number, calls), clock.signal());
            } finally {
                TurnLog.round(order, number, request, round);
            }
            Optional<RoundEvent.Failed> failed = round.failure();
            if (failed.isEmpty() || round.emitted() || clock.stopped()) {
                return round;
            }
            if (failed.get().failure().code() == FailureCode.CONTEXT_OVERFLOW && compact(number)) {
                request = request(profile);
                continue;
            }
            Optional<Duration> delay = retries.delay(failed.get(), tries, number > 1);
            if (delay.isEmpty()) {
                return round;
            }
            report.retrying(failed.get().failure(), tries, delay.get().toMillis());
            if (!pause.of(delay.get(), clock.signal())) {
                return round;
            }
        }
    }

    private RoundRequest request(@Nullable ModelProfile profile) {
        return new RoundRequest(
                order.provider(),
                order.model(),
                order.reasoningEffort(),
                conversation.messages(),
                tools,
                budget.outputTokensLeft(),
                profile == null ? null : profile.contextTokens());
    }

    private void tell(RoundEvent event, int number, List<TurnCall> calls) {
        switch (event) {
            case RoundEvent.ThinkingDelta delta -> report.thinking(delta.text());
            case RoundEvent.TextDelta delta -> report.response(delta.text());
            case RoundEvent.CallGrows grows -> progress.grew(grows.name(), grows.chars());
            case RoundEvent.CallRequested requested -> called(requested.call(), number, calls);
            case RoundEvent.UsageCounted counted -> {}
            case RoundEvent.Finished finished -> {}
            case RoundEvent.Failed failed -> {}
        }
    }

    private void called(RequestedCall requested, int number, List<TurnCall> calls) {
        if (calls.size() == MAX_CALLS_IN_A_ROUND) {
            callsTooMany++;
            return;
        }
        TurnCall call = TurnCall.requested(callIds.unique(requested.callId(), number, calls.size() + 1), requested);
        calls.add(call);
        report.toolCalled(call.callId(), call.name(), call.parameters());
    }

    private Optional<Ending> broken(ModelRound round) {
        if (round.failure().isPresent()) {
            Failure failure = round.failure().get().failure();
            return Optional.of(failure.code() == FailureCode.CANCELLED ? Ending.CANCELLED : Ending.failed(failure));
        }
        return switch (round.reason()) {
            case STOP, TOOL_CALLS -> Optional.empty();
            case LENGTH ->
                Optional.of(
                        budget.outputTokensNearlyReached()
                                ? budget.outputTokensReached()
                                : Ending.failed(
                                        FailureCode.OUTPUT_LIMIT,
                                        "The model's response was cut: it reached the output limit of the endpoint or the end of"
                                                + " its context. Prompt again to go on, or use a model or endpoint with a larger context."));
            case CONTENT_FILTER ->
                Optional.of(
                        Ending.failed(
                                FailureCode.PROVIDER_REFUSED,
                                "The endpoint's content filter stopped the response. Say it another way, or use another model."));
        };
    }

    /** What comes after a whole round: its tools, or the end. */
    private Optional<Ending> follow(String text, String thinking, List<TurnCall> calls) throws InterruptedException {
        if (!calls.isEmpty()) {
            conversation.assistant(text, thinking.isEmpty() ? null : thinking, calls);
            return runTools(calls);
        }
        if (text.isBlank() && !nudged) {
            nudged = true;
            conversation.nudge();
            return Optional.empty();
        }
        return Optional.of(Ending.FINISHED);
    }

    private Optional<Ending> runTools(List<TurnCall> calls) throws InterruptedException {
        Optional<Ending> limit = Optional.empty();
        List<ToolQueue.Job<String>> jobs = new ArrayList<>();
        for (TurnCall call : calls) {
            if (limit.isEmpty()) {
                limit = budget.admit(call.name(), call.parameters(), desk.changes(call));
            }
            jobs.add(job(call, limit));
        }
        List<String> answers = queue.run(jobs);
        for (int i = 0; i < calls.size(); i++) {
            TurnCall call = calls.get(i);
            boolean last = i == calls.size() - 1;
            boolean repeated = budget.answered(answers.get(i));
            conversation.answer(call, answers.get(i) + (repeated ? REPEATED : "") + (last ? wordOnTooMany() : ""));
        }
        Optional<Ending> reached = limit;
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while tools ran");
        }
        return clock.ending().or(() -> reached);
    }

    private String wordOnTooMany() {
        return callsTooMany == 0
                ? ""
                : "\n\n[" + callsTooMany + " more calls of your response were not run: there may be "
                        + MAX_CALLS_IN_A_ROUND + " in one. Make them again if they are still needed.]";
    }

    private ToolQueue.Job<String> job(TurnCall call, Optional<Ending> limit) {
        String answer = call.answer();
        if (answer != null) {
            return new ToolQueue.Job<>(true, 0, () -> answer);
        }
        if (limit.isPresent()) {
            return new ToolQueue.Job<>(false, 0, () -> desk.refuse(call, "Not run: a limit of the turn was reached."));
        }
        return new ToolQueue.Job<>(desk.parallel(call), desk.priority(call), () -> {
            try {
                return desk.run(call);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return "The outcome is unknown: the drone stopped.";
            }
        });
    }
}
