package dev.gadget.drone.tool;

import dev.gadget.drone.policy.ApprovalRules;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks the person, who answers where calls are approved: what is approved is the same call with an answer in it. It is no permission,
 * so it waits whatever the policy is.
 */
@ApplicationScoped
public class AskPersonTool implements Tool {
    public static final String NAME = "ask_person";

    /** The parameter that only the person gives. */
    private static final String ANSWER = "answer";

    private static final int MAX_QUESTION = 4_000;
    private static final int MAX_CHOICES = 8;
    private static final int MAX_CHOICE = 200;
    private static final int MAX_ANSWER = 20_000;

    private static final ToolSpec SPEC = new ToolSpec(
            NAME,
            "Asks the person one question and waits for the answer, be it hours. Only for what the workspace cannot tell you and where"
                    + " a wrong guess would waste work; else decide yourself and say so at the end.",
            open(Schema.object()
                    .text("question", "The question, with all that is needed to answer it.")
                    .optionalText(
                            "choices",
                            "Short answers to choose from, one a line, at most " + MAX_CHOICES
                                    + ". The person may still write another.")
                    .build()));

    /** The person's answer is taken, too; the model is not told of it. */
    private static Map<String, Object> open(Map<String, Object> schema) {
        Map<String, Object> open = new LinkedHashMap<>(schema);
        open.remove("additionalProperties");
        return open;
    }

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.READS;
    }

    @Override
    public Map<String, Object> example() {
        return Map.of("question", "Which database should the service use?", "choices", "PostgreSQL\nSQLite");
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("options", "choices", "prompt", "question", "text", "question");
    }

    /** What a model wrote in the person's place is taken out before anybody sees the call. */
    public static Map<String, Object> ofModel(String name, Map<String, Object> parameters) {
        if (!name.equals(NAME) || !parameters.containsKey(ANSWER)) {
            return parameters;
        }
        Map<String, Object> kept = new LinkedHashMap<>(parameters);
        kept.remove(ANSWER);
        return kept;
    }

    @Override
    public Optional<ApprovalRules.Verdict> demand(Map<String, Object> parameters) {
        String question = String.valueOf(parameters.get("question"));
        if (question.isBlank() || question.length() > MAX_QUESTION) {
            throw new ToolFailedException("`question` has " + question.length() + " characters; it takes 1 to "
                    + MAX_QUESTION + ". Ask one thing, in short.");
        }
        List<String> choices = choices(parameters);
        if (choices.size() > MAX_CHOICES || choices.stream().anyMatch(choice -> choice.length() > MAX_CHOICE)) {
            throw new ToolFailedException("`choices` has " + choices.size() + " lines; it takes " + MAX_CHOICES
                    + " at most, each of " + MAX_CHOICE + " characters at most. Put details into the question.");
        }
        return Optional.of(new ApprovalRules.Verdict.Ask("The model asks you a question.", true));
    }

    private static List<String> choices(Map<String, Object> parameters) {
        return parameters.get("choices") instanceof String text
                ? text.lines().filter(line -> !line.isBlank()).toList()
                : List.of();
    }

    @Override
    public String denial() {
        return "The person gave no answer";
    }

    @Override
    public ToolResult run(ToolInvocation call) {
        if (!(call.parameters().get(ANSWER) instanceof String answer) || answer.isBlank()) {
            return ToolResult.done(denial() + ". Go on without it, and say what you took for granted.");
        }
        return ToolResult.done("The person answered: "
                + (answer.length() <= MAX_ANSWER ? answer : answer.substring(0, MAX_ANSWER) + "… (cut)"));
    }
}
