package dev.gadget.drone.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.model.ProviderType;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProviderSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The same against a real llama-server whose model follows a script; {@code LLAMA_SERVER} is its address, without {@code /v1}. */
@EnabledIfEnvironmentVariable(named = "LLAMA_SERVER", matches = "http.+")
class RealLlamaTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final String server = System.getenv("LLAMA_SERVER");
    private final ModelProvider provider = Rounds.provider(ProviderType.OPENAI, LONG, LONG);

    private ProviderSpec spec(boolean blocking) {
        return new ProviderSpec(ProviderType.OPENAI, "llama", server + "/v1", null, blocking);
    }

    private static ToolSpec tool(String name) {
        return new ToolSpec(
                name,
                "Does " + name + ".",
                Map.of(
                        "type",
                        "object",
                        "properties",
                        Map.of("path", Map.of("type", "string"), "depth", Map.of("type", "integer"))));
    }

    private List<RoundEvent> ask(String prompt, boolean blocking, CancelSignal cancel) throws ProviderException {
        String model = provider.models(spec(blocking)).getFirst();
        List<RoundEvent> events = new ArrayList<>();
        var request = new RoundRequest(
                spec(blocking),
                model,
                ReasoningEffort.LOW,
                List.of(new ChatMessage.Instructions("Be short."), new ChatMessage.User(prompt)),
                List.of(tool("read_file"), tool("list_dir"), tool("write_file")),
                2000);
        provider.stream(
                request,
                event -> {
                    events.add(event);
                    if (prompt.contains("lorem") && events.size() == 20) {
                        cancel.cancel();
                    }
                },
                cancel);
        return events;
    }

    @Test
    @DisplayName("text comes piece by piece, whole, with usage")
    void text() throws ProviderException {
        List<RoundEvent> events = ask("[[plain]]", false, new CancelSignal());
        assertThat(Rounds.text(events)).contains("汉字 and a face 😀").endsWith("End of plain.");
        assertThat(Rounds.end(events)).isEqualTo("STOP");
        assertThat(events).hasSizeGreaterThan(10);
        assertThat(usage(events).inputTokens()).isPositive();
        assertThat(usage(events).outputTokens()).isPositive();
    }

    private static Usage usage(List<RoundEvent> events) {
        return events.stream()
                .filter(RoundEvent.UsageCounted.class::isInstance)
                .map(event -> ((RoundEvent.UsageCounted) event).usage())
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("thinking is told apart from text")
    void thinking() throws ProviderException {
        List<RoundEvent> events = ask("[[reason]]", false, new CancelSignal());
        assertThat(Rounds.thinking(events)).contains("I weigh two options");
        assertThat(Rounds.text(events)).contains("42, finally").doesNotContain("weigh");
    }

    @Test
    @DisplayName("parallel tool calls come whole")
    void calls() throws ProviderException {
        List<RoundEvent> events = ask("[[parallel]]", false, new CancelSignal());
        assertThat(Rounds.calls(events))
                .extracting(ChatMessage.RequestedCall::name)
                .containsExactly("read_file", "list_dir");
        assertThat(Rounds.calls(events).getFirst().arguments()).contains("pom.xml");
        assertThat(Rounds.end(events)).isEqualTo("TOOL_CALLS");
    }

    @Test
    @DisplayName("without streaming it is the same")
    void blocking() throws ProviderException {
        List<RoundEvent> events = ask("[[think_tool]]", true, new CancelSignal());
        assertThat(Rounds.thinking(events)).contains("list the directory before I edit");
        assertThat(Rounds.calls(events))
                .extracting(ChatMessage.RequestedCall::name)
                .containsExactly("list_dir");
        assertThat(usage(events).outputTokens()).isPositive();
    }

    @Test
    @DisplayName("a cancel ends an endless response")
    void cancel() throws ProviderException {
        List<RoundEvent> events = ask("[[lorem]]", false, new CancelSignal());
        assertThat(Rounds.end(events)).isEqualTo("CANCELLED");
        assertThat(events).hasSize(21);
    }
}
