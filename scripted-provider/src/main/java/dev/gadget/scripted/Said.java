package dev.gadget.scripted;

import java.util.ArrayList;
import java.util.List;

/** What a response said so far: its wire counts it, or tells it at once. */
final class Said {
    final StringBuilder thinking = new StringBuilder();
    final StringBuilder text = new StringBuilder();
    final List<ToolCall> calls = new ArrayList<>();
    final List<ToolCall> callsForTheEnd = new ArrayList<>();
    private final long input;
    private final boolean kept;
    private long thinkingTokens;
    private long textTokens;

    /** @param kept whether the text is needed again; an endless one is not */
    Said(long input, boolean kept) {
        this.input = input;
        this.kept = kept;
    }

    void token(boolean isThinking, String token) {
        if (isThinking) {
            thinkingTokens++;
        } else {
            textTokens++;
        }
        if (kept) {
            (isThinking ? thinking : text).append(token);
        }
    }

    TokenUsage usage(Step.End end) {
        TokenUsage given = end.usage();
        return given != null
                ? given
                : new TokenUsage(input, thinkingTokens + textTokens + 10L * calls.size(), thinkingTokens);
    }
}
