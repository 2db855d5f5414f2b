package dev.gadget.scripted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.scripted.Chat.Kind;
import dev.gadget.scripted.ReceivedRequest.Ending;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The server around the scripts. */
class ScriptedProviderTest {
    private static final int CONCURRENT = 40;
    private static final long SECONDS = 10;

    private ScriptedProvider provider;

    @BeforeEach
    void start() {
        provider = ScriptedProvider.start(Script.marked(), "127.0.0.1", 0, List.of("demo", "other"));
    }

    @AfterEach
    void stop() {
        provider.close();
    }

    @Test
    @DisplayName("lists its models on both wires")
    void models() throws IOException {
        assertThat(RawResponse.get(provider.port(), "/v1/models").text())
                .isEqualTo("{\"object\":\"list\",\"data\":[{\"id\":\"demo\",\"object\":\"model\"},"
                        + "{\"id\":\"other\",\"object\":\"model\"}]}");
        assertThat(RawResponse.get(provider.port(), "/api/tags?x=1").text())
                .isEqualTo(
                        "{\"models\":[{\"name\":\"demo\",\"model\":\"demo\"},{\"name\":\"other\",\"model\":\"other\"}]}");
        assertThat(RawResponse.get(provider.port(), "/api/version").text()).contains("version");
        assertThat(RawResponse.post(provider.port(), "/api/show", "{}").text()).contains("\"tools\"", "\"thinking\"");
        assertThat(RawResponse.get(provider.port(), "/nothing").status()).isEqualTo(404);
    }

    @Test
    @DisplayName("answers many at once, each its own tokens")
    void concurrent() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Heard>> all = new ArrayList<>();
            for (int i = 0; i < CONCURRENT; i++) {
                Kind kind = Kind.values()[i % 2];
                String prompt = "[[lorem tokens=" + (500 + i) + " rate=2000]]";
                all.add(threads.submit(() -> new Chat(provider.port(), kind, prompt).ask()));
            }
            for (int i = 0; i < CONCURRENT; i++) {
                assertThat(all.get(i).get().text()).isEqualTo(Step.Numbered.text(1, 500 + i));
            }
        }
        assertThat(provider.chats()).hasSize(CONCURRENT);
    }

    @Test
    @DisplayName("serves one request after the other on a connection, as an HTTP client asks them")
    void keptConnection() throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (String path : List.of("/v1/chat/completions", "/api/chat", "/v1/chat/completions")) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(provider.ollamaUrl() + path))
                        .header("Authorization", "Bearer key")
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        "{\"model\":\"demo\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"[[plain]]\"}]}"))
                        .build();
                assertThat(client.send(request, BodyHandlers.ofString()).body()).contains("漢字");
            }
        }
        assertThat(provider.chats())
                .extracting(request -> request.header("Authorization"))
                .containsOnly("Bearer key");
    }

    @Test
    @DisplayName("says what is wrong with a body that is not JSON")
    void notJson() throws IOException {
        RawResponse openAi = RawResponse.post(provider.port(), Kind.OPENAI.path, "{oops");
        assertThat(openAi.status()).isEqualTo(400);
        assertThat(Chat.json(openAi.text()).at("/error/message").asText()).isEqualTo("The body is not JSON");
        RawResponse ollama = RawResponse.post(provider.port(), Kind.OLLAMA.path, "{oops");
        assertThat(ollama.text()).isEqualTo("{\"error\":\"The body is not JSON\"}");
    }

    @Test
    @DisplayName("tells whether the client stayed to the end")
    void endings() throws Exception {
        new Chat(provider.port(), Kind.OPENAI, "[[plain]]").ask();
        assertThat(provider.chats().getFirst().awaitEnding(SECONDS)).isEqualTo(Ending.PLAYED);
        new Chat(provider.port(), Kind.OPENAI, "[[fault silent-midstream]]").rawUntilSilent();
        assertThat(provider.chats().getLast().awaitEnding(SECONDS)).isEqualTo(Ending.CLIENT_LEFT);
    }

    @Test
    @DisplayName("when it closes, who still waits is cut off and the answer counts as not played")
    void closing() throws Exception {
        try (Socket waiting = new Socket("127.0.0.1", provider.port())) {
            String body = "{\"messages\":[{\"role\":\"user\",\"content\":\"[[fault silent-before-headers]]\"}]}";
            waiting.getOutputStream()
                    .write(("POST /api/chat HTTP/1.1\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            long end = System.nanoTime() + SECONDS * 1_000_000_000L;
            while (provider.chats().isEmpty() && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            provider.close();
            assertThat(provider.chats().getFirst().awaitEnding(SECONDS)).isEqualTo(Ending.PROVIDER_CLOSED);
            waiting.setSoTimeout(5000);
            assertThat(waiting.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    @DisplayName("a taken port is named")
    void takenPort() {
        assertThatThrownBy(() -> ScriptedProvider.start(Script.marked(), "127.0.0.1", provider.port(), List.of("demo"))
                        .close())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("Cannot listen on 127.0.0.1:" + provider.port());
    }

    @Test
    @DisplayName("scripts that a test writes itself: by rounds, in sequence, always the same")
    void ownScripts() throws IOException {
        try (ScriptedProvider own = ScriptedProvider.start(Script.sequence(
                Faults.named("500"),
                Reply.text("second"),
                Reply.of(
                        new Step.Pause(java.time.Duration.ofMillis(5)),
                        new Step.End("length", new TokenUsage(1, 2, 3)))))) {
            assertThat(new Chat(own.port(), Kind.OPENAI, "x").raw().status()).isEqualTo(500);
            assertThat(new Chat(own.port(), Kind.OPENAI, "x").ask().text()).isEqualTo("second");
        }
        try (ScriptedProvider own =
                ScriptedProvider.start(Script.rounds(Reply.call("list_files", "{}"), Reply.text("end")))) {
            assertThat(new Chat(own.port(), Kind.OLLAMA, "x").converse()).hasSize(2);
        }
        try (ScriptedProvider own = ScriptedProvider.start(Script.always(
                Reply.exactly(new Step.Text("cut"), new Step.End("length", new TokenUsage(11, 22, 3)))))) {
            Heard heard = new Chat(own.port(), Kind.OPENAI, "x").ask();
            assertThat(heard).isEqualTo(new Heard("", "cut", List.of(), "length", 11, 22, 3));
        }
    }
}
