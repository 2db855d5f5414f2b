package dev.gadget.code.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.gadget.code.account.TestPeople;
import dev.gadget.model.DroneId;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@DisplayName("Requests from other origins")
class OriginGuardTest {
    @Inject
    TestPeople people;

    @TestHTTPResource
    URI service;

    private TestPeople.Person person;
    private String cookie;

    @BeforeEach
    void signIn() {
        person = people.member();
        cookie = given().contentType("application/json")
                .body(Map.of("email", person.email(), "password", TestPeople.PASSWORD))
                .post("/api/v1/auth/login")
                .cookie("gadget_session");
    }

    private int post(@Nullable String origin, @Nullable String site) {
        var request = given().cookie("gadget_session", cookie).contentType("application/json");
        if (origin != null) {
            request.header("Origin", origin);
        }
        if (site != null) {
            request.header("Sec-Fetch-Site", site);
        }
        return request.body(Map.of("name", "x")).post("/api/v1/projects").statusCode();
    }

    @Test
    @DisplayName("a cookie changes things only from the page itself")
    void cookies() {
        String own = "http://" + service.getAuthority();
        assertThat(post(own, null)).isEqualTo(201);
        assertThat(post(own, "same-origin")).isEqualTo(201);
        assertThat(post(null, null)).isEqualTo(201);
        assertThat(post("https://proxied.example", null)).isEqualTo(201);
        assertThat(post("https://evil.example", null)).isEqualTo(403);
        assertThat(post("null", null)).isEqualTo(403);
        assertThat(post(own, "same-site")).isEqualTo(403);
        assertThat(post(null, "cross-site")).isEqualTo(403);
        assertThat(post("http://" + service.getHost() + ":1", null)).isEqualTo(403);
    }

    @Test
    @DisplayName("nor can another site sign a browser in; the refusal is a problem document")
    void login() {
        given().contentType("application/json")
                .header("Origin", "https://evil.example")
                .body(Map.of("email", person.email(), "password", TestPeople.PASSWORD))
                .post("/api/v1/auth/login")
                .then()
                .statusCode(403)
                .contentType("application/problem+json")
                .body("code", equalTo("foreign_origin"));
    }

    @Test
    @DisplayName("reading, and a bearer token, are no matter of origins; no other site may read the answer")
    void harmless() {
        given().cookie("gadget_session", cookie)
                .header("Origin", "https://evil.example")
                .get("/api/v1/me")
                .then()
                .statusCode(200)
                .header("Access-Control-Allow-Origin", org.hamcrest.Matchers.nullValue());
        person.request()
                .header("Origin", "https://evil.example")
                .body(Map.of("name", "x"))
                .post("/api/v1/projects")
                .then()
                .statusCode(201);
    }

    @ParameterizedTest(name = "{0} as {1} from {2}: {3}")
    @DisplayName("sockets are refused before the upgrade, however their address is spelled")
    @CsvSource({
        "/ws/ide,   cookie,  own,    101",
        "/ws/ide,   cookie,  none,   101",
        "/ws/ide,   cookie,  evil,   403",
        "/ws/ide,   bearer,  none,   101",
        "/ws/ide,   nobody,  none,   401",
        "/ws/ide,   nobody,  own,    401",
        "/ws/ide,   drone,   none,   403",
        "/ws/terminal, cookie, own,  101",
        "/ws/terminal, cookie, evil, 403",
        "/ws/terminal, nobody, own,  401",
        "/ws/terminal, drone,  none, 403",
        "/ws/drone, drone,   none,   101",
        "/ws/drone, bearer,  none,   403",
        "/ws/drone, cookie,  own,    403",
        "/ws/drone, cookie,  evil,   403",
        "/ws/drone, nobody,  none,   401",
        "/ws/none,  bearer,  none,   404",
        "/%77s/ide, cookie,  own,    101",
        "/%77s/ide, cookie,  evil,   403",
        "/%77s/ide, cookie,  port,   403",
        "//ws/ide,  cookie,  evil,   403",
        "//ws/ide,  cookie,  port,   403",
        "/ws/%69de, cookie,  port,   403",
        "/x/../ws/ide, cookie, port, 403",
        "/ws//terminal, cookie, port, 403",
    })
    void upgrade(String path, String who, String origin, int status) throws IOException {
        String proof = switch (who) {
            case "cookie" -> "Cookie: gadget_session=" + cookie + "\r\n";
            case "bearer" -> "Authorization: Bearer " + person.token() + "\r\n";
            case "drone" -> "Authorization: Bearer " + people.credential(person.id(), DroneId.random()) + "\r\n";
            default -> "";
        };
        String from = switch (origin) {
            case "own" -> "Origin: http://" + service.getAuthority() + "\r\n";
            case "evil" -> "Origin: https://evil.example\r\n";
            case "port" -> "Origin: http://" + service.getHost() + ":1\r\nSec-Fetch-Site: same-site\r\n";
            default -> "";
        };
        assertThat(handshake(path, proof + from)).isEqualTo(status);
    }

    private int handshake(String path, String headers) throws IOException {
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: " + service.getAuthority()
                                    + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" + headers + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] line = socket.getInputStream().readNBytes("HTTP/1.1 nnn".length());
            return Integer.parseInt(new String(line, StandardCharsets.US_ASCII).substring("HTTP/1.1 ".length()));
        }
    }
}
