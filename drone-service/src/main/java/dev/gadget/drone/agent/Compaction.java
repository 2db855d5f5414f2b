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

    private static final String COMMAND = "/compact";

    private static final int LONGEST_TRANSCRIPT = 120_000;
    private static final int SHORTEST_TRANSCRIPT = 8_000;
    /** Much more than a summary has, because some models think before they write, whatever they are asked. */
    private static final int SUMMARY_TOKENS = 8000;

    private static final int LEAST_SUMMARY_TOKENS = 1500;
    private static final int CHARS_PER_TOKEN = 3;
    private static final String CUT = "\n[The summary was cut here.]";

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
    private final CallIds callIds;
    private int count;

    Compaction(WorkOrder order, ModelProvider provider, WorkReport report, Budget budget, CallIds callIds) {
        this.order = order;
        this.provider = provider;
        this.report = report;
        this.budget = budget;
        this.callIds = callIds;
    }

    /** What to keep above all, when a prompt is the command that makes the conversation short. */
    static Optional<String> command(String prompt) {
        String said = prompt.strip();
        return said.equals(COMMAND) || said.startsWith(COMMAND + " ")
                ? Optional.of(said.substring(COMMAND.length()).strip())
                : Optional.empty();
    }

    /** The numbers up to this one are taken by those before a restart. */
    void startAfter(int before) {
        count = before;
    }

    /** Makes the conversation short; false when there is no summary, and it stays as it is. {@code wish} is what the person wants kept. */
    boolean run(Conversation conversation, String wish, CancelSignal cancel) {
        String callId = callIds.unique(NAME + "-" + ++count, 0, count);
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("tokens", conversation.tokens());
        if (!wish.isEmpty()) {
            parameters.put("keep", wish);
        }
        report.toolCalled(callId, NAME, parameters);
        report.toolStarted(callId, null);
        Summary summary = summary(conversation, wish, callId, cancel);
        if (summary.text().isEmpty()) {
            report.toolEnded(callId, ToolCallState.FAILED, "There is no summary. " + summary.why());
            return false;
        }
        report.toolEnded(callId, ToolCallState.DONE, summary.text());
        conversation.compact(summary.text());
        budget.context(null);
        return true;
    }

    /** What the model wrote; nothing, and why. */
    private record Summary(String text, String why) {}

    /** Of a shorter transcript where one is too long; once more where nothing came, or no end of it. */
    private Summary summary(Conversation conversation, String wish, String callId, CancelSignal cancel) {
        String cut = "";
        String why = "The model said nothing.";
        boolean again = false;
        int most = tokens();
        for (int chars = longestTranscript(); chars >= SHORTEST_TRANSCRIPT; ) {
            ModelRound round = ask(conversation.transcript(chars), wish, most, callId, cancel);
            Optional<RoundEvent.Failed> failed = round.failure();
            if (failed.isPresent()) {
                why = failed.get().failure().message();
                if (failed.get().failure().code() != FailureCode.CONTEXT_OVERFLOW) {
                    break;
                }
                chars /= 2;
                most = Math.max(LEAST_SUMMARY_TOKENS, most / 2);
                continue;
            }
            String said = round.text().strip();
            if (!said.isEmpty() && round.reason() != RoundEvent.FinishReason.LENGTH) {
                return new Summary(said, "");
            }
            cut = said.isEmpty() ? cut : said + CUT;
            if (again) {
                break;
            }
            again = true;
            report.toolOutput(callId, "\n[No whole summary came. The model is asked once more.]\n");
        }
        return new Summary(cut, why);
    }

    private int longestTranscript() {
        Integer context = context();
        return context == null
                ? LONGEST_TRANSCRIPT
                : (int) Math.clamp(
                        (context - (long) tokens()) * CHARS_PER_TOKEN, SHORTEST_TRANSCRIPT, LONGEST_TRANSCRIPT);
    }

    /** How long thinking and summary may be together. */
    private int tokens() {
        Integer context = context();
        return context == null ? SUMMARY_TOKENS : Math.clamp(context / 4, LEAST_SUMMARY_TOKENS, SUMMARY_TOKENS);
    }

    private @Nullable Integer context() {
        ModelProfile profile = order.profile();
        return profile == null ? null : profile.contextTokens();
    }

    private ModelRound ask(String transcript, String wish, int most, String callId, CancelSignal cancel) {
        String keep = wish.isEmpty() ? "" : " Above all keep: " + wish;
        RoundRequest request = new RoundRequest(
                order.provider(),
                order.model(),
                ReasoningEffort.OFF,
                List.of(new ChatMessage.User(WISH.formatted(keep, transcript))),
                List.of(),
                most,
                context());
        ModelRound round = new ModelRound(provider, request, false);
        round.stream(
                event -> {
                    if (event instanceof RoundEvent.TextDelta delta) {
                        report.toolOutput(callId, delta.text());
                    }
                },
                cancel);
        TurnLog.round(order, 0, request, round);
        budget.add(round.usage(), round.text().length() + round.thinking().length());
        return round;
    }
}
