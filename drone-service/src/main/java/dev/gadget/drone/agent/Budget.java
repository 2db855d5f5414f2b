package dev.gadget.drone.agent;

import dev.gadget.model.Limits;
import dev.gadget.model.ModelPrice;
import dev.gadget.model.turn.Usage;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a turn has used of its limits; parts of it may count at the same time. Wall clock is not here: it cuts in anywhere, see {@link TurnClock}. */
final class Budget {
    /** Who waits for something asks again and again: where the answers differ that is no loop so soon. */
    private static final int TIMES_WITH_OTHER_ANSWERS = 10;

    private record Called(String name, Map<String, Object> parameters) {}

    private final Limits limits;
    private final @Nullable ModelPrice price;
    /** What this is a part of: all that is used here is used of that, too, at once. */
    private final @Nullable Budget whole;

    private final Set<String> changedFiles = new HashSet<>();
    private Usage usage = Usage.NONE;
    private long uncounted;
    private int rounds;
    private @Nullable Called last;
    private @Nullable String lastAnswer;
    private int equalInARow;
    private int sameAnswers;
    /** Equal calls of one response that have no answer yet. */
    private int unanswered;

    /** Of a turn whose model costs so much; null when nobody knows. */
    Budget(Limits limits, @Nullable ModelPrice price) {
        this(limits, price, null);
    }

    private Budget(Limits limits, @Nullable ModelPrice price, @Nullable Budget whole) {
        this.price = price;
        this.limits = limits;
        this.whole = whole;
    }

    /** Of a part of the work, with limits of its own within what is left of this. */
    Budget part(Limits own) {
        return new Budget(own, price, this);
    }

    synchronized Usage usage() {
        return usage;
    }

    /** What was used before a crash. */
    synchronized void startFrom(Usage before) {
        usage = before;
    }

    /** Whether another round is within the limits; if not, how the turn ends. */
    synchronized Optional<Ending> anotherRound() {
        if (limits.maxRounds() != null && rounds >= limits.maxRounds()) {
            return Optional.of(Ending.limit("The turn reached its limit of " + limits.maxRounds() + " rounds."));
        }
        return spent();
    }

    private synchronized Optional<Ending> spent() {
        Integer left = outputTokensLeft();
        if (left != null && left <= 0) {
            return Optional.of(outputTokensReached());
        }
        BigDecimal cost = usage.cost();
        if (limits.maxCost() != null && cost != null && cost.compareTo(limits.maxCost()) >= 0) {
            return Optional.of(Ending.limit("The turn reached its limit of $" + limits.maxCost() + "."));
        }
        return whole == null ? Optional.empty() : whole.spent();
    }

    Ending outputTokensReached() {
        return limits.maxOutputTokens() == null && whole != null
                ? whole.outputTokensReached()
                : Ending.limit("The turn reached its limit of " + limits.maxOutputTokens() + " output tokens.");
    }

    @Nullable
    synchronized Integer outputTokensLeft() {
        if (limits.maxOutputTokens() == null) {
            return whole == null ? null : whole.outputTokensLeft();
        }
        long left = limits.maxOutputTokens() - usage.outputTokens() - uncounted;
        return (int) Math.max(0, left);
    }

    /** Whether so little is left that a response which was cut was cut by this limit, and not by one that its endpoint has. */
    synchronized boolean outputTokensNearlyReached() {
        Integer most = limits.maxOutputTokens();
        Integer left = outputTokensLeft();
        if (most == null || left == null) {
            return whole != null && whole.outputTokensNearlyReached();
        }
        return left <= most / 4;
    }

    void roundDone() {
        rounds++;
    }

    /** Adds what a round used; what its endpoint did not count is guessed for the limit, but not told as usage. */
    synchronized void add(Optional<Usage> counted, int chars) {
        Optional<Usage> cost = counted.map(this::priced);
        if (whole != null) {
            whole.add(cost, chars);
        }
        if (cost.isEmpty()) {
            uncounted += chars / 4;
            return;
        }
        usage = usage.plus(cost.get()).withContext(usage.contextTokens());
    }

    /** How full the context of the model is by now; null when nobody knows. */
    synchronized void context(@Nullable Long tokens) {
        usage = usage.withContext(tokens);
    }

    /** What an endpoint itself says that it costs counts before the price list. */
    private Usage priced(Usage counted) {
        return price == null || counted.cost() != null
                ? counted
                : new Usage(
                        counted.inputTokens(),
                        counted.outputTokens(),
                        counted.thinkingTokens(),
                        price.of(
                                counted.inputTokens(),
                                Objects.requireNonNullElse(counted.cachedTokens(), 0L),
                                counted.outputTokens()),
                        counted.contextTokens(),
                        counted.cachedTokens());
    }

    /** Counts a call that is about to be run; tells how the turn ends if it is one too many. */
    Optional<Ending> admit(String name, Map<String, Object> parameters, List<String> changes) {
        Integer most = limits.maxEqualCalls();
        Called called = new Called(name, parameters);
        if (!called.equals(last)) {
            last = called;
            lastAnswer = null;
            equalInARow = 0;
            sameAnswers = 0;
            unanswered = 0;
        } else if (most != null) {
            if (sameAnswers + unanswered >= most) {
                return Optional.of(Ending.limit("The model called " + name
                        + " with the same parameters and the same result more than " + most + " times in a row."));
            }
            if (equalInARow >= most * TIMES_WITH_OTHER_ANSWERS) {
                return Optional.of(Ending.limit("The model called " + name + " with the same parameters more than "
                        + most * TIMES_WITH_OTHER_ANSWERS + " times in a row."));
            }
        }
        unanswered++;
        return changed(changes);
    }

    /** Counts what came of a call; tells whether the next equal one is one too many. */
    boolean answered(String name, Map<String, Object> parameters, String answer) {
        Called called = new Called(name, parameters);
        boolean equal = called.equals(last);
        unanswered = 0;
        equalInARow = equal ? equalInARow + 1 : 1;
        sameAnswers = equal && answer.equals(lastAnswer) ? sameAnswers + 1 : 1;
        last = called;
        lastAnswer = answer;
        Integer most = limits.maxEqualCalls();
        return most != null
                && equalInARow > 1
                && (sameAnswers >= most || equalInARow >= most * TIMES_WITH_OTHER_ANSWERS);
    }

    private synchronized Optional<Ending> changed(List<String> changes) {
        changedFiles.addAll(changes);
        if (limits.maxFilesChanged() != null && changedFiles.size() > limits.maxFilesChanged()) {
            return Optional.of(
                    Ending.limit("The turn reached its limit of " + limits.maxFilesChanged() + " changed files."));
        }
        return whole == null ? Optional.empty() : whole.changed(changes);
    }
}
