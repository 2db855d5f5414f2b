package dev.gadget.drone.provider.ollama;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.drone.provider.RoundEvent.FinishReason;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.drone.provider.RoundSink;
import dev.gadget.drone.provider.http.Exchange;
import dev.gadget.drone.provider.http.Failures;
import dev.gadget.model.FailureCode;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProviderSpec;

/** Puts one response of Ollama together from its lines; without streaming there is one line. */
final class OllamaResponse {
    private static final int MAX_CALLS = 128;

    private final RoundSink sink;
    private final Exchange exchange;
    private final ProviderSpec provider;
    private final boolean mayCall;
    private int calls;

    /** The answer to this. */
    OllamaResponse(RoundSink sink, Exchange exchange, RoundRequest request) {
        this.sink = sink;
        this.exchange = exchange;
        this.provider = request.provider();
        this.mayCall = !request.tools().isEmpty();
    }

    /** Takes one line; true when it was the last one of a complete response. */
    boolean line(JsonNode line) throws ProviderException {
        JsonNode error = line.path("error");
        if (!error.isMissingNode()) {
            throw Failures.inStream(exchange.shown(), error, provider);
        }
        JsonNode message = line.path("message");
        if (!message.isObject() && !line.path("done").asBoolean()) {
            throw new ProviderException(
                    FailureCode.PROVIDER_PROTOCOL,
                    exchange.shown()
                            + " sent JSON that is no chat response of Ollama. Check the provider's type and base URL.");
        }
        say(message);
        for (JsonNode call : message.path("tool_calls")) {
            call(call);
        }
        if (!line.path("done").asBoolean()) {
            return false;
        }
        sink.usage(new Usage(
                line.path("prompt_eval_count").asLong(), line.path("eval_count").asLong(), 0, null));
        exchange.complete();
        sink.finish(reason(line.path("done_reason").asText("stop")));
        return true;
    }

    private void say(JsonNode message) {
        String thinking = message.path("thinking").asText("");
        String text = message.path("content").asText("");
        if (!thinking.isEmpty() || !text.isEmpty()) {
            if (!mayCall) {
                // Nothing is told of a call until all of it is written, which may take as long as a prompt takes to be
                // read.
                exchange.begun();
            }
            sink.thinking(thinking);
            sink.text(text);
        }
    }

    private void call(JsonNode call) throws ProviderException {
        if (++calls > MAX_CALLS) {
            throw new ProviderException(
                    FailureCode.PROVIDER_PROTOCOL,
                    exchange.shown() + " sent more than " + MAX_CALLS + " tool calls in one response.");
        }
        JsonNode function = call.path("function");
        JsonNode arguments = function.path("arguments");
        sink.call(new ChatMessage.RequestedCall(
                call.path("id").asText(""),
                function.path("name").asText(""),
                arguments.isTextual() ? arguments.asText() : arguments.isObject() ? arguments.toString() : ""));
    }

    private static FinishReason reason(String said) {
        return switch (said) {
            case "length" -> FinishReason.LENGTH;
            default -> FinishReason.STOP;
        };
    }
}
