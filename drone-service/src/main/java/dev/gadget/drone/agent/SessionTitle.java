package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ModelProvider;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkOrder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Asks the model for a title after one of the first turns of a session that nobody has named. It is a small request of a bounded time, which
 * no turn waits for; when nothing of use comes of it the session keeps the name that it has.
 */
final class SessionTitle {
    private static final QuotingMarks MARKS = new QuotingMarks("request");
    /** Of a line: a longer one is no title, and takes long to look through. */
    private static final int LONGEST_READ = 1000;

    private static final Logger LOG = Logger.getLogger(SessionTitle.class);
    private static final int MAX_SECONDS = 15;
    /** Most of them for models that think first, whatever they are asked. */
    private static final int MAX_TOKENS = 2000;

    private static final int READ_OF_THE_PROMPT = 2000;
    private static final int LONGEST = 80;
    /** A model that goes on for longer has answered the request instead of naming it. */
    private static final int LONGEST_TAKEN = 160;

    private static final String WISH = """
            Name the conversation that begins with the request below: three to seven words in the language of the request, without
            quotation marks and without a full stop. Do not answer the request. Say the name and nothing else.

            <request>
            %s
            </request>""";

    private final WorkOrder order;
    private final ModelProvider provider;
    private final Budget budget;
    private final Duration second;

    SessionTitle(WorkOrder order, ModelProvider provider, Budget budget, Duration second) {
        this.order = order;
        this.provider = provider;
        this.budget = budget;
        this.second = second;
    }

    /** The title and what it used; empty when none is wanted, or neither came in time. */
    Optional<WorkOrderRunner.Title> ask(CancelSignal cancel) {
        if (!Boolean.TRUE.equals(order.wantsTitle())
                || cancel.cancelled()
                || budget.anotherRound().isPresent()) {
            return Optional.empty();
        }
        try (TurnClock clock = new TurnClock(cancel, MAX_SECONDS, second)) {
            ModelRound round = new ModelRound(provider, request(), false);
            round.stream(event -> {}, clock.signal());
            round.failure()
                    .ifPresent(failed -> LOG.debugf(
                            "no title code=%s", failed.failure().code().wireName()));
            String words =
                    round.failure().isPresent() ? "" : titleIn(round.text()).orElse("");
            Optional<Usage> used = round.usage().map(this::priced);
            return words.isEmpty() && used.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new WorkOrderRunner.Title(words, used.orElse(null)));
        }
    }

    private Usage priced(Usage counted) {
        Budget alone = new Budget(order.limits(), order.price());
        alone.add(Optional.of(counted), 0);
        return alone.usage();
    }

    private RoundRequest request() {
        ModelProfile profile = order.profile();
        @Nullable Integer context = profile == null ? null : profile.contextTokens();
        String first = order.history().isEmpty()
                ? order.prompt()
                : order.history().getFirst().prompt();
        String prompt = first.strip();
        String begin = prompt.substring(0, Math.min(READ_OF_THE_PROMPT, prompt.length()));
        return new RoundRequest(
                order.provider(),
                order.model(),
                ReasoningEffort.OFF,
                List.of(new ChatMessage.User(WISH.formatted(MARKS.defused(begin)))),
                List.of(),
                Math.min(most(context), Objects.requireNonNullElse(budget.outputTokensLeft(), MAX_TOKENS)),
                context);
    }

    private static int most(@Nullable Integer context) {
        return context == null ? MAX_TOKENS : Math.min(MAX_TOKENS, context / 2);
    }

    /** The first line that says something, without what models put around a title. */
    static Optional<String> titleIn(String said) {
        return said.lines()
                .map(line -> line.substring(0, Math.min(LONGEST_READ, line.length())))
                .map(line -> line.replaceAll("[\\p{C}\\p{Z}]+", " ").strip())
                .map(line -> line.replaceFirst("(?i)^[#*_>\\- ]*(title|name)\\s*[:：]", ""))
                .map(line -> line.replaceAll("^[\\s#*_>\"'`“”„«»‘’-]+|[\\s*_\"'`“”„«»‘’.。]+$", ""))
                .filter(line -> !line.isBlank())
                .findFirst()
                .filter(line -> line.length() <= LONGEST_TAKEN)
                .map(SessionTitle::cut);
    }

    private static String cut(String line) {
        if (line.length() <= LONGEST) {
            return line;
        }
        int space = line.lastIndexOf(' ', LONGEST - 1);
        int end = space > LONGEST / 2 ? space : LONGEST - 1;
        return line.substring(0, Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
