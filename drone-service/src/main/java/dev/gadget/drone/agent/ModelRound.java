package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.drone.provider.ModelProvider;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundEvent.FinishReason;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.turn.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One model response. Whatever a provider does, its listener is given deltas, then whole tool calls, then usage, then exactly one
 * end. It knows that there are calls, and nothing of tools.
 */
public final class ModelRound {
    private static final Logger LOG = Logger.getLogger(ModelRound.class);

    /** Where it stands. */
    public enum State {
        /** Nothing came yet. */
        PENDING,
        /** Text comes. */
        STREAMING,
        /** The model waits for the answers of tools. */
        TOOL_EXECUTION,
        /** Nothing more is to be done. */
        COMPLETE,
        /** It broke. */
        ERROR
    }

    private final ModelProvider provider;
    private final RoundRequest request;
    private final TextCalls textCalls;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder thinking = new StringBuilder();
    private final List<RequestedCall> calls = new ArrayList<>();
    private volatile State state = State.PENDING;
    private @Nullable Usage usage;
    private RoundEvent.@Nullable Failed failed;
    private FinishReason reason = FinishReason.STOP;
    private @Nullable RuntimeException listenerBroke;
    private long askedAt;
    private long endedAt;
    private @Nullable Duration firstAfter;
    private int pieces;

    public ModelRound(ModelProvider provider, RoundRequest request) {
        this(provider, request, true);
    }

    /**
     * One response of a model that is known.
     *
     * @param readsText whether calls are looked for in its text, too; of a model whose calls are native, text is only text
     */
    public ModelRound(ModelProvider provider, RoundRequest request, boolean readsText) {
        this.provider = provider;
        this.request = request;
        textCalls = new TextCalls(
                readsText ? request.tools().stream().map(ToolSpec::name).collect(Collectors.toSet()) : Set.of());
    }

    /** Runs it on the calling thread, once; returns after the end was told. What the listener throws is thrown on. */
    public void stream(Consumer<RoundEvent> listener, CancelSignal cancel) {
        if (state != State.PENDING) {
            throw new IllegalStateException("a round runs once, and this one is " + state);
        }
        askedAt = System.nanoTime();
        try {
            streamOnce(listener, cancel);
        } finally {
            endedAt = System.nanoTime();
        }
    }

    private void streamOnce(Consumer<RoundEvent> listener, CancelSignal cancel) {
        try {
            provider.stream(request, event -> take(event, listener), cancel);
        } catch (RuntimeException e) {
            if (listenerBroke == null) {
                LOG.error("The provider broke", e);
                take(failed(FailureCode.INTERNAL, "The provider's code broke: " + e), listener);
            }
        }
        if (listenerBroke != null) {
            throw listenerBroke;
        }
        if (open()) {
            take(
                    cancel.cancelled()
                            ? failed(FailureCode.CANCELLED, "The response was cancelled.")
                            : failed(FailureCode.TRUNCATED, "The response ended without saying that it was complete."),
                    listener);
        }
    }

    /** The tools were run and answered. */
    public void toolsAnswered() {
        if (state != State.TOOL_EXECUTION) {
            throw new IllegalStateException("no tool is waited for: the round is " + state);
        }
        state = State.COMPLETE;
    }

    public State state() {
        return state;
    }

    public String text() {
        return text.toString();
    }

    public String thinking() {
        return thinking.toString();
    }

    /** Whether anything was told that a reader saw. Text that may yet be a call is held back, and was not. */
    public boolean emitted() {
        return !text.isEmpty() || !thinking.isEmpty();
    }

    /** The calls of a response that is complete. */
    public List<RequestedCall> calls() {
        return state == State.ERROR ? List.of() : List.copyOf(calls);
    }

    public Optional<Usage> usage() {
        return Optional.ofNullable(usage);
    }

    public Optional<RoundEvent.Failed> failure() {
        return Optional.ofNullable(failed);
    }

    public FinishReason reason() {
        return reason;
    }

    /** How long nothing came of it; null when nothing did. */
    public @Nullable Duration firstAfter() {
        return firstAfter;
    }

    /** How long it took. */
    public Duration took() {
        return Duration.ofNanos(endedAt - askedAt);
    }

    /** In how many pieces its text and its calls came. */
    public int pieces() {
        return pieces;
    }

    private boolean open() {
        return state == State.PENDING || state == State.STREAMING;
    }

    private void take(RoundEvent event, Consumer<RoundEvent> listener) {
        if (!open()) {
            return;
        }
        count(event);
        switch (event) {
            case RoundEvent.ThinkingDelta delta -> grow(thinking, delta.text(), event, listener);
            case RoundEvent.TextDelta delta -> say(textCalls.take(delta.text()), listener);
            case RoundEvent.CallGrows grows -> tell(grows, listener);
            // Told at the end only: of a response that breaks no call may be run.
            case RoundEvent.CallRequested requested -> calls.add(requested.call());
            case RoundEvent.UsageCounted counted -> usage = counted.usage();
            case RoundEvent.Finished finished -> finish(finished.reason(), listener);
            case RoundEvent.Failed failure -> {
                say(textCalls.giveUp(), listener);
                failed = failure;
                state = State.ERROR;
                tellUsage(listener);
                tell(failure, listener);
            }
        }
    }

    private void count(RoundEvent event) {
        switch (event) {
            case RoundEvent.ThinkingDelta _,
                    RoundEvent.TextDelta _,
                    RoundEvent.CallGrows _,
                    RoundEvent.CallRequested _ -> {
                pieces++;
                if (firstAfter == null) {
                    firstAfter = Duration.ofNanos(System.nanoTime() - askedAt);
                }
            }
            case RoundEvent.UsageCounted _, RoundEvent.Finished _, RoundEvent.Failed _ -> {}
        }
    }

    private void say(String delta, Consumer<RoundEvent> listener) {
        grow(text, delta, new RoundEvent.TextDelta(delta), listener);
    }

    private void grow(StringBuilder whole, String delta, RoundEvent event, Consumer<RoundEvent> listener) {
        if (!delta.isEmpty()) {
            state = State.STREAMING;
            whole.append(delta);
            tell(event, listener);
        }
    }

    private void finish(FinishReason said, Consumer<RoundEvent> listener) {
        boolean whole = calls.isEmpty() && (said == FinishReason.STOP || said == FinishReason.TOOL_CALLS);
        if (whole) {
            calls.addAll(textCalls.end());
        }
        say(textCalls.giveUp(), listener);
        // Endpoints disagree on the reason beside calls; the calls themselves are certain.
        reason = switch (said) {
            case STOP, TOOL_CALLS -> calls.isEmpty() ? FinishReason.STOP : FinishReason.TOOL_CALLS;
            case LENGTH, CONTENT_FILTER -> said;
        };
        boolean wantsTools = reason == FinishReason.TOOL_CALLS;
        state = wantsTools ? State.TOOL_EXECUTION : State.COMPLETE;
        if (wantsTools) {
            calls.forEach(call -> tell(new RoundEvent.CallRequested(call), listener));
        }
        tellUsage(listener);
        tell(new RoundEvent.Finished(reason), listener);
    }

    private void tellUsage(Consumer<RoundEvent> listener) {
        if (usage != null) {
            tell(new RoundEvent.UsageCounted(usage), listener);
        }
    }

    private void tell(RoundEvent event, Consumer<RoundEvent> listener) {
        try {
            listener.accept(event);
        } catch (RuntimeException e) {
            listenerBroke = e;
            state = State.ERROR;
            throw e;
        }
    }

    private static RoundEvent.Failed failed(FailureCode code, String message) {
        return new RoundEvent.Failed(new Failure(code, message), Optional.empty());
    }
}
