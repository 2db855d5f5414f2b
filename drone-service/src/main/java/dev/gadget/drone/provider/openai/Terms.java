package dev.gadget.drone.provider.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.drone.provider.http.Refusals;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ReasoningEffort;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What an endpoint takes of one request: it is asked again without what it refuses, and that is remembered. */
final class Terms {
    /** Fields that some endpoints refuse; they are left out when an endpoint says so by name. */
    private static final List<String> OPTIONAL = List.of(
            OpenAiRequests.EFFORT,
            OpenAiRequests.TEMPLATE,
            "stream_options",
            "parallel_tool_calls",
            OpenAiRequests.CACHE,
            OpenAiRequests.LIMIT,
            OpenAiRequests.NEWER_LIMIT);
    /** What comes nearest to no thinking where a model cannot be without. */
    private static final List<String> LEAST = List.of("minimal", "low");

    private static final Pattern THINKING = Pattern.compile("(?i)think|reason");

    private static final String REASONING = "reasoning_content";
    /** In which field thinking comes. */
    private static final String THINKING_FIELD = "field of thinking";
    /** Messages of the model without its thinking: some endpoints want it back for as long as the turn lasts. */
    private static final String WITHOUT_THINKING = "messages without thinking";

    private static final String WITH_THINKING = "messages with thinking";
    private static final List<String> WANTED = List.of("missing", "must be", "required");
    /** Servers that know no such field say so in sentences that have those words as well. */
    private static final List<String> UNKNOWN =
            List.of("unsupported", "not supported", "not permitted", "unknown", "unexpected", "unrecognized");

    private static final Pattern REASONING_ALONE = Pattern.compile("(?<![a-z_])reasoning(?![a-z_])");

    private final Refusals refusals;
    private final RoundRequest request;
    private boolean thinksAsItLikes;
    private boolean withoutLimit;

    Terms(Refusals refusals, RoundRequest request) {
        this.refusals = refusals;
        this.request = request;
    }

    /** Makes of a request what the endpoint is known to take. */
    void apply(ObjectNode body) {
        for (String field : OPTIONAL) {
            // What is asked instead may be refused as well.
            for (var other = instead(body, field); other.isPresent(); other = instead(body, field)) {
                change(body, field, other.get());
            }
        }
        if (withoutLimit) {
            body.remove(List.of(OpenAiRequests.LIMIT, OpenAiRequests.NEWER_LIMIT));
        }
        if (thinksAsItLikes) {
            body.remove(List.of(OpenAiRequests.EFFORT, OpenAiRequests.TEMPLATE));
        }
    }

    private static void change(ObjectNode body, String field, String other) {
        JsonNode before = body.remove(field);
        if (field.equals(OpenAiRequests.EFFORT) && !other.equals(Refusals.NOTHING)) {
            body.put(field, other);
        } else if (!other.equals(Refusals.NOTHING)) {
            body.set(other, before);
        }
    }

    /** Thinking comes in this field, and may go back in it. */
    void thinkingCameIn(String field) {
        refusals.see(request.provider(), request.model(), THINKING_FIELD, field);
    }

    /** In which field of this message the endpoint is given back what the model thought. */
    Optional<String> thinkingField(ChatMessage.Assistant said) {
        if (known(WITH_THINKING).isPresent()) {
            return Optional.empty();
        }
        Optional<String> wanted = known(WITHOUT_THINKING);
        return wanted.isPresent() || said.thinking() == null ? wanted : known(THINKING_FIELD);
    }

    /** Gives way to a refusal; false when there is nothing to give way in. */
    boolean giveWay(ObjectNode body, ProviderException refused) {
        String said = refused.failure().message();
        boolean tooMuchWanted =
                refused.failure().code() == FailureCode.CONTEXT_OVERFLOW && said.contains(OpenAiRequests.LIMIT);
        if (tooMuchWanted) {
            // Of this conversation only: it is too long for both, and the next one may not be.
            boolean limited = body.has(OpenAiRequests.LIMIT) || body.has(OpenAiRequests.NEWER_LIMIT);
            withoutLimit = true;
            return limited;
        }
        if (refused.failure().code() != FailureCode.PROVIDER_REFUSED) {
            return false;
        }
        Optional<String> field = OPTIONAL.stream()
                .filter(each -> body.has(each) && isNamed(each, bare(said)))
                .findFirst();
        if (field.isPresent()) {
            add(key(body, field.get()), instead(body, field.get(), said));
            return true;
        }
        if (isAboutThoughts(said)) {
            return true;
        }
        // Models that always think say that in words of their own; no wish not to think is worth a failure.
        boolean wishes = request.reasoningEffort() == ReasoningEffort.OFF
                && THINKING.matcher(said).find()
                && (body.has(OpenAiRequests.EFFORT) || body.has(OpenAiRequests.TEMPLATE));
        thinksAsItLikes |= wishes;
        return wishes;
    }

    /** Endpoints want the thinking with each message of the model, or with those that it came with, or with none. */
    private boolean isAboutThoughts(String said) {
        boolean sent = request.messages().stream()
                .anyMatch(message -> message instanceof ChatMessage.Assistant one
                        && thinkingField(one).isPresent());
        if (!bare(said).contains(bare(REASONING))
                && !(sent
                        && REASONING_ALONE
                                .matcher(said.toLowerCase(Locale.ROOT))
                                .find())) {
            return false;
        }
        String lower = said.toLowerCase(Locale.ROOT);
        boolean wants =
                UNKNOWN.stream().noneMatch(lower::contains) && WANTED.stream().anyMatch(lower::contains);
        if (wants ? known(WITHOUT_THINKING).isPresent() : !sent) {
            return false;
        }
        add(
                wants ? WITHOUT_THINKING : WITH_THINKING,
                wants ? known(THINKING_FIELD).orElse(REASONING) : Refusals.NOTHING);
        return true;
    }

    /** The endpoint took the request. */
    void agreed() {
        if (thinksAsItLikes) {
            add(OpenAiRequests.EFFORT + "=none", Refusals.NOTHING);
            add(OpenAiRequests.TEMPLATE, Refusals.NOTHING);
        }
    }

    private Optional<String> instead(ObjectNode body, String field) {
        return body.has(field) ? known(key(body, field)) : Optional.empty();
    }

    private Optional<String> known(String what) {
        return refusals.instead(request.provider(), request.model(), what);
    }

    private void add(String what, String instead) {
        refusals.add(request.provider(), request.model(), what, instead);
    }

    /** A model that refuses one effort may know another. */
    private static String key(ObjectNode body, String field) {
        return field.equals(OpenAiRequests.EFFORT)
                ? field + "=" + body.path(field).asText()
                : field;
    }

    private static String instead(ObjectNode body, String field, String said) {
        return switch (field) {
            case OpenAiRequests.EFFORT -> least(body, said);
            case OpenAiRequests.LIMIT ->
                said.contains(OpenAiRequests.NEWER_LIMIT) ? OpenAiRequests.NEWER_LIMIT : Refusals.NOTHING;
            default -> Refusals.NOTHING;
        };
    }

    private static String least(ObjectNode body, String said) {
        return body.path(OpenAiRequests.EFFORT).asText().equals("none")
                ? LEAST.stream()
                        .filter(effort -> Pattern.compile("[`'\"]" + effort + "[`'\"]")
                                .matcher(said)
                                .find())
                        .findFirst()
                        .orElse(Refusals.NOTHING)
                : Refusals.NOTHING;
    }

    /** Some speak of a limit by its older name, whichever it was asked by. */
    private static boolean isNamed(String field, String said) {
        return said.contains(bare(field))
                || field.equals(OpenAiRequests.NEWER_LIMIT) && said.contains(bare(OpenAiRequests.LIMIT));
    }

    /** Some write it in one word, others in two. */
    private static String bare(String text) {
        return text.replaceAll("[_ ]", "").toLowerCase(Locale.ROOT);
    }
}
