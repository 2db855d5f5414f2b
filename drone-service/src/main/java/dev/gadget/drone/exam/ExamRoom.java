package dev.gadget.drone.exam;

import dev.gadget.drone.agent.ModelRound;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ModelProvider;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.work.ProviderSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Where one model is asked question after question, each and all within their time. */
final class ExamRoom implements AutoCloseable {
    private static final String INSTRUCTIONS =
            "You are a careful assistant in a coding tool. Do exactly what is asked, without questions in return.";
    private static final double USUAL_CHARS_PER_TOKEN = 3.5;

    private final ModelProvider provider;
    private final ProviderSpec spec;
    private final String model;
    private final CancelSignal person;
    private final long endsAt;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("exam-clock").daemon(true).factory());
    private double charsPerToken = USUAL_CHARS_PER_TOKEN;

    ExamRoom(ModelProvider provider, ProviderSpec spec, String model, Duration most, CancelSignal person) {
        this.provider = provider;
        this.spec = spec;
        this.model = model;
        this.person = person;
        this.endsAt = System.nanoTime() + most.toNanos();
    }

    ProviderSpec spec() {
        return spec;
    }

    /** How long the exam may still go on. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, endsAt - System.nanoTime()));
    }

    /** How many characters of plain English this model takes for one token, as far as that was seen. */
    double charsPerToken() {
        return charsPerToken;
    }

    /** How large a context the endpoint says that it has; empty when it does not say it. */
    Optional<Integer> reportedContext() throws ProviderException {
        try (Limit limit = new Limit(Duration.ofSeconds(15))) {
            return provider.reportedContext(spec, model, limit.signal);
        } catch (ProviderException silent) {
            stopIfCancelled();
            return Optional.empty();
        }
    }

    /** Asks one question; thrown only when a person stopped the exam. */
    ExamAnswer ask(Question question) throws ProviderException {
        stopIfCancelled();
        Duration within = question.within().compareTo(left()) < 0 ? question.within() : left();
        if (within.isZero()) {
            return ExamAnswer.notAsked(new Failure(FailureCode.LIMIT_REACHED, "The time of the exam is over."));
        }
        RoundRequest request = new RoundRequest(
                spec,
                model,
                question.effort(),
                List.of(new ChatMessage.Instructions(INSTRUCTIONS), new ChatMessage.User(question.prompt())),
                question.tools(),
                question.maxOutputTokens(),
                question.contextTokens());
        try (Limit limit = new Limit(within)) {
            ExamAnswer answer = answer(new ModelRound(provider, request), limit);
            stopIfCancelled();
            learn(question, answer);
            return answer;
        }
    }

    private static ExamAnswer answer(ModelRound round, Limit limit) {
        var times = new Times();
        round.stream(times::take, limit.signal);
        Duration over = times.sinceStart();
        Optional<Failure> failure =
                round.failure().map(RoundEvent.Failed::failure).map(limit::orOver);
        return new ExamAnswer(
                round.text(),
                round.thinking(),
                round.calls(),
                times.pieces,
                times.pieces == 0 ? over : times.first,
                times.pieces == 0 ? over : times.last,
                round.usage()
                        .map(usage -> usage.inputTokens())
                        .filter(tokens -> tokens > 0)
                        .orElse(null),
                round.usage()
                        .map(usage -> usage.outputTokens())
                        .filter(tokens -> tokens > 0)
                        .orElse(null),
                failure);
    }

    /** The wrapping of a prompt counts too, so that the guess is on the short side until a long prompt was counted. */
    private void learn(Question question, ExamAnswer answer) {
        Long counted = answer.inputTokens();
        if (counted != null && question.tools().isEmpty()) {
            int chars = INSTRUCTIONS.length() + question.prompt().length();
            charsPerToken = Math.clamp(chars / (double) counted, 0.5, 6);
        }
    }

    private void stopIfCancelled() throws ProviderException {
        if (person.cancelled()) {
            throw new ProviderException(FailureCode.CANCELLED, "The exam was stopped.");
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }

    /** When the pieces of an answer came. */
    private static final class Times {
        private final long start = System.nanoTime();
        private int pieces;
        private Duration first = Duration.ZERO;
        private Duration last = Duration.ZERO;

        void take(RoundEvent event) {
            if (event instanceof RoundEvent.TextDelta || event instanceof RoundEvent.ThinkingDelta) {
                last = sinceStart();
                first = pieces == 0 ? last : first;
                pieces++;
            }
        }

        Duration sinceStart() {
            return Duration.ofNanos(System.nanoTime() - start);
        }
    }

    /** The end of one question: its time is over, or a person stops the exam. */
    private final class Limit implements AutoCloseable {
        private final CancelSignal signal = new CancelSignal();
        private final CancelSignal.Registration registration = person.onCancel(signal::cancel);
        private final Duration within;
        private final ScheduledFuture<?> end;

        Limit(Duration within) {
            this.within = within;
            end = clock.schedule(signal::cancel, within.toNanos(), TimeUnit.NANOSECONDS);
        }

        private Failure orOver(Failure failure) {
            return failure.code() == FailureCode.CANCELLED
                    ? new Failure(
                            FailureCode.STALLED,
                            "The answer was not whole within " + Math.max(1, within.toSeconds()) + " s.")
                    : failure;
        }

        @Override
        public void close() {
            end.cancel(false);
            registration.close();
        }
    }
}
