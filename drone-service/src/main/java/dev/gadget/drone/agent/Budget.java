package dev.gadget.drone.agent;

import dev.gadget.drone.tool.Arguments;
import dev.gadget.model.Limits;
import dev.gadget.model.ModelPrice;
import dev.gadget.model.Sha256;
import dev.gadget.model.turn.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a turn has used of its limits; parts of it may count at the same time. Wall clock is not here: it cuts in anywhere, see {@link TurnClock}. */
final class Budget {
    /** Who waits for something asks again and again: where the answers differ that is no loop so soon. */
    private static final int TIMES_WITH_OTHER_ANSWERS = 10;

    /** So many calls that come round in turn are seen as one loop. */
    private static final int LONGEST_LOOP = 4;

    /**
     * A call that was admitted, as a fingerprint: its parameters may be a whole file.
     *
     * @param answer null while there is none: it is taken to be what such a call gave before
     */
    private record Step(String call, @Nullable String answer) {
        boolean repeats(Step before) {
            return call.equals(before.call)
                    && (answer == null || before.answer == null || answer.equals(before.answer));
        }
    }

    private final Limits limits;
    private final @Nullable ModelPrice price;
    /** What this is a part of: all that is used here is used of that, too, at once. */
    private final @Nullable Budget whole;

    private final Set<String> changedFiles = new HashSet<>();
    private Usage usage = Usage.NONE;
    private long uncounted;
    private int rounds;
    private final List<Step> steps = new ArrayList<>();
    private @Nullable String last;
    private int equalInARow;

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
        BigDecimal cost = Objects.requireNonNullElse(usage.cost(), BigDecimal.ZERO);
        if (limits.maxSessionCost() != null && cost.compareTo(limits.maxSessionCost()) >= 0) {
            return Optional.of(Ending.sessionLimit("The session reached its limit of money for all its turns."));
        }
        if (limits.maxCost() != null && cost.compareTo(limits.maxCost()) >= 0) {
            return Optional.of(Ending.limit("The turn reached its limit of $" + limits.maxCost() + "."));
        }
        return whole == null ? Optional.empty() : whole.spent();
    }

    Ending outputTokensReached() {
        Integer most = mostOutputTokens();
        if (most == null && whole != null) {
            return whole.outputTokensReached();
        }
        return most != null && most.equals(limits.maxSessionOutputTokens())
                ? Ending.sessionLimit("The session reached its limit of output tokens for all its turns.")
                : Ending.limit("The turn reached its limit of " + most + " output tokens.");
    }

    /** Of the turn, or what the turns before it left to it, whichever is less. */
    private @Nullable Integer mostOutputTokens() {
        Integer turn = limits.maxOutputTokens();
        Integer session = limits.maxSessionOutputTokens();
        return turn == null || session != null && session < turn ? session : turn;
    }

    @Nullable
    synchronized Integer outputTokensLeft() {
        Integer most = mostOutputTokens();
        if (most == null) {
            return whole == null ? null : whole.outputTokensLeft();
        }
        long left = most - usage.outputTokens() - uncounted;
        return (int) Math.max(0, left);
    }

    /** Whether so little is left that a response which was cut was cut by this limit, and not by one that its endpoint has. */
    synchronized boolean outputTokensNearlyReached() {
        Integer most = mostOutputTokens();
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
        if (most != null) {
            String call = Sha256.of(Arguments.write(List.of(name, new TreeMap<>(parameters))));
            steps.add(new Step(call, null));
            OptionalInt loop = loop(steps.size(), most, 1);
            if (loop.isPresent()) {
                return Optional.of(Ending.limit(
                        loop.getAsInt() == 1
                                ? "The model called " + name
                                        + " with the same parameters and the same result more than " + most
                                        + " times in a row."
                                : "The model made the same " + loop.getAsInt() + " calls in turn, one of them " + name
                                        + ", with the same results more than " + times(loop.getAsInt(), most)
                                        + " times in a row."));
            }
            if (call.equals(last) && equalInARow >= (long) most * TIMES_WITH_OTHER_ANSWERS) {
                return Optional.of(Ending.limit("The model called " + name + " with the same parameters more than "
                        + (long) most * TIMES_WITH_OTHER_ANSWERS + " times in a row."));
            }
        }
        return changed(changes);
    }

    /** Counts what came of the first call that has no answer yet; tells whether the next one of its loop is one too many. */
    boolean answered(String answer) {
        Integer most = limits.maxEqualCalls();
        int at = 0;
        while (at < steps.size() && steps.get(at).answer() != null) {
            at++;
        }
        // After a limit was reached the rest is answered without having been admitted.
        if (most == null || at == steps.size()) {
            return false;
        }
        Step step = new Step(steps.get(at).call(), Sha256.of(answer));
        steps.set(at, step);
        equalInARow = step.call().equals(last) ? equalInARow + 1 : 1;
        last = step.call();
        boolean repeated = loop(at + 1, most, 0).isPresent()
                || equalInARow > 1 && equalInARow >= (long) most * TIMES_WITH_OTHER_ANSWERS;
        if (steps.size() > LONGEST_LOOP * times(LONGEST_LOOP, most)) {
            steps.removeFirst();
        }
        return repeated;
    }

    /** Of how many calls the loop is that the first so many steps end with, often enough and so many steps more. */
    private OptionalInt loop(int end, int most, int more) {
        return IntStream.rangeClosed(1, LONGEST_LOOP)
                .filter(period -> looped(end, period) >= Math.max(period + 1L, period * times(period, most) + more))
                .findFirst();
    }

    /** How many steps at the end repeat what was so many steps before, with those that they repeat. */
    private int looped(int end, int period) {
        int at = end - 1;
        while (at >= period && steps.get(at).repeats(steps.get(at - period))) {
            at--;
        }
        return end - 1 - at + period;
    }

    /** What was done only once is no loop. */
    private static long times(int period, int most) {
        return period == 1 ? most : Math.max(2, most);
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
