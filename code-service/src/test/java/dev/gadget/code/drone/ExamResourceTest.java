package dev.gadget.code.drone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("Exams of models")
class ExamResourceTest {
    private static final ModelProfile PROFILE = new ModelProfile(
            true,
            ModelProfile.ToolCalling.NATIVE,
            new ModelProfile.Score(4, 4),
            false,
            8192,
            null,
            new ModelProfile.Score(4, 5),
            320,
            41.5,
            Instant.parse("2026-01-02T03:04:05Z"));

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    private TestPeople.Person ada;
    private String provider;

    @BeforeEach
    void somebody() {
        ada = people.member();
        provider = made(
                "/api/v1/providers",
                Map.of(
                        "name", "box",
                        "type", "ollama",
                        "baseUrl", "http://127.0.0.1:11434",
                        "apiKey", "sk-of-the-box"));
    }

    private String made(String path, Map<String, Object> body) {
        return ada.request()
                .body(body)
                .post(path)
                .then()
                .statusCode(201)
                .extract()
                .path("id");
    }

    private String exams() {
        return "/api/v1/providers/" + provider + "/exams";
    }

    private ValidatableResponse start() {
        return ada.request().body(Map.of("model", "small:8b")).post(exams()).then();
    }

    private String started() {
        return start().statusCode(202)
                .header("Location", containsString(exams() + "/"))
                .body("status", equalTo("running"))
                .extract()
                .path("id");
    }

    private ValidatableResponse ended(String id) {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        for (; ; ) {
            ValidatableResponse now =
                    ada.request().get(exams() + "/" + id).then().statusCode(200);
            if (!now.extract().path("status").equals("running")) {
                return now;
            }
            assertThat(System.nanoTime()).as("it never ended").isLessThan(until);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private ValidatableResponse profiles() {
        return ada.request().get("/api/v1/providers/" + provider + "/profiles").then();
    }

    @Test
    @DisplayName("a drone is asked, its progress is shown, and the profile is kept and travels with every work order")
    void wholeLife() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = started();
            var asked = drone.expect(DroneCommand.ExamineModel.class);
            assertThat(asked.requestId()).isEqualTo(id);
            assertThat(asked.model()).isEqualTo("small:8b");
            assertThat(asked.provider().apiKey()).isEqualTo("sk-of-the-box");
            profiles().statusCode(200).body("items", empty());

            drone.say(new DroneEvent.ExamProgressed(id, 2, 4, "tool calls: native"));
            drone.say(new DroneEvent.ModelExamined(id, PROFILE, null));

            ended(id)
                    .body("status", equalTo("done"))
                    .body("text", equalTo("tool calls: native"))
                    .body("profile.edits.passed", equalTo(4))
                    .body("profile.contextTokens", equalTo(8192));
            profiles()
                    .body("items", hasSize(1))
                    .body("items[0].model", equalTo("small:8b"))
                    .body("items[0].profile.toolCalling", equalTo("native"));

            String project = made("/api/v1/projects", Map.of("name", "shop"));
            String session =
                    made("/api/v1/sessions", Map.of("projectId", project, "providerId", provider, "model", "small:8b"));
            ada.request()
                    .header("Prefer", "respond-async")
                    .body(Map.of("prompt", "What is this?"))
                    .post("/api/v1/sessions/" + session + "/turns")
                    .then()
                    .statusCode(202);
            assertThat(drone.expect(DroneCommand.OfferWorkOrder.class)
                            .workOrder()
                            .profile())
                    .isEqualTo(PROFILE);
        }
    }

    @Test
    @DisplayName("what is known of a model is forgotten with the address of its provider")
    void otherAddress() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = started();
            drone.expect(DroneCommand.ExamineModel.class);
            drone.say(new DroneEvent.ModelExamined(id, PROFILE, null));
            ended(id).body("status", equalTo("done"));
            String path = "/api/v1/providers/" + provider;

            ada.request().body(Map.of("name", "renamed")).patch(path).then().statusCode(200);
            profiles().body("items", hasSize(1));
            String again = started();
            drone.expect(DroneCommand.ExamineModel.class);
            ada.request()
                    .body(Map.of("baseUrl", "http://127.0.0.1:11435", "apiKey", "another-key"))
                    .patch(path)
                    .then()
                    .statusCode(200);
            profiles().body("items", empty());

            drone.say(new DroneEvent.ModelExamined(again, PROFILE, null));
            ended(again).body("failure.code", equalTo("changed_meanwhile"));
            profiles().body("items", empty());
        }
    }

    @Test
    @DisplayName("without a drone that is free it is refused, and says what to do")
    void noDrone() throws Exception {
        start().statusCode(503).body("code", equalTo("no_drone")).body("detail", containsString("gadget-drone run"));
        try (var drone = new SimulatedDrone(mapper, ada)) {
            started();
            start().statusCode(503).body("code", equalTo("drone_busy"));
            ada.request()
                    .body(Map.of("model", "m", "droneId", "not-there"))
                    .post(exams())
                    .then()
                    .statusCode(503)
                    .body("code", equalTo("no_drone"));
            ada.request()
                    .body(Map.of("model", " "))
                    .post(exams())
                    .then()
                    .statusCode(422)
                    .body("field", equalTo("model"));
        }
    }

    @Test
    @DisplayName("it is stopped on request, and fails when its drone says so or goes away")
    void failures() throws Exception {
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = started();
            drone.expect(DroneCommand.ExamineModel.class);
            ada.request().delete(exams() + "/" + id).then().statusCode(204);
            assertThat(drone.expect(DroneCommand.CancelExam.class).requestId()).isEqualTo(id);
            drone.say(new DroneEvent.ModelExamined(
                    id, null, new Failure(FailureCode.CANCELLED, "The exam was stopped.")));
            ended(id).body("status", equalTo("failed")).body("failure.code", equalTo("cancelled"));

            String lost = started();
            drone.expect(DroneCommand.ExamineModel.class);
            drone.cut();
            ended(lost).body("failure.code", equalTo("drone_lost"));

            drone.comeBack(DroneStatus.AVAILABLE);
            drone.say(new DroneEvent.ModelExamined(lost, PROFILE, null));
            String next = started();
            drone.expect(DroneCommand.ExamineModel.class);
            drone.say(new DroneEvent.ModelExamined("another", PROFILE, null));
            drone.say(new DroneEvent.ModelExamined(next, null, new Failure(FailureCode.STALLED, "Too slow.")));
            ended(next).body("failure.message", startsWith("Too slow"));
            profiles().body("items", empty());
        }
    }

    @Test
    @DisplayName("another person's exam is not found, by no method")
    void others() throws Exception {
        TestPeople.Person other = people.administrator();
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String id = started();
            drone.expect(DroneCommand.ExamineModel.class);

            other.request().get(exams() + "/" + id).then().statusCode(404);
            other.request().delete(exams() + "/" + id).then().statusCode(404);
            other.request().body(Map.of("model", "m")).post(exams()).then().statusCode(404);
            ada.request().get(exams() + "/none").then().statusCode(404);
            ada.request().get(exams() + "/" + id).then().body("status", equalTo("running"));
        }
    }
}
