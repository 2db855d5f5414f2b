package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.drone.provider.ModelProvider;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundEvent.FinishReason;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProviderType;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProviderSpec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A model that says what the test wrote down, one answer a round. */
final class ScriptedModel implements ModelProvider {
    /** One answer. */
    interface Answer {
        void play(RoundRequest request, Consumer<RoundEvent> sink, CancelSignal cancel);
    }

    /** Without what is told of the workspace with each prompt, which is another each time; {@link #asSent} has that. */
    final List<RoundRequest> requests = new ArrayList<>();

    final List<RoundRequest> asSent = new ArrayList<>();

    @Nullable
    Integer usualContext;

    int askedForContext;
    private final Deque<Answer> answers = new ArrayDeque<>();

    ScriptedModel(Answer... answers) {
        this.answers.addAll(Arrays.asList(answers));
    }

    @Override
    public ProviderType type() {
        return ProviderType.OPENAI;
    }

    @Override
    public void stream(RoundRequest request, Consumer<RoundEvent> sink, CancelSignal cancel) {
        asSent.add(request);
        requests.add(new RoundRequest(
                request.provider(),
                request.model(),
                request.reasoningEffort(),
                request.messages().stream().map(ScriptedModel::said).toList(),
                request.tools(),
                request.maxOutputTokens(),
                request.contextTokens()));
        Answer next = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
        next.play(request, sink, cancel);
    }

    private static ChatMessage said(ChatMessage message) {
        return message instanceof ChatMessage.User user
                ? new ChatMessage.User(user.text().replaceAll("(?s)\n\n<workspace_now>.*?</workspace_now>", ""))
                : message;
    }

    @Override
    public Optional<Integer> usualContext(ProviderSpec provider, String model, CancelSignal signal) {
        askedForContext++;
        return Optional.ofNullable(usualContext);
    }

    @Override
    public List<String> models(ProviderSpec provider) {
        return List.of("m");
    }

    static Answer events(RoundEvent... events) {
        return (request, sink, cancel) -> Arrays.asList(events).forEach(sink);
    }

    static Answer text(String... deltas) {
        return (request, sink, cancel) -> {
            for (String delta : deltas) {
                sink.accept(new RoundEvent.TextDelta(delta));
            }
            sink.accept(new RoundEvent.UsageCounted(new Usage(10, 5, 1, null)));
            sink.accept(new RoundEvent.Finished(FinishReason.STOP));
        };
    }

    static Answer calls(RequestedCall... calls) {
        return (request, sink, cancel) -> {
            for (RequestedCall call : calls) {
                sink.accept(new RoundEvent.CallRequested(call));
            }
            sink.accept(new RoundEvent.UsageCounted(new Usage(10, 5, 1, null)));
            sink.accept(new RoundEvent.Finished(FinishReason.TOOL_CALLS));
        };
    }

    static RequestedCall call(String id, String name, String arguments) {
        return new RequestedCall(id, name, arguments);
    }

    static RoundEvent failed(FailureCode code) {
        return new RoundEvent.Failed(new Failure(code, "broken: " + code), Optional.empty());
    }

    static RoundEvent failed(FailureCode code, Duration retryAfter) {
        return new RoundEvent.Failed(new Failure(code, "broken: " + code), Optional.of(retryAfter));
    }

    /** Says the text, then waits to be cancelled, as a connection does that is closed. */
    static Answer untilCancelled(String text, Runnable whenTold) {
        return (request, sink, cancel) -> {
            if (!text.isEmpty()) {
                sink.accept(new RoundEvent.TextDelta(text));
            }
            var cancelled = new java.util.concurrent.CountDownLatch(1);
            cancel.onCancel(cancelled::countDown);
            whenTold.run();
            try {
                if (!cancelled.await(60, java.util.concurrent.TimeUnit.SECONDS)) {
                    throw new AssertionError("nobody cancelled");
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            sink.accept(failed(FailureCode.CANCELLED));
        };
    }
}
