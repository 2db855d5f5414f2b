package dev.gadget.drone.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.gadget.drone.provider.http.Endpoint;
import dev.gadget.drone.provider.openai.OpenAiProvider;
import dev.gadget.model.ProviderType;
import dev.gadget.model.work.ProviderSpec;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Responses over a connection that is really encrypted. */
@Timeout(180)
class EncryptedWireTest {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int PIECES = 300;

    @TempDir
    Path folder;

    private final CountDownLatch answered = new CountDownLatch(1);
    private SSLContext before;
    private HttpsServer server;
    private ProviderSpec spec;
    private Endpoint endpoint;

    @BeforeEach
    void start() throws Exception {
        before = SSLContext.getDefault();
        SSLContext own = selfSigned();
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(own));
        server.setExecutor(
                Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory()));
        server.createContext("/v1/chat/completions", this::stream);
        server.createContext("/v1/models", this::models);
        server.start();
        SSLContext.setDefault(own);
        endpoint = new Endpoint(new ObjectMapper(), LONG, LONG);
        String url = "https://127.0.0.1:" + server.getAddress().getPort() + "/v1";
        spec = new ProviderSpec(ProviderType.OPENAI, "encrypted", url, null, null);
    }

    @AfterEach
    void stop() {
        SSLContext.setDefault(before);
        server.stop(0);
    }

    /** One that trusts itself. */
    private SSLContext selfSigned() throws Exception {
        Path file = folder.resolve("own.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-validity",
                        "2",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** The second half of it only when another question was answered meanwhile. */
    private void stream(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (var out = exchange.getResponseBody()) {
            for (int i = 0; i < PIECES; i++) {
                if (i == PIECES / 2 && !answered.await(60, TimeUnit.SECONDS)) {
                    return;
                }
                out.write(event("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + i + " \"}}]}"));
                out.flush();
            }
            out.write(event("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}"));
            out.write(event("[DONE]"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] event(String data) {
        return ("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    private void models(HttpExchange exchange) throws IOException {
        byte[] body = "{\"data\":[{\"id\":\"demo\"}]}".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Test
    @DisplayName("a response over https is whole, and another connection begins while it streams")
    void streams() throws Exception {
        List<RoundEvent> events = new ArrayList<>();
        var begun = new CountDownLatch(1);
        var round = CompletableFuture.runAsync(() -> new OpenAiProvider(endpoint)
                .stream(
                        Rounds.request(spec, "hello"),
                        event -> {
                            events.add(event);
                            begun.countDown();
                        },
                        new CancelSignal()));

        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(endpoint.get(spec, "/models").at("/data/0/id").asText()).isEqualTo("demo");
        answered.countDown();
        round.get(60, TimeUnit.SECONDS);

        var expected = new StringBuilder();
        for (int i = 0; i < PIECES; i++) {
            expected.append(i).append(' ');
        }
        assertThat(Rounds.text(events)).isEqualTo(expected.toString());
        assertThat(Rounds.end(events)).isEqualTo("STOP");
    }
}
