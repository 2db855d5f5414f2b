package dev.gadget.code.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import com.sun.net.httpserver.HttpServer;
import dev.gadget.code.LogLines;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.store.ProviderArchive;
import dev.gadget.model.ProviderId;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@DisplayName("Providers")
class ProviderResourceTest {
    private static final String PROVIDERS = "/api/v1/providers";
    private static final String KEY = "sk-never-to-be-seen-again";

    @Inject
    TestPeople people;

    @Inject
    Providers providers;

    @Inject
    ProviderArchive archive;

    private TestPeople.Person person;
    private HttpServer endpoint;
    private final AtomicReference<String> authorization = new AtomicReference<>();
    private final AtomicReference<String> asked = new AtomicReference<>();

    private final LogLines log = LogLines.of("");

    @BeforeEach
    void start() throws IOException {
        person = people.member();
        endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        endpoint.start();
    }

    @AfterEach
    void stop() {
        endpoint.stop(0);
        log.close();
        assertThat(log.lines()).noneMatch(line -> line.contains(KEY));
    }

    private String url() {
        return "http://127.0.0.1:" + endpoint.getAddress().getPort();
    }

    private void answers(int status, String body) {
        endpoint.createContext("/", exchange -> {
            authorization.set(exchange.getRequestHeaders().getFirst("Authorization"));
            asked.set(exchange.getRequestURI().getPath());
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    private String create(Map<String, Object> body) {
        return person.request()
                .body(body)
                .post(PROVIDERS)
                .then()
                .statusCode(201)
                .header("Location", startsWith(PROVIDERS + "/"))
                .extract()
                .path("id");
    }

    private ValidatableResponse models(String type, String base) {
        String id = create(Map.of("name", "p", "type", type, "baseUrl", base, "apiKey", KEY));
        ValidatableResponse answer =
                person.request().get(PROVIDERS + "/" + id + "/models").then();
        assertThat(answer.extract().asString()).doesNotContain(KEY);
        return answer;
    }

    @Test
    @DisplayName(
            "a key goes in, is sealed in the store, reaches the drone's specification and never comes out over HTTP")
    void key() {
        String made = person.request()
                .body(Map.of("name", "mine", "type", "openai", "baseUrl", "https://api.example.org/v1/", "apiKey", KEY))
                .post(PROVIDERS)
                .then()
                .statusCode(201)
                .body("hasApiKey", equalTo(true))
                .body("baseUrl", equalTo("https://api.example.org/v1"))
                .extract()
                .asString();
        String id = io.restassured.path.json.JsonPath.from(made).getString("id");
        String one = person.request().get(PROVIDERS + "/" + id).asString();
        String list = person.request().get(PROVIDERS).asString();
        assertThat(Stream.of(made, one, list)).noneMatch(text -> text.contains(KEY) || text.contains("sealed"));

        ProviderId providerId = new ProviderId(id);
        assertThat(archive.find(person.id(), providerId).orElseThrow().sealedKey())
                .isNotNull()
                .doesNotContain(KEY);
        assertThat(providers.spec(person.id(), providerId).apiKey()).isEqualTo(KEY);
        assertThat(providers.spec(person.id(), providerId)).asString().doesNotContain(KEY);

        person.request()
                .body(Map.of("name", "renamed"))
                .patch(PROVIDERS + "/" + id)
                .then()
                .body("hasApiKey", equalTo(true));
        person.request()
                .body(Map.of("apiKey", ""))
                .patch(PROVIDERS + "/" + id)
                .then()
                .body("hasApiKey", equalTo(false));
        assertThat(providers.spec(person.id(), providerId).apiKey()).isNull();
        assertThat(providers.spec(person.id(), providerId).name()).isEqualTo("renamed");
    }

    @Test
    @DisplayName("another person's provider is not found, by no method")
    void others() {
        String id = create(Map.of("name", "p", "type", "ollama", "baseUrl", url()));
        TestPeople.Person other = people.administrator();
        String path = PROVIDERS + "/" + id;
        other.request().get(path).then().statusCode(404).body("code", equalTo("not_found"));
        other.request().get(path + "/models").then().statusCode(404);
        other.request().get(path + "/profiles").then().statusCode(404);
        other.request().body(Map.of("model", "m")).post(path + "/exams").then().statusCode(404);
        other.request().body("{}").patch(path).then().statusCode(404);
        other.request().delete(path).then().statusCode(404);
        other.request().get(PROVIDERS).then().body("items", empty());

        person.request().delete(path).then().statusCode(204);
        person.request().get(path).then().statusCode(404);
    }

    @Test
    @DisplayName("two providers of one name are refused")
    void names() {
        create(Map.of("name", "same", "type", "openai", "baseUrl", url()));
        person.request()
                .body(Map.of("name", "same", "type", "openai", "baseUrl", url()))
                .post(PROVIDERS)
                .then()
                .statusCode(409)
                .body("field", equalTo("name"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.org",
                "ftp://example.org",
                "file:///etc/passwd",
                "http://",
                "http://u:p@example.org",
                "http://example.org/?q=1",
                "http://exa mple.org"
            })
    @DisplayName("what is no base URL is refused with the field's name")
    void badUrl(String url) {
        person.request()
                .body(Map.of("name", "p", "type", "openai", "baseUrl", url))
                .post(PROVIDERS)
                .then()
                .statusCode(422)
                .body("field", equalTo("baseUrl"));
    }

    @Test
    @DisplayName("a wrong type, key or name is refused with the field's name")
    void bad() {
        person.request()
                .body(Map.of("name", "p", "type", "other", "baseUrl", url()))
                .post(PROVIDERS)
                .then()
                .statusCode(422)
                .body("field", equalTo("type"))
                .body("detail", containsString("openai"));
        person.request()
                .body(Map.of("name", "p", "type", "openai", "baseUrl", url(), "apiKey", "two\nlines"))
                .post(PROVIDERS)
                .then()
                .statusCode(422)
                .body("field", equalTo("apiKey"));
        person.request()
                .body(Map.of("name", "", "type", "openai", "baseUrl", url()))
                .post(PROVIDERS)
                .then()
                .statusCode(422)
                .body("field", equalTo("name"));
    }

    @Test
    @DisplayName("a price that is none, or stands for a billion digits, is refused by name")
    void badPrices() {
        String body = "{\"name\":\"p\",\"type\":\"openai\",\"baseUrl\":\"" + url() + "\",\"prices\":[%s]}";
        person.request()
                .body(body.formatted("null"))
                .post(PROVIDERS)
                .then()
                .statusCode(422)
                .body("field", equalTo("prices[0]"));
        person.request()
                .body(body.formatted("{\"model\":\"m\",\"input\":1,\"output\":1e999999999}"))
                .post(PROVIDERS)
                .then()
                .statusCode(422)
                .body("field", equalTo("prices[0]"))
                .body("detail", containsString("output has to be at least 0, with at most 12 digits"));
    }

    @Test
    @DisplayName("a key stays with its server: another one needs it again, or none")
    void keyAndServer() {
        String id =
                create(Map.of("name", "p", "type", "openai", "baseUrl", "https://api.example.org/v1", "apiKey", KEY));
        String path = PROVIDERS + "/" + id;
        for (String other : new String[] {
            "http://api.example.org/v1", "https://api.example.org:8443/v1", "https://evil.example/v1", url()
        }) {
            person.request()
                    .body(Map.of("baseUrl", other))
                    .patch(path)
                    .then()
                    .statusCode(422)
                    .body("field", equalTo("apiKey"))
                    .body("detail", containsString("https://api.example.org:443 only"));
        }
        assertThat(providers.get(person.id(), new ProviderId(id)).baseUrl()).isEqualTo("https://api.example.org/v1");
        person.request()
                .body(Map.of("baseUrl", "HTTPS://API.example.org:443/v2"))
                .patch(path)
                .then()
                .statusCode(200)
                .body("hasApiKey", equalTo(true));
        person.request()
                .body(Map.of("baseUrl", url(), "apiKey", "another"))
                .patch(path)
                .then()
                .statusCode(200)
                .body("hasApiKey", equalTo(true));
        assertThat(providers.spec(person.id(), new ProviderId(id)).apiKey()).isEqualTo("another");
        person.request()
                .body(Map.of("baseUrl", "https://evil.example", "apiKey", ""))
                .patch(path)
                .then()
                .statusCode(200)
                .body("hasApiKey", equalTo(false));
        person.request().body(Map.of("baseUrl", url())).patch(path).then().statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://169.254.169.254",
                "http://169.254.1.1:8080/v1",
                "http://[fe80::1]",
                "http://[::ffff:169.254.169.254]",
                "http://[::ffff:a9fe:a9fe]/v1"
            })
    @DisplayName("where clouds keep what a machine may know, nothing is asked")
    void linkLocal(String address) {
        models("openai", address)
                .statusCode(502)
                .body("code", equalTo("provider_unreachable"))
                .body("detail", containsString("link-local"));
    }

    @Test
    @DisplayName("the models are asked of the endpoint, with the key")
    void openAiModels() {
        answers(200, "{\"object\":\"list\",\"data\":[{\"id\":\"a\"},{\"id\":\"b\"}]}");
        models("openai", url() + "/v1")
                .statusCode(200)
                .body("items.id", contains("a", "b"))
                .body("next", nullValue());
        assertThat(asked.get()).isEqualTo("/v1/models");
        assertThat(authorization.get()).isEqualTo("Bearer " + KEY);
    }

    @Test
    @DisplayName("Ollama is asked in its own way")
    void ollamaModels() {
        answers(200, "{\"models\":[{\"name\":\"llama:8b\",\"size\":1}]}");
        models("ollama", url()).statusCode(200).body("items", hasSize(1)).body("items[0].id", equalTo("llama:8b"));
        assertThat(asked.get()).isEqualTo("/api/tags");
    }

    @ParameterizedTest(name = "{0} {1}")
    @DisplayName("an endpoint that does not answer as it should is told by a code and what to check")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "401 | {}                       | 502 | provider_unauthorized",
                "403 | {}                       | 502 | provider_unauthorized",
                "404 | not found                | 502 | provider_protocol",
                "429 | {}                       | 502 | rate_limited",
                "500 | {}                       | 502 | provider_error",
                "301 | {}                       | 502 | provider_protocol",
                "200 | <html>hello</html>       | 502 | provider_protocol",
                "200 | {\"data\":7}             | 502 | provider_protocol",
                "200 | ``                       | 502 | provider_protocol",
            })
    void faults(int status, String body, int expected, String code) {
        answers(status, body);
        models("openai", url() + "/v1")
                .statusCode(expected)
                .contentType("application/problem+json")
                .body("code", equalTo(code));
    }

    @Test
    @DisplayName("an endpoint that is not there")
    void unreachable() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        models("openai", "http://127.0.0.1:" + port + "/v1")
                .statusCode(502)
                .body("code", equalTo("provider_unreachable"))
                .body("detail", containsString("base URL"));
    }

    @Test
    @DisplayName("an answer without end is cut")
    void endless() {
        endpoint.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] chunk = " ".repeat(65_536).getBytes(StandardCharsets.US_ASCII);
            try (exchange) {
                for (int i = 0; i < 200; i++) {
                    exchange.getResponseBody().write(chunk);
                }
            }
        });
        models("openai", url())
                .statusCode(502)
                .body("code", equalTo("provider_protocol"))
                .body("detail", containsString("4 MB"));
    }
}
