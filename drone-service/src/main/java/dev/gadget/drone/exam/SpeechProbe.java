package dev.gadget.drone.exam;

import dev.gadget.drone.provider.ProviderException;
import dev.gadget.model.ReasoningEffort;
import java.time.Duration;
import java.util.Locale;

/** Has the model say something, and watches how it comes. An endpoint that cannot do this fails the whole exam. */
final class SpeechProbe {
    private static final String PROMPT =
            "Write one paragraph of about a hundred words on how a river shapes its valley." + " Write nothing else.";
    private static final int MAX_TOKENS = 600;
    /** A model may have to be loaded first. */
    private static final Duration WITHIN = Duration.ofSeconds(120);

    private static final int PIECES_OF_A_STREAM = 4;
    private static final Duration NOTICEABLE = Duration.ofSeconds(2);
    private static final int CHARS_PER_TOKEN = 4;

    private SpeechProbe() {}

    /** How the model speaks; no rate when it said too little for one. */
    record Found(boolean streaming, boolean thinking, int firstTokenMillis, double tokensPerSecond) {
        @Override
        public String toString() {
            return (streaming ? "streams" : "does not stream") + (thinking ? ", thinks apart" : "")
                    + ", first token after " + firstTokenMillis + " ms"
                    + (tokensPerSecond > 0 ? String.format(Locale.ROOT, ", %.1f tokens/s", tokensPerSecond) : "");
        }
    }

    static Found run(ExamRoom room) throws ProviderException {
        ExamAnswer answer = room.ask(Question.ofWords(PROMPT, ReasoningEffort.LOW, MAX_TOKENS, WITHIN));
        if (!answer.saidSomething()) {
            var failure = answer.failure().orElseThrow();
            throw new ProviderException(failure.code(), failure.message());
        }
        return new Found(
                streams(answer),
                !answer.thinking().isEmpty(),
                (int) answer.first().toMillis(),
                tokensPerSecond(answer));
    }

    /** Pieces that all come at the end of a long silence were collected on the way: nobody sees them stream. */
    private static boolean streams(ExamAnswer answer) {
        Duration span = answer.last().minus(answer.first());
        boolean atOnce =
                answer.last().compareTo(NOTICEABLE) > 0 && span.multipliedBy(20).compareTo(answer.last()) < 0;
        return answer.pieces() >= PIECES_OF_A_STREAM && !atOnce;
    }

    private static double tokensPerSecond(ExamAnswer answer) {
        Long counted = answer.outputTokens();
        double tokens = counted == null
                ? (answer.text().length() + answer.thinking().length()) / (double) CHARS_PER_TOKEN
                : counted;
        Duration span = streams(answer) ? answer.last().minus(answer.first()) : answer.last();
        double seconds = span.toNanos() / 1e9;
        return seconds <= 0 ? 0 : Math.round(tokens / seconds * 10) / 10.0;
    }
}
