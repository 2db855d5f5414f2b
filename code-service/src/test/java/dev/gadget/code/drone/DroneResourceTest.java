package dev.gadget.code.drone;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import dev.gadget.code.account.TestPeople;
import dev.gadget.code.account.TokenRevoked;
import dev.gadget.model.WorkspaceId;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("Drones and their enrolment")
class DroneResourceTest {
    private static final String DRONES = "/api/v1/drones";

    @Inject
    TestPeople people;

    @Inject
    Revocations revocations;

    @Inject
    DroneEnrolment enrolment;

    private TestPeople.Person person;

    /** Hears which tokens stopped counting. */
    @Singleton
    static class Revocations {
        final List<String> ids = new CopyOnWriteArrayList<>();

        void on(@Observes TokenRevoked revoked) {
            ids.add(revoked.tokenId());
        }
    }

    @BeforeEach
    void somebody() {
        person = people.member();
    }

    private String code() {
        JsonPath made = person.request()
                .post(DRONES + "/enrolments")
                .then()
                .statusCode(201)
                .extract()
                .jsonPath();
        assertThat(Instant.parse(made.getString("expiresAt")))
                .isBetween(Instant.now().plusSeconds(14 * 60), Instant.now().plusSeconds(15 * 60));
        return made.getString("code");
    }

    private static Response enrol(WorkspaceId workspace, Map<String, String> proof) {
        Map<String, String> body = new HashMap<>(proof);
        body.put("name", "laptop");
        body.put("workspaceId", workspace.value());
        body.put("hostname", "host");
        body.put("workspaceDir", "/home/ada/shop");
        return given().contentType("application/json").body(body).post(DRONES + "/enrol");
    }

    @Test
    @DisplayName("a code enrols one drone, however it is typed, and no second one")
    void byCode() {
        String code = code();
        assertThat(code).matches("[A-Z2-9]{4}(-[A-Z2-9]{4}){3}");
        JsonPath made = enrol(
                        WorkspaceId.random(),
                        Map.of("code", code.toLowerCase(Locale.ROOT).replace('-', ' ')))
                .then()
                .statusCode(201)
                .extract()
                .jsonPath();
        assertThat(made.getString("credential")).startsWith("gadget_d_");

        person.request()
                .get(DRONES)
                .then()
                .body("items.id", contains(made.getString("droneId")))
                .body("items[0].status", equalTo("offline"))
                .body("items[0].name", equalTo("laptop"))
                .body("items[0].workspaceDir", equalTo("/home/ada/shop"));
        enrol(WorkspaceId.random(), Map.of("code", code))
                .then()
                .statusCode(422)
                .contentType("application/problem+json")
                .body("code", equalTo("code_used_or_expired"));
    }

    @Test
    @DisplayName("email and password enrol as well; a wrong password does not")
    void byPassword() {
        enrol(WorkspaceId.random(), Map.of("email", person.email(), "password", TestPeople.PASSWORD))
                .then()
                .statusCode(201);
        enrol(WorkspaceId.random(), Map.of("email", person.email(), "password", "wrong-password"))
                .then()
                .statusCode(401)
                .body("code", equalTo("wrong_credentials"));
        person.request().get(DRONES).then().body("items", hasSize(1));
    }

    @Test
    @DisplayName("a wrong code, an expired code and no proof at all are refused")
    void refused() {
        enrol(WorkspaceId.random(), Map.of("code", "AAAA-BBBB-CCCC-DDDD"))
                .then()
                .statusCode(422);
        String expired = enrolment.newCode(person.id(), Duration.ZERO).code();
        enrol(WorkspaceId.random(), Map.of("code", expired))
                .then()
                .statusCode(422)
                .body("code", equalTo("code_used_or_expired"));
        enrol(WorkspaceId.random(), Map.of()).then().statusCode(422).body("field", equalTo("code"));
        given().contentType("application/json")
                .body(Map.of("code", "x", "name", "n", "workspaceId", "a b", "hostname", "h", "workspaceDir", "/"))
                .post(DRONES + "/enrol")
                .then()
                .statusCode(422)
                .body("field", equalTo("workspaceId"));
        person.request().get(DRONES).then().body("items", empty());
    }

    @Test
    @DisplayName("enrolling a workspace again keeps the drone and takes its old credential back")
    void again() {
        WorkspaceId workspace = WorkspaceId.random();
        JsonPath first = enrol(workspace, Map.of("code", code())).jsonPath();
        JsonPath second = enrol(workspace, Map.of("code", code())).jsonPath();

        assertThat(second.getString("droneId")).isEqualTo(first.getString("droneId"));
        person.request().get(DRONES).then().body("items", hasSize(1));
        assertOpens(first.getString("credential"), 401);
        assertOpens(second.getString("credential"), 403);
    }

    /** A drone's credential is known (403) or unknown (401) to the doors of persons. */
    private static void assertOpens(String credential, int status) {
        given().auth().oauth2(credential).get(DRONES).then().statusCode(status);
    }

    @Test
    @DisplayName("revoking a drone ends its credential at once and forgets it; another person cannot")
    void revoke() {
        JsonPath made = enrol(WorkspaceId.random(), Map.of("code", code())).jsonPath();
        String path = DRONES + "/" + made.getString("droneId");
        assertOpens(made.getString("credential"), 403);

        people.administrator().request().delete(path).then().statusCode(404);
        int before = revocations.ids.size();
        person.request().delete(path).then().statusCode(204);
        assertThat(revocations.ids).hasSize(before + 1);
        assertOpens(made.getString("credential"), 401);
        person.request().get(DRONES).then().body("items", empty());
        person.request().delete(path).then().statusCode(404);
    }
}
