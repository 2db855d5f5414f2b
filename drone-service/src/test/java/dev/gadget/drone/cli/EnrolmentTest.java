package dev.gadget.drone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.gadget.model.DroneId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.api.DroneApi.EnrolDrone;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class EnrolmentTest {
    private static final EnrolDrone REQUEST =
            new EnrolDrone("the-code", null, null, "one", WorkspaceId.random(), "host", "/w");

    private final AtomicReference<String> asked = new AtomicReference<>("");
    private @Nullable HttpServer server;

    private ServerAddress answers(int status, String body) throws IOException {
        HttpServer started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        started.createContext("/", exchange -> {
            asked.set(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        started.start();
        server = started;
        return ServerAddress.parse("http://127.0.0.1:" + started.getAddress().getPort() + "/");
    }

    @AfterEach
    void stop() {
        HttpServer started = server;
        if (started != null) {
            started.stop(0);
        }
    }

    @Test
    @DisplayName("a code is exchanged for a credential")
    void enrols() throws Exception {
        DroneId drone = DroneId.random();
        var enrolled = new Enrolment(new ObjectMapper())
                .at(answers(200, "{\"droneId\":\"" + drone + "\",\"credential\":\"c\"}"), REQUEST);
        assertThat(enrolled.droneId()).isEqualTo(drone);
        assertThat(enrolled.credential()).isEqualTo("c");
        assertThat(asked.get())
                .startsWith("POST /api/v1/drones/enrol {")
                .contains("\"code\":\"the-code\"")
                .doesNotContain("email");
    }

    @Test
    @DisplayName("what the service says of a wrong code is what the person reads")
    void wrongCode() {
        assertThatThrownBy(() -> new Enrolment(new ObjectMapper())
                        .at(answers(401, "{\"code\":\"unauthorized\",\"detail\":\"The code was used.\"}"), REQUEST))
                .isInstanceOf(Enrolment.RefusedException.class)
                .hasMessage("The code was used.");
    }

    @ParameterizedTest
    @CsvSource({"200,<html>", "404,<html>", "200,{}", "500,''"})
    @DisplayName("something else than a code service is told apart")
    void notGadget(int status, String body) {
        assertThatThrownBy(() -> new Enrolment(new ObjectMapper()).at(answers(status, body), REQUEST))
                .isInstanceOf(Enrolment.RefusedException.class)
                .hasMessageContaining("status " + status)
                .hasMessageContaining("not as a Gadget code service");
    }

    @Test
    @DisplayName("an address where nothing listens, and a port without TLS, are one line each")
    void unreachable() throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        var nobody = ServerAddress.parse("http://127.0.0.1:" + port);
        assertThatThrownBy(() -> new Enrolment(new ObjectMapper()).at(nobody, REQUEST))
                .hasMessageContaining("Nothing answers at " + nobody);
        try (var plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answersInTheClear(plain));
            var tls = ServerAddress.parse("https://127.0.0.1:" + plain.getLocalPort());
            assertThatThrownBy(() -> new Enrolment(new ObjectMapper()).at(tls, REQUEST))
                    .isInstanceOf(Enrolment.RefusedException.class)
                    .hasMessageContainingAll(tls.toString(), "does it speak https?");
        }
    }

    private static void answersInTheClear(ServerSocket plain) {
        try (var socket = plain.accept()) {
            socket.getInputStream().read(new byte[100]);
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            while (socket.getInputStream().read() >= 0) {
                // Until the other end has understood.
            }
        } catch (IOException e) {
            // It hung up, which is its right.
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "http://", "ftp://x", "http://user:secret@host", "http://a b", "://"})
    @DisplayName("what is no address is said with an example of one")
    void noAddress(String text) {
        assertThatThrownBy(() -> ServerAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("https://gadget.example.org");
    }

    @ParameterizedTest
    @CsvSource({
        "gadget.example.org,https://gadget.example.org,false",
        "http://127.0.0.1:8080/,http://127.0.0.1:8080,false",
        "http://localhost:8080,http://localhost:8080,false",
        "http://192.0.2.1,http://192.0.2.1,true"
    })
    @DisplayName("an address without a scheme is meant with TLS; a plain one beyond this machine is warned about")
    void addresses(String typed, String meant, boolean insecure) {
        ServerAddress address = ServerAddress.parse(typed);
        assertThat(address).hasToString(meant);
        assertThat(address.insecure()).isEqualTo(insecure);
    }

    @Test
    @DisplayName("what a service says reaches the terminal as plain words")
    void plainWords() throws Exception {
        ServerAddress address = answers(422, "{\"detail\":\"No.\\u001b]0;mine\\u0007\\nDone.\\u009b2J\"}");
        assertThatThrownBy(() -> new Enrolment(new ObjectMapper()).at(address, REQUEST))
                .hasMessage("No.?]0;mine??Done.?2J");

        var printed = new StringWriter();
        var command = new CommandLine(CommandSpec.create()).setErr(new PrintWriter(printed));
        assertThat(Failing.with(command.getCommandSpec(), "It said \u001b[2J\n\rand more"))
                .isEqualTo(1);
        assertThat(printed.toString().stripTrailing()).isEqualTo("gadget-drone: It said ?[2J??and more");
    }
}
