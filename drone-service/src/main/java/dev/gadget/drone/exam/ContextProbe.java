package dev.gadget.drone.exam;

import dev.gadget.drone.provider.ProviderException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProviderType;
import dev.gadget.model.ReasoningEffort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how long a prompt may be: a word at its beginning is asked for at its end, in prompts of twice the length each. An endpoint
 * that drops the beginning without a word is found out, whatever it says of itself.
 */
final class ContextProbe {
    static final String NEEDLE = "heron-4827";

    private static final int FIRST_TOKENS = 2048;
    /** All prompts together, because somebody may have to pay for them. */
    private static final int MOST_TOKENS = 64_000;
    /** Of a context, what is left to the wrapping of the prompt and to the answer. */
    private static final int FOR_THE_ANSWER = 256;

    private static final Duration WITHIN = Duration.ofSeconds(120);

    private final ExamRoom room;
    private final List<String> notes = new ArrayList<>();
    private int found;
    private boolean lost;
    /** By the endpoint, at a prompt that was too much for it. */
    private boolean stopped;

    private long lastMillis;

    ContextProbe(ExamRoom room) {
        this.room = room;
    }

    /** How long a context can be counted on, or is at least, and what the endpoint says of it. */
    record Found(
            @Nullable Integer contextTokens,
            @Nullable Integer atLeast,
            @Nullable Integer reportedTokens,
            String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    Found run() throws ProviderException {
        Integer reported = room.reportedContext().orElse(null);
        int spent = 0;
        for (int tokens = first(reported); tokens > 0; tokens = next(tokens, reported, spent)) {
            if (!isFound(tokens, reported)) {
                stopped = true;
                break;
            }
            spent += tokens;
        }
        Integer context = context(reported);
        if (reported != null) {
            notes.add("the endpoint says " + reported);
        }
        boolean open = isOpen(reported);
        String text = context == null ? "not measured" : (open ? "at least " : "") + context + " tokens";
        return new Found(
                open ? null : context,
                open ? context : null,
                reported,
                notes.isEmpty() ? text : text + " (" + String.join("; ", notes) + ")");
    }

    /** Whether the prompts ended before the context did. Ollama has to be told a number, and so gets the one that was seen. */
    private boolean isOpen(@Nullable Integer reported) {
        return reported == null && found > 0 && !stopped && room.spec().type() != ProviderType.OLLAMA;
    }

    private static int first(@Nullable Integer reported) {
        return reported == null ? FIRST_TOKENS : Math.min(FIRST_TOKENS, reported);
    }

    /** The next length to try; 0 when this was the last. */
    private int next(int tokens, @Nullable Integer reported, int spent) {
        if (reported != null && tokens >= reported) {
            return 0;
        }
        int next = reported == null ? tokens * 2 : Math.min(tokens * 2, reported);
        boolean tooSlow = room.left().toMillis() < lastMillis * 5 / 2;
        return spent + next > MOST_TOKENS || tooSlow ? 0 : next;
    }

    private boolean isFound(int tokens, @Nullable Integer reported) throws ProviderException {
        int prompt = Math.max(tokens / 2, tokens - FOR_THE_ANSWER) * 19 / 20;
        ExamAnswer answer = room.ask(new Question(
                haystack((int) (prompt * room.charsPerToken())),
                List.of(),
                ReasoningEffort.OFF,
                FOR_THE_ANSWER,
                tokens,
                WITHIN));
        lastMillis = answer.last().toMillis();
        if (answer.failedWith(FailureCode.CONTEXT_OVERFLOW)) {
            // At the very end of what it reports the prompt may just have been counted as longer than it was meant.
            lost = reported == null || tokens < reported;
            notes.add("refused at " + tokens);
            return false;
        }
        if (answer.failure().isPresent() && !answer.saidSomething()) {
            notes.add("stopped at " + tokens + ": " + answer.failure().get().message());
            return false;
        }
        if (!(answer.text() + answer.thinking()).contains(NEEDLE)) {
            lost = true;
            notes.add("the beginning was lost at " + tokens);
            return false;
        }
        Long counted = answer.inputTokens();
        boolean makesRoom = room.spec().type() == ProviderType.OLLAMA;
        found = counted == null || makesRoom ? tokens : (int) Math.min(tokens, counted + FOR_THE_ANSWER);
        return true;
    }

    /** Ollama says what the model was trained for; others say what there is room for, which holds unless it was seen not to. */
    private @Nullable Integer context(@Nullable Integer reported) {
        boolean believed = room.spec().type() != ProviderType.OLLAMA && (!lost || found == 0);
        int context = reported != null && believed ? Math.max(found, reported) : found;
        return context == 0 ? null : context;
    }

    private static String haystack(int chars) {
        StringBuilder text = new StringBuilder("The password of this document is " + NEEDLE + ".\n\n");
        for (int line = 1; text.length() < chars; line++) {
            text.append("In the year ")
                    .append(1500 + line % 500)
                    .append(" the mill at bend ")
                    .append(line)
                    .append(" of the river ground ")
                    .append(line * 7 % 913)
                    .append(" sacks of rye for the town.\n");
        }
        return text + "\nWhat is the password of this document? Answer with the password alone.";
    }
}
