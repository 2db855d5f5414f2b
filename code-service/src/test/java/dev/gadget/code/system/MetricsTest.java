package dev.gadget.code.system;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.LogLines;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.drone.SimulatedDrone;
import dev.gadget.code.session.TestSessions;
import dev.gadget.model.SessionId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("What an operator watches")
class MetricsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    /** The samples by their names with labels, as Prometheus reads them. */
    private static Map<String, Double> scraped() {
        String text = given().get("/q/metrics").then().statusCode(200).extract().asString();
        return text.lines()
                .filter(line -> line.startsWith("gadget_"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1))));
    }

    private static double now(String sample) {
        Map<String, Double> all = scraped();
        assertThat(all).containsKey(sample);
        return all.getOrDefault(sample, Double.NaN);
    }

    private static void eventually(String what, BooleanSupplier condition) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(until);
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    private static String submit(TestPeople.Person person, SessionId session) {
        return person.request()
                .header("Prefer", "respond-async")
                .body(Map.of("prompt", "a secret prompt"))
                .post("/api/v1/sessions/" + session + "/turns")
                .then()
                .statusCode(202)
                .extract()
                .path("turnId");
    }

    @Test
    @DisplayName(
            "a turn is seen while it runs and counted when it ends, and its life is in the log by its id, without its words")
    void turn() throws Exception {
        TestPeople.Person ada = people.member();
        SessionId session = TestSessions.session(ada);
        Map<String, Double> before = scraped();
        try (LogLines log = LogLines.of("dev.gadget.code.turn.TurnLife");
                var drone = new SimulatedDrone(mapper, ada)) {
            assertThat(now("gadget_connections{door=\"drone\"}")).isPositive();
            String id = submit(ada, session);
            drone.take();
            drone.report(
                    new WorkEntry.Response(1, null, "a secret answer"),
                    new WorkEntry.UsageReported(2, new Usage(10, 20, 5, null)));
            eventually("it runs", () -> now("gadget_turns{status=\"processing\"}") >= 1);
            assertThat(now("gadget_drones{status=\"busy\"}")).isPositive();
            drone.report(new WorkEntry.WorkOrderComplete(3, TurnStatus.FINISHED, null, new Usage(10, 30, 5, null)));
            drone.expect(DroneCommand.ReleaseWorkOrder.class);

            Map<String, Double> after = scraped();
            assertThat(more(after, before, "gadget_turns_ended_total{status=\"finished\"}"))
                    .isGreaterThanOrEqualTo(1);
            assertThat(more(after, before, "gadget_tokens_total{kind=\"input\"}"))
                    .isGreaterThanOrEqualTo(10);
            assertThat(more(after, before, "gadget_tokens_total{kind=\"output\"}"))
                    .isGreaterThanOrEqualTo(30);
            assertThat(more(after, before, "gadget_work_entries_total")).isGreaterThanOrEqualTo(3);
            assertThat(more(after, before, "gadget_turn_writes_total")).isPositive();
            assertThat(more(after, before, "gadget_store_calls_total")).isPositive();
            List<String> told = log.lines().stream()
                    .filter(line -> line.contains("turnId=" + id))
                    .toList();
            assertThat(told).hasSize(3);
            assertThat(told.get(0)).startsWith("turn accepted ").contains("sessionId=" + session);
            assertThat(told.get(1)).startsWith("turn runs ").contains("droneId=" + drone.id());
            assertThat(told.get(2))
                    .startsWith("turn ended ")
                    .contains(" status=finished code=none ")
                    .endsWith("inputTokens=10 outputTokens=30");
            assertThat(String.join("\n", log.lines())).doesNotContain("secret");
        }
    }

    @Test
    @DisplayName("a prompt that waits, a sign-in that is refused and a socket that is closed are counted")
    void others() throws Exception {
        TestPeople.Person ada = people.member();
        Map<String, Double> before = scraped();

        given().contentType("application/json")
                .body(Map.of("email", "nobody@example.org", "password", "a wrong password"))
                .post("/api/v1/auth/login")
                .then()
                .statusCode(401);
        try (var broken = new SimulatedDrone(mapper, ada)) {
            broken.socket().send("no message");
            assertThat(broken.socket().closeCode()).isEqualTo(4400);
        }

        Map<String, Double> after = scraped();
        assertThat(more(after, before, "gadget_audit_entries_total{kind=\"sign_in_refused\"}"))
                .isGreaterThanOrEqualTo(1);
        String closed = after.keySet().stream()
                .filter(name -> name.startsWith("gadget_sockets_closed_total")
                        && name.contains("code=\"4400\"")
                        && name.contains("path=\"/ws/drone\""))
                .findFirst()
                .orElseThrow();
        assertThat(after.getOrDefault(closed, 0.0) - before.getOrDefault(closed, 0.0))
                .isGreaterThanOrEqualTo(1);
    }

    @Test
    @DisplayName(
            "every metric of the service's own is in docs/operations.md, and those that are there exist from the start")
    void documented() throws Exception {
        String page = Files.readString(Path.of("../docs/operations.md"));
        var there = new TreeSet<String>();
        var found = Pattern.compile("`(gadget_[a-z_]+)").matcher(page);
        while (found.find()) {
            there.add(found.group(1));
        }
        var own = new TreeSet<String>();
        scraped().keySet().forEach(name -> own.add(name.split("\\{", 2)[0]));

        assertThat(there).isEqualTo(own);
    }

    private static double more(Map<String, Double> after, Map<String, Double> before, String sample) {
        assertThat(before).containsKey(sample);
        return after.getOrDefault(sample, 0.0) - before.getOrDefault(sample, 0.0);
    }
}
