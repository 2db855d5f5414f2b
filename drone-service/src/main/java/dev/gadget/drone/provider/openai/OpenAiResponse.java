package dev.gadget.drone.provider.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.drone.provider.RoundEvent.FinishReason;
import dev.gadget.drone.provider.RoundSink;
import dev.gadget.drone.provider.http.Exchange;
import dev.gadget.drone.provider.http.Failures;
import dev.gadget.model.FailureCode;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProviderSpec;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Puts one response of the chat completions API together, from chunks or from one document. */
final class OpenAiResponse {
    private static final List<String> THINKING_FIELDS = List.of("reasoning_content", "reasoning");
    private static final int MAX_CALLS = 128;
    private static final double HIGHEST_COST = 1e6;
    private static final int COST_DIGITS = 12;
    private static final int MAX_ARGUMENT_CHARS = 4 << 20;

    private final RoundSink sink;
    private final Exchange exchange;
    private final ProviderSpec provider;
    private final Consumer<String> thinkingField;
    private final List<Call> calls = new ArrayList<>();
    private @Nullable FinishReason finish;
    private boolean thought;

    /** A response; {@code thinkingField} is told in which field thinking comes. */
    OpenAiResponse(RoundSink sink, Exchange exchange, ProviderSpec provider, Consumer<String> thinkingField) {
        this.sink = sink;
        this.exchange = exchange;
        this.provider = provider;
        this.thinkingField = thinkingField;
    }

    /** A call while its arguments arrive. */
    private static final class Call {
        final int index;
        final String id;
        String name = "";
        final StringBuilder arguments = new StringBuilder();

        Call(int index, String id) {
            this.index = index;
            this.id = id;
        }
    }

    void chunk(JsonNode chunk) throws ProviderException {
        refuseError(chunk);
        JsonNode choice = chunk.path("choices").path(0);
        if (choice.isObject()) {
            message(choice.path("delta").isObject() ? choice.path("delta") : choice.path("message"));
            finished(choice.path("finish_reason"));
        }
        usage(chunk.path("usage"));
    }

    /** The whole response at once, from an endpoint that does not stream. */
    void document(JsonNode document) throws ProviderException {
        refuseError(document);
        JsonNode choice = document.path("choices").path(0);
        if (!choice.isObject()) {
            throw new ProviderException(
                    FailureCode.PROVIDER_PROTOCOL,
                    exchange.shown()
                            + " answered with JSON that is no chat completion: it has no choices. Check the base URL.");
        }
        message(choice.path("message"));
        finished(choice.path("finish_reason"));
        usage(document.path("usage"));
        over();
    }

    /** What came as an event of the name {@code error}. */
    void error(JsonNode event) throws ProviderException {
        throw Failures.inStream(exchange.shown(), event.has("error") ? event.path("error") : event, provider);
    }

    /** Nothing follows: complete only when the endpoint said so before. */
    void over() throws ProviderException {
        if (finish == null) {
            throw new ProviderException(
                    FailureCode.TRUNCATED,
                    exchange.shown() + " ended the response without saying that it is complete. What came is kept.");
        }
        exchange.complete();
        for (Call call : calls) {
            sink.call(new ChatMessage.RequestedCall(call.id, call.name, call.arguments.toString()));
        }
        sink.finish(finish);
    }

    private void refuseError(JsonNode node) throws ProviderException {
        JsonNode error = node.path("error");
        if (!error.isMissingNode() && !error.isNull()) {
            throw Failures.inStream(exchange.shown(), error, provider);
        }
    }

    private void message(JsonNode message) throws ProviderException {
        String thinking = THINKING_FIELDS.stream()
                .map(field -> thinking(message, field))
                .filter(said -> !said.isEmpty())
                .findFirst()
                .orElse("");
        String text = text(message, "content");
        JsonNode parts = message.path("tool_calls");
        if (thinking.isEmpty() && text.isEmpty() && parts.isEmpty()) {
            return;
        }
        exchange.begun();
        sink.thinking(thinking);
        sink.text(text);
        for (JsonNode part : parts) {
            call(part);
        }
    }

    private String thinking(JsonNode message, String field) {
        String said = text(message, field);
        if (!said.isEmpty() && !thought) {
            thought = true;
            thinkingField.accept(field);
        }
        return said;
    }

    private static String text(JsonNode node, String field) {
        JsonNode value = node.get(field);
        return value != null && value.isTextual() ? value.textValue() : "";
    }

    private void call(JsonNode part) throws ProviderException {
        JsonNode function = part.path("function");
        String name = text(function, "name");
        Call call = which(part, name);
        if (call.name.isEmpty()) {
            call.name = name;
        }
        JsonNode arguments = function.path("arguments");
        if (arguments.isTextual()) {
            call.arguments.append(arguments.textValue());
        } else if (arguments.isObject()) {
            call.arguments.append(arguments);
        }
        if (call.arguments.length() > MAX_ARGUMENT_CHARS) {
            throw tooMuch("arguments of more than " + MAX_ARGUMENT_CHARS + " characters");
        }
        sink.callGrows(call.name, call.arguments.length());
    }

    /** Parts of one call share an index; endpoints that give none, or the same to all, are told apart by id and name. */
    private Call which(JsonNode part, String name) throws ProviderException {
        String id = text(part, "id");
        int index = part.path("index").asInt(-1);
        boolean named = !name.isEmpty();
        for (Call call : calls.reversed()) {
            if (goesOn(call, id, index, name)) {
                return call;
            }
        }
        if (index < 0 && id.isEmpty() && !named && !calls.isEmpty()) {
            return calls.getLast();
        }
        if (calls.size() >= MAX_CALLS) {
            throw tooMuch("more than " + MAX_CALLS + " tool calls");
        }
        var call = new Call(index, id);
        calls.add(call);
        return call;
    }

    private boolean goesOn(Call call, String id, int index, String name) {
        boolean named = !name.isEmpty();
        if (named && !call.name.isEmpty() && (!call.name.equals(name) || isWhole(call.arguments))) {
            return false;
        }
        boolean sameId = !id.isEmpty() && call.id.equals(id);
        return index >= 0 ? call.index == index && (id.isEmpty() || sameId || !named) : sameId;
    }

    /** Whether nothing can be added to these arguments; asked only where a name comes again. */
    private boolean isWhole(StringBuilder arguments) {
        return !arguments.isEmpty() && arguments.charAt(arguments.length() - 1) == '}' && exchange.isJson(arguments);
    }

    private ProviderException tooMuch(String what) {
        return new ProviderException(
                FailureCode.PROVIDER_PROTOCOL, exchange.shown() + " sent " + what + " in one response.");
    }

    private void finished(JsonNode reason) {
        if (!reason.isTextual() || reason.asText().isEmpty()) {
            return;
        }
        finish = switch (reason.asText()) {
            case "tool_calls", "function_call" -> FinishReason.TOOL_CALLS;
            case "length", "max_tokens" -> FinishReason.LENGTH;
            case "content_filter" -> FinishReason.CONTENT_FILTER;
            default -> FinishReason.STOP;
        };
    }

    private void usage(JsonNode usage) {
        if (usage.isObject()) {
            sink.usage(new Usage(
                    usage.path("prompt_tokens").asLong(),
                    usage.path("completion_tokens").asLong(),
                    usage.path("completion_tokens_details")
                            .path("reasoning_tokens")
                            .asLong(),
                    cost(usage.path("cost")),
                    null,
                    cached(usage)));
        }
    }

    /** What of the prompt it had read before, as OpenAI, DeepSeek and those that pass Anthropic's counts on say it. */
    private static @Nullable Long cached(JsonNode usage) {
        return Stream.of(
                        usage.path("prompt_tokens_details").path("cached_tokens"),
                        usage.path("prompt_cache_hit_tokens"),
                        usage.path("cache_read_input_tokens"))
                .filter(JsonNode::isIntegralNumber)
                .map(said -> Math.clamp(
                        said.longValue(),
                        0,
                        Math.max(0, usage.path("prompt_tokens").asLong())))
                .findFirst()
                .orElse(null);
    }

    /** What OpenRouter and the like say that the response cost. Many say 0 of what they do not know, so that counts as nothing said. */
    private static @Nullable BigDecimal cost(JsonNode said) {
        boolean sensible = said.isNumber() && said.doubleValue() > 0 && said.doubleValue() < HIGHEST_COST;
        return sensible
                ? said.decimalValue()
                        .setScale(COST_DIGITS, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                : null;
    }
}
