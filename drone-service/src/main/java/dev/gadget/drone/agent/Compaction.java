package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ModelProvider;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.work.WorkOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Has the model summarise a conversation that becomes too long for it. In the turn it is a call like that of a tool, so that the person
 * sees it happen and can read the summary, which is all that the model knows of what came before.
 */
final class Compaction {
    /** The name of the call; no tool has it. */
    static final String NAME = "compact_context";

    private static final int LONGEST_TRANSCRIPT = 120_000;
    private static final int SHORTEST_TRANSCRIPT = 8_000;
    private static final int SUMMARY_TOKENS = 1500;

    private static final String WISH = """
            Below is what was said and done so far in a conversation between a person and you, a software engineer who works by calling
            tools. It becomes too long. Write the summary that you will go on from instead of it: what the person wants, in their own words
            where it matters; what you found; which files you read and changed, and how; what was decided and why; what failed; what is left to
            do. Facts only, no more than 600 words.%s

            <conversation>
            %s
            </conversation>""";

    private final WorkOrder order;
    private final ModelProvider provider;
    private final WorkReport report;
    private final Budget budget;
    private int count;

    Compaction(WorkOrder order, ModelProvider provider, WorkReport report, Budget budget) {
        this.order = order;
        this.provider = provider;
        this.report = report;
        this.budget = budget;
    }

    /** The numbers up to this one are taken by those before a restart. */
    void startAfter(int before) {
        count = before;
    }

    /** Makes the conversation short; false when there is no summary, and it stays as it is. {@code wish} is what the person wants kept. */
    boolean run(Conversation conversation, String wish, CancelSignal cancel) {
        String callId = NAME + "-" + ++count;
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("tokens", conversation.tokens());
        if (!wish.isEmpty()) {
            parameters.put("keep", wish);
        }
        report.toolCalled(callId, NAME, parameters);
        report.toolStarted(callId, null);
        Optional<String> summary = Optional.empty();
        String why = "";
        for (int chars = LONGEST_TRANSCRIPT; summary.isEmpty() && chars >= SHORTEST_TRANSCRIPT; chars /= 2) {
            ModelRound round = ask(conversation.transcript(chars), wish, callId, cancel);
            Optional<RoundEvent.Failed> failed = round.failure();
            if (failed.isEmpty() && !round.text().isBlank()) {
                summary = Optional.of(round.text().strip());
            } else if (failed.isEmpty() || failed.get().failure().code() != FailureCode.CONTEXT_OVERFLOW) {
                why = failed.map(one -> one.failure().message()).orElse("The model said nothing.");
                break;
            }
        }
        if (summary.isEmpty()) {
            report.toolEnded(callId, ToolCallState.FAILED, "There is no summary. " + why);
            return false;
        }
        report.toolEnded(callId, ToolCallState.DONE, summary.get());
        conversation.compact(summary.get());
        budget.context(null);
        return true;
    }

    private ModelRound ask(String transcript, String wish, String callId, CancelSignal cancel) {
        ModelProfile profile = order.profile();
        @Nullable Integer context = profile == null ? null : profile.contextTokens();
        String keep = wish.isEmpty() ? "" : " Above all keep: " + wish;
        ModelRound round = new ModelRound(
                provider,
                new RoundRequest(
                        order.provider(),
                        order.model(),
                        ReasoningEffort.OFF,
                        List.of(new ChatMessage.User(WISH.formatted(keep, transcript))),
                        List.of(),
                        SUMMARY_TOKENS,
                        context),
                false);
        round.stream(
                event -> {
                    if (event instanceof RoundEvent.TextDelta delta) {
                        report.toolOutput(callId, delta.text());
                    }
                },
                cancel);
        budget.add(round.usage(), round.text().length());
        return round;
    }
}
