package dev.gadget.drone.agent;

import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.drone.tool.Arguments;
import dev.gadget.model.ModelProfile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a conversation within the context that a model was found to have: the oldest turns are left out first, then the middle of
 * what tools answered in this turn. Where nothing is known of the model, everything is said, and the endpoint has the last word.
 */
final class ContextWindow {
    /** On the safe side for English and code, and right for letters of three bytes. */
    private static final int BYTES_PER_TOKEN = 3;

    private static final int NEARLY_PERCENT = 80;
    private static final int MOST_FOR_THE_ANSWER = 4096;
    private static final int KEPT_OF_AN_ANSWER = 600;
    private static final String LEFT_OUT =
            "\n\nEarlier turns of this conversation are left out here: your context is too small for them.";

    private final long room;

    private ContextWindow(long room) {
        this.room = room;
    }

    /** That of a model with this profile, beside its tools. */
    static ContextWindow of(@Nullable ModelProfile profile, List<ToolSpec> tools) {
        Integer tokens = profile == null ? null : profile.contextTokens();
        if (tokens == null) {
            return new ContextWindow(Long.MAX_VALUE);
        }
        long forTools = tools.stream().mapToLong(ContextWindow::tokens).sum();
        return new ContextWindow(tokens - Math.min(MOST_FOR_THE_ANSWER, tokens / 4) - forTools);
    }

    /**
     * The messages that there is room for, in their order.
     *
     * @param current where the prompt of this turn is; nothing from there on is left out as a whole
     */
    List<ChatMessage> fit(List<ChatMessage> messages, int current) {
        long size = tokens(messages);
        if (size <= room) {
            return List.copyOf(messages);
        }
        int from = 1;
        while (from < current && size > room) {
            do {
                size -= size(messages.get(from));
                from++;
            } while (from < current && !(messages.get(from) instanceof ChatMessage.User));
        }
        List<ChatMessage> kept = new ArrayList<>(messages.subList(from, messages.size()));
        kept.addFirst(from == 1 ? messages.getFirst() : noted(messages.getFirst()));
        return shortened(kept, size);
    }

    /** The last answers are what the model works with now: they are whole as long as older ones can be shortened. */
    private List<ChatMessage> shortened(List<ChatMessage> messages, long size) {
        long left = size;
        for (int i = 0; i < messages.size() && left > room; i++) {
            if (messages.get(i) instanceof ChatMessage.ToolAnswer answer
                    && answer.text().length() > 2 * KEPT_OF_AN_ANSWER) {
                var shorter = shorter(answer);
                left -= size(answer) - size(shorter);
                messages.set(i, shorter);
            }
        }
        return List.copyOf(messages);
    }

    private static String headAndTail(String text) {
        int half = KEPT_OF_AN_ANSWER / 2;
        return text.substring(0, half) + "\n… " + (text.length() - KEPT_OF_AN_ANSWER)
                + " characters are left out here: your context is too small for them. Ask for a smaller part.\n"
                + text.substring(text.length() - half);
    }

    private static ChatMessage noted(ChatMessage first) {
        return first instanceof ChatMessage.Instructions said
                ? new ChatMessage.Instructions(said.text() + LEFT_OUT)
                : first;
    }

    /** Whether there is little room left for what is still to come. */
    boolean nearlyFull(List<ChatMessage> messages) {
        return room < Long.MAX_VALUE && tokens(messages) * 100 > room * NEARLY_PERCENT;
    }

    /** About how many tokens these have. */
    static long tokens(List<ChatMessage> messages) {
        return messages.stream().mapToLong(ContextWindow::size).sum();
    }

    /** The beginning and the end of a long answer. */
    static ChatMessage.ToolAnswer shorter(ChatMessage.ToolAnswer answer) {
        return answer.text().length() <= 2 * KEPT_OF_AN_ANSWER
                ? answer
                : new ChatMessage.ToolAnswer(answer.callId(), answer.name(), headAndTail(answer.text()));
    }

    private static long size(ChatMessage message) {
        return switch (message) {
            case ChatMessage.Instructions said -> tokens(said.text());
            case ChatMessage.User said -> tokens(said.text());
            case ChatMessage.ToolAnswer answer -> tokens(answer.text());
            case ChatMessage.Assistant said ->
                tokens(said.text())
                        + (said.thinking() == null ? 0 : tokens(said.thinking()))
                        + said.calls().stream()
                                .mapToLong(call -> tokens(call.name() + call.arguments()))
                                .sum();
        };
    }

    /** About how many tokens it takes to tell a model of a tool. */
    static long tokens(ToolSpec tool) {
        return tokens(tool.name() + tool.description() + Arguments.write(tool.parameters()));
    }

    private static long tokens(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length / BYTES_PER_TOKEN + 1;
    }
}
