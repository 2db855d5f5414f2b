package dev.gadget.code.drone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.LogLines;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.http.TestSocket;
import dev.gadget.code.session.TestSessions;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.TerminalId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.terminal.TerminalEvent;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("Terminals between pages and drones")
class TerminalSocketTest {
    private static final TerminalId TERMINAL = new TerminalId("t-1");

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    private TestPeople.Person ada;
    private SessionId session;

    @BeforeEach
    void somebody() {
        ada = people.member();
        session = TestSessions.session(ada);
    }

    private SimulatedDrone drone() throws Exception {
        var drone = new SimulatedDrone(mapper, ada);
        ada.request()
                .body(Map.of("workspaceId", drone.workspace().value()))
                .patch("/api/v1/sessions/" + session)
                .then()
                .statusCode(200);
        return drone;
    }

    private TestSocket page(TestPeople.Person person) {
        return new TestSocket("/ws/terminal", person.token());
    }

    private void say(TestSocket page, TerminalCommand command) throws Exception {
        page.send(mapper.writerFor(TerminalCommand.class).writeValueAsString(command));
    }

    private TerminalEvent hear(TestSocket page) throws Exception {
        return mapper.readValue(page.receive(), TerminalEvent.class);
    }

    private TerminalCommand.Open open(long offset) {
        return new TerminalCommand.Open(Protocol.VERSION, session, TERMINAL, 80, 24, offset);
    }

    private static void answer(SimulatedDrone drone, @Nullable String view, TerminalEvent event) throws Exception {
        drone.say(new DroneEvent.TerminalSaid(view, TERMINAL, event));
    }

    private FailureCode refusal(TestSocket page) throws Exception {
        FailureCode code =
                ((TerminalEvent.TerminalRefused) hear(page)).failure().code();
        assertThat(page.closeCode()).isEqualTo(1000);
        return code;
    }

    @Test
    @DisplayName(
            "what a page says reaches the session's drone, what the terminal says reaches the page, and both ends are noted")
    void routes() throws Exception {
        try (var drone = drone();
                var page = page(ada)) {
            LogLines audit = LogLines.of("audit");
            say(page, open(0));
            var opened = drone.expect(DroneCommand.TellTerminal.class);
            assertThat(opened.command()).isEqualTo(open(0));
            answer(drone, opened.viewId(), new TerminalEvent.Opened(true, 0, 0));
            assertThat(hear(page)).isEqualTo(new TerminalEvent.Opened(true, 0, 0));

            for (TerminalCommand command : new TerminalCommand[] {
                new TerminalCommand.Input("echo hi\r"),
                new TerminalCommand.Resize(120, 40),
                new TerminalCommand.Acknowledge(3),
                new TerminalCommand.Close()
            }) {
                say(page, command);
                assertThat(drone.expect(DroneCommand.TellTerminal.class))
                        .isEqualTo(new DroneCommand.TellTerminal(opened.viewId(), command, null));
            }
            answer(drone, opened.viewId(), new TerminalEvent.Output(0, "hi\r\n"));
            assertThat(hear(page)).isEqualTo(new TerminalEvent.Output(0, "hi\r\n"));
            say(page, new TerminalCommand.TerminalPing());
            assertThat(hear(page)).isEqualTo(new TerminalEvent.TerminalPong());
            answer(drone, opened.viewId(), new TerminalEvent.Output(4, "bye"));
            answer(drone, opened.viewId(), new TerminalEvent.Closed(7));

            assertThat(hear(page)).isEqualTo(new TerminalEvent.Output(4, "bye"));
            assertThat(hear(page)).isEqualTo(new TerminalEvent.Closed(7));
            assertThat(page.closeCode()).isEqualTo(1000);
            assertThat(audit.lines())
                    .contains(
                            "user " + ada.id() + ": terminal opened on drone " + drone.id() + " t-1",
                            "user " + ada.id() + ": terminal closed on drone " + drone.id() + " t-1")
                    .noneMatch(line -> line.contains("echo"));
            audit.close();
        }
    }

    @Test
    @DisplayName("a token that is taken back, or expires, ends the terminal's connection that it opened")
    void signedOut() throws Exception {
        JsonPath made = ada.request()
                .body(Map.of("name", "other"))
                .post("/api/v1/tokens")
                .then()
                .statusCode(201)
                .extract()
                .jsonPath();
        try (var drone = drone();
                var goes = page(person(made.getString("token")));
                var stays = page(ada);
                var expires = page(person(people.token(ada.id(), Duration.ofSeconds(20))))) {
            // A page that opens nothing is closed after ten seconds, too.
            for (TestSocket page : List.of(goes, stays, expires)) {
                say(page, new TerminalCommand.Open(Protocol.VERSION, session, TerminalId.random(), 80, 24, 0));
                drone.expect(DroneCommand.TellTerminal.class);
            }
            ada.request()
                    .delete("/api/v1/tokens/" + made.getString("id"))
                    .then()
                    .statusCode(204);
            assertThat(goes.closeCode()).isEqualTo(4401);
            say(stays, new TerminalCommand.TerminalPing());
            assertThat(hear(stays)).isEqualTo(new TerminalEvent.TerminalPong());
            assertThat(expires.closeCode()).isEqualTo(4401);
        }
    }

    private TestPeople.Person person(String token) {
        return new TestPeople.Person(ada.id(), ada.email(), token);
    }

    @Test
    @DisplayName("another person's session is not found, and its drone hears nothing")
    void foreign() throws Exception {
        var eve = people.member();
        try (var drone = drone();
                var page = page(eve)) {
            say(page, open(0));

            assertThat(refusal(page)).isEqualTo(FailureCode.NOT_FOUND);
            try (var own = page(ada)) {
                say(own, open(5));
                assertThat(drone.expect(DroneCommand.TellTerminal.class).command())
                        .as("the first that it hears")
                        .isEqualTo(open(5));
            }
        }
    }

    @Test
    @DisplayName("a drone cannot speak to a page that another drone serves")
    void foreignDrone() throws Exception {
        var eve = people.member();
        try (var drone = drone();
                var other = new SimulatedDrone(mapper, eve);
                var page = page(ada)) {
            say(page, open(0));
            String view = drone.expect(DroneCommand.TellTerminal.class).viewId();
            answer(other, view, new TerminalEvent.Output(0, "false"));
            // It is handled before the next thing that the other drone says.
            other.say(other.hello(Protocol.VERSION, "/home/ada/shop", DroneStatus.AVAILABLE));
            other.expect(DroneCommand.Welcome.class);

            answer(drone, view, new TerminalEvent.Output(0, "true"));
            assertThat(hear(page)).isEqualTo(new TerminalEvent.Output(0, "true"));
        }
    }

    @Test
    @DisplayName("without a drone, and where the drone refuses, the page is told why")
    void refused() throws Exception {
        var drone = drone();
        try (var page = page(ada)) {
            say(page, open(0));
            String view = drone.expect(DroneCommand.TellTerminal.class).viewId();
            answer(
                    drone,
                    view,
                    new TerminalEvent.TerminalRefused(new Failure(FailureCode.FORBIDDEN, "Terminals are off.")));
            assertThat(refusal(page)).isEqualTo(FailureCode.FORBIDDEN);
            drone.expect(DroneCommand.LeaveTerminal.class);
        }
        try (var page = page(ada)) {
            say(page, open(0));
            drone.expect(DroneCommand.TellTerminal.class);
            drone.cut();
            assertThat(refusal(page)).as("it was lost meanwhile").isEqualTo(FailureCode.DRONE_LOST);
        }
        try (var page = page(ada)) {
            say(page, open(0));
            assertThat(refusal(page)).isEqualTo(FailureCode.NO_DRONE);
        }
    }

    @Test
    @DisplayName("a page that goes leaves its terminal, and one whose session is deleted ends it")
    void leaves() throws Exception {
        try (var drone = drone();
                var stays = page(ada)) {
            var goes = page(ada);
            say(goes, open(0));
            String view = drone.expect(DroneCommand.TellTerminal.class).viewId();
            goes.cut();
            assertThat(drone.expect(DroneCommand.LeaveTerminal.class).viewId()).isEqualTo(view);

            say(stays, open(12));
            String next = drone.expect(DroneCommand.TellTerminal.class).viewId();
            ada.request().delete("/api/v1/sessions/" + session).then().statusCode(204);
            assertThat(drone.expect(DroneCommand.TellTerminal.class))
                    .isEqualTo(new DroneCommand.TellTerminal(next, new TerminalCommand.Close(), null));
        }
    }

    @Test
    @DisplayName("what is no message, too large an input, and anything before the opening end the connection")
    void invalid() throws Exception {
        try (var drone = drone()) {
            for (String text : new String[] {
                "{\"type\":\"input\",\"text\":\"" + "x".repeat(Protocol.TEXT_PART_CHARS + 1) + "\"}",
                "{\"type\":\"input\",\"text\":\"too early\"}",
                "{\"type\":\"resize\",\"columns\":0,\"rows\":24}",
                "{\"type\":\"none\"}"
            }) {
                try (var page = page(ada)) {
                    page.send(text);
                    assertThat(page.closeCode()).as(text.substring(0, 15)).isEqualTo(4400);
                }
            }
            try (var page = page(ada)) {
                say(page, open(0));
                drone.expect(DroneCommand.TellTerminal.class);
                say(page, open(0));
                assertThat(page.closeCode()).as("opened twice").isEqualTo(4400);
            }
        }
    }

    @Test
    @DisplayName("the pieces of much output become few frames, in order and without a gap")
    void gathers() throws Exception {
        try (var drone = drone();
                var page = page(ada)) {
            say(page, open(0));
            String view = drone.expect(DroneCommand.TellTerminal.class).viewId();
            StringBuilder all = new StringBuilder();
            StringBuilder heard = new StringBuilder();
            for (int i = 1; i <= 3000; i++) {
                String piece = "piece " + i + " 😀\r\n";
                answer(drone, view, new TerminalEvent.Output(all.length(), piece));
                all.append(piece);
                // A drone that says too much at once is cut off: what was said is heard before more of it.
                while (i % 500 == 0 && heard.length() < all.length()) {
                    var output = (TerminalEvent.Output) hear(page);
                    assertThat(output.offset()).isEqualTo(heard.length());
                    heard.append(output.text());
                }
            }
            assertThat(heard).hasToString(all.toString());
        }
    }
}
