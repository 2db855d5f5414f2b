package dev.gadget.drone.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.model.ModelProfile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ContextWindowTest {
    private static final ChatMessage INSTRUCTIONS = new ChatMessage.Instructions("Be short.");

    private static ContextWindow window(@Nullable Integer tokens) {
        return ContextWindow.of(
                new ModelProfile(null, null, null, null, tokens, null, null, null, null, Instant.EPOCH), List.of());
    }

    /** Turns of about a thousand tokens each, and then this prompt. */
    private static List<ChatMessage> conversation(int turns) {
        List<ChatMessage> messages = new ArrayList<>(List.of(INSTRUCTIONS));
        for (int i = 1; i <= turns; i++) {
            messages.add(new ChatMessage.User("prompt " + i));
            messages.add(new ChatMessage.Assistant("", null, List.of(new RequestedCall("c" + i, "read_file", "{}"))));
            messages.add(new ChatMessage.ToolAnswer("c" + i, "read_file", "x".repeat(2900)));
            messages.add(new ChatMessage.Assistant("answer " + i, null, List.of()));
        }
        messages.add(new ChatMessage.User("now"));
        return messages;
    }

    private static List<ChatMessage> fit(ContextWindow window, List<ChatMessage> messages) {
        return window.fit(messages, messages.lastIndexOf(new ChatMessage.User("now")));
    }

    @Test
    @DisplayName("what fits, and what nothing is known of, is said whole")
    void whole() {
        List<ChatMessage> messages = conversation(5);

        assertThat(fit(window(null), messages)).isEqualTo(messages);
        assertThat(fit(ContextWindow.of(null, List.of()), messages)).isEqualTo(messages);
        assertThat(fit(window(8192), messages)).isEqualTo(messages);
    }

    @Test
    @DisplayName("the oldest turns are left out as wholes, and the model is told")
    void oldest() {
        List<ChatMessage> fitted = fit(window(4096), conversation(5));

        assertThat(fitted.getFirst())
                .isInstanceOfSatisfying(
                        ChatMessage.Instructions.class,
                        said -> assertThat(said.text()).startsWith("Be short.").contains("Earlier turns"));
        assertThat(fitted.get(1)).isEqualTo(new ChatMessage.User("prompt 3"));
        assertThat(fitted.getLast()).isEqualTo(new ChatMessage.User("now"));
    }

    @Test
    @DisplayName("of the turn itself the middle of older answers is left out, and nothing else")
    void answers() {
        List<ChatMessage> messages = conversation(1);
        for (int i = 1; i <= 4; i++) {
            messages.add(new ChatMessage.Assistant("", null, List.of(new RequestedCall("d" + i, "read_file", "{}"))));
            messages.add(new ChatMessage.ToolAnswer("d" + i, "read_file", "a" + "x".repeat(2900) + "z"));
        }

        List<ChatMessage> fitted = fit(window(4096), messages);

        assertThat(fitted.get(1)).isEqualTo(new ChatMessage.User("now"));
        assertThat(fitted).hasSize(1 + 1 + 8);
        assertThat(fitted.get(3))
                .isInstanceOfSatisfying(
                        ChatMessage.ToolAnswer.class,
                        answer -> assertThat(answer.text())
                                .startsWith("axx")
                                .contains("2302 characters are left out")
                                .endsWith("xxz"));
        assertThat(fitted.getLast()).isEqualTo(messages.getLast());
    }

    @Test
    @DisplayName("letters of three bytes count as a token each")
    void letters() {
        List<ChatMessage> messages = conversation(0);
        messages.add(1, new ChatMessage.User("漢".repeat(4000)));
        messages.add(2, new ChatMessage.Assistant("ok", null, List.of()));

        assertThat(fit(window(4096), messages)).hasSize(2);
        assertThat(fit(window(8192), messages)).hasSize(4);
    }
}
