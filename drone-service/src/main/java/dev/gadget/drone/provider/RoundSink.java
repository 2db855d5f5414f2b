package dev.gadget.drone.provider;

import dev.gadget.drone.provider.RoundEvent.FinishReason;
import dev.gadget.model.Failure;
import dev.gadget.model.turn.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts what a wire says into the order that a model response has, and lets exactly one end through. */
public final class RoundSink {
    private final Consumer<RoundEvent> sink;
    private final ThinkTags tags = new ThinkTags(this::tellThinking, this::tellText);
    private final WholeCharacters thinking = new WholeCharacters(piece -> tell(new RoundEvent.ThinkingDelta(piece)));
    private final WholeCharacters text = new WholeCharacters(piece -> tell(new RoundEvent.TextDelta(piece)));
    private final List<ChatMessage.RequestedCall> calls = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private @Nullable Usage usage;
    private boolean ended;

    public RoundSink(Consumer<RoundEvent> sink) {
        this.sink = sink;
    }

    /** Reasoning, from a field of its own. */
    public void thinking(String text) {
        tellThinking(text);
    }

    /** Content, in which reasoning may stand in tags. */
    public void text(String text) {
        tags.take(text);
    }

    /** A call of which so many characters came; it is told when it is whole. */
    public void callGrows(String name, int chars) {
        tell(new RoundEvent.CallGrows(name, chars));
    }

    /**
     * A whole call; told when the response is complete, because half a response is never acted on. Its id is replaced when it is
     * missing or was used before, and no arguments are an empty object.
     */
    public void call(ChatMessage.RequestedCall call) {
        boolean usable = !call.callId().isBlank() && ids.add(call.callId());
        String arguments = call.arguments().isBlank() ? "{}" : call.arguments();
        calls.add(new ChatMessage.RequestedCall(
                usable ? call.callId() : "call_" + UUID.randomUUID(), call.name(), arguments));
    }

    public void usage(Usage counted) {
        usage = counted;
    }

    /** The endpoint said that the response is complete. */
    public void finish(FinishReason reason) {
        if (ended) {
            return;
        }
        endText();
        ended = true;
        calls.forEach(call -> sink.accept(new RoundEvent.CallRequested(call)));
        if (usage != null) {
            sink.accept(new RoundEvent.UsageCounted(usage));
        }
        boolean stopped = reason == FinishReason.STOP && !calls.isEmpty();
        sink.accept(new RoundEvent.Finished(stopped ? FinishReason.TOOL_CALLS : reason));
    }

    /** The response is broken; its text so far stays, its calls are dropped. */
    public void fail(Failure failure, Optional<Duration> retryAfter) {
        if (ended) {
            return;
        }
        endText();
        ended = true;
        if (usage != null) {
            sink.accept(new RoundEvent.UsageCounted(usage));
        }
        sink.accept(new RoundEvent.Failed(failure, retryAfter));
    }

    private void tellThinking(String piece) {
        if (!piece.isEmpty()) {
            text.end();
            thinking.take(piece);
        }
    }

    private void tellText(String piece) {
        if (!piece.isEmpty()) {
            thinking.end();
            text.take(piece);
        }
    }

    private void endText() {
        tags.end();
        thinking.end();
        text.end();
    }

    private void tell(RoundEvent delta) {
        if (!ended) {
            sink.accept(delta);
        }
    }
}
