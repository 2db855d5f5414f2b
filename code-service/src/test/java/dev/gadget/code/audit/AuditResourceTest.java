package dev.gadget.code.audit;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.drone.SimulatedDrone;
import dev.gadget.code.session.TestSessions;
import dev.gadget.model.SessionId;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import jakarta.inject.Inject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("A40: who did what, for administrators")
class AuditResourceTest {
    private static final String AUDIT = "/api/v1/admin/audit";
    private static final String CANARY = "canary-key-31415";

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    private TestPeople.Person administrator;
    private TestPeople.Person ada;

    @BeforeEach
    void somebody() {
        administrator = people.administrator();
        ada = people.member();
    }

    private JsonPath of(TestPeople.Person person) {
        return administrator
                .request()
                .queryParam("userId", person.id().value())
                .get(AUDIT)
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
    }

    private static int login(String email, String password) {
        return given().contentType("application/json")
                .body(Map.of("email", email, "password", password))
                .post("/api/v1/auth/login")
                .statusCode();
    }

    @Test
    @DisplayName("who does not administer does not see it, and nobody writes it")
    void onlyAdministrators() {
        ada.request().get(AUDIT).then().statusCode(403);
        given().get(AUDIT).then().statusCode(401);
        administrator.request().body("{}").post(AUDIT).then().statusCode(405);
        administrator.request().delete(AUDIT).then().statusCode(405);
    }

    @Test
    @DisplayName("sign-ins and refused ones stand there, with the address and without what was typed")
    void signIns() {
        assertThat(login(ada.email(), "not the password")).isEqualTo(401);
        assertThat(login(ada.email(), TestPeople.PASSWORD)).isEqualTo(200);

        JsonPath found = of(ada);
        assertThat(found.getList("items.kind")).isEqualTo(List.of("signed_in", "sign_in_refused"));
        assertThat(found.getString("items[1].address")).isNotEmpty();
        assertThat(found.prettify()).doesNotContain("not the password").doesNotContain(TestPeople.PASSWORD);
    }

    @Test
    @DisplayName("accounts, tokens and providers: made, changed, taken away, and never a secret")
    void things() {
        String token = ada.request()
                .body(Map.of("name", "for the build"))
                .post("/api/v1/tokens")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
        ada.request().delete("/api/v1/tokens/" + token).then().statusCode(204);
        String provider = ada.request()
                .body(Map.of("name", "mine", "type", "openai", "baseUrl", "http://127.0.0.1:9/v1", "apiKey", CANARY))
                .post("/api/v1/providers")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
        ada.request()
                .body(Map.of("apiKey", CANARY + "-2"))
                .patch("/api/v1/providers/" + provider)
                .then()
                .statusCode(200);
        ada.request().delete("/api/v1/providers/" + provider).then().statusCode(204);
        ada.request().body("{}").post("/api/v1/drones/enrolments").then().statusCode(201);
        administrator
                .request()
                .body(Map.of("role", "admin", "password", "another-password"))
                .patch("/api/v1/users/" + ada.id())
                .then()
                .statusCode(200);

        JsonPath hers = of(ada);
        assertThat(hers.getList("items.kind"))
                .isEqualTo(List.of(
                        "enrolment_code_made",
                        "provider_deleted",
                        "provider_changed",
                        "provider_created",
                        "token_revoked",
                        "token_created"));
        assertThat(hers.getList("items.subject"))
                .isEqualTo(Arrays.asList(null, provider, provider, provider, token, token));
        assertThat(hers.getString("items[2].detail")).isEqualTo("mine at http://127.0.0.1:9/v1, another key");
        assertThat(hers.prettify()).doesNotContain(CANARY);

        JsonPath by = of(administrator);
        assertThat(by.getString("items[0].kind")).isEqualTo("user_changed");
        assertThat(by.getString("items[0].subject")).isEqualTo(ada.id().value());
        assertThat(by.getString("items[0].detail")).isEqualTo("new password, role admin");
    }

    @Test
    @DisplayName("what an entry is about has its name for as long as that is known; the id stays")
    void names() {
        String provider = TestSessions.provider(ada);
        String session = ada.request()
                .body(Map.of("projectId", TestSessions.project(ada), "providerId", provider, "name", "Mend the till"))
                .post("/api/v1/sessions")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
        ada.request()
                .body(Map.of("approvalPolicy", "ask"))
                .patch("/api/v1/sessions/" + session)
                .then()
                .statusCode(200);

        JsonPath known = of(ada);
        assertThat(known.getString("items[0].kind")).isEqualTo("policy_changed");
        assertThat(known.getString("items[0].subject")).isEqualTo(session);
        assertThat(known.<String, String>getMap("items[0].names"))
                .isEqualTo(Map.of(session, "Mend the till", ada.id().value(), ada.email()));
        assertThat(known.<String, String>getMap("items.find { it.kind == 'provider_created' }.names"))
                .containsKey(provider);

        ada.request().delete("/api/v1/sessions/" + session).then().statusCode(204);
        assertThat(of(ada).<String, String>getMap("items[0].names"))
                .isEqualTo(Map.of(ada.id().value(), ada.email()));
    }

    @Test
    @DisplayName("who approved what where, and who loosened what is asked for")
    void decisions() throws Exception {
        SessionId session = TestSessions.session(ada);
        ada.request()
                .body(Map.of("approvalPolicy", "auto"))
                .patch("/api/v1/sessions/" + session)
                .then()
                .statusCode(200);
        try (var drone = new SimulatedDrone(mapper, ada)) {
            String turn = ada.request()
                    .body(Map.of("prompt", "Go."))
                    .header("Prefer", "respond-async")
                    .post("/api/v1/sessions/" + session + "/turns")
                    .then()
                    .statusCode(202)
                    .extract()
                    .path("turnId");
            drone.take();
            drone.report(
                    new WorkEntry.ToolCalled(1, "c1", "run_command", Map.of("command", "echo " + CANARY)),
                    new WorkEntry.ToolAwaitsApproval(2, "c1", "It runs a command.", null, "abc123"));
            String status;
            do {
                status = ada.request().get("/api/v1/turns/" + turn).path("status");
            } while (!status.equals("awaiting_approval"));
            ada.request()
                    .body(Map.of("decision", "approve", "shown", "abc123"))
                    .post("/api/v1/turns/" + turn + "/approvals/c1")
                    .then()
                    .statusCode(202);
            drone.report(new WorkEntry.WorkOrderComplete(3, TurnStatus.FINISHED, null, Usage.NONE));

            JsonPath hers = of(ada);
            assertThat(hers.getString("items[0].kind")).isEqualTo("approval_decided");
            assertThat(hers.getString("items[0].subject")).isEqualTo(turn);
            assertThat(hers.getString("items[0].detail"))
                    .isEqualTo("approve run_command, call c1, drone " + drone.id() + ", shown abc123");
            assertThat(hers.getString("items.find { it.kind == 'policy_changed' }.detail"))
                    .isEqualTo("approvals auto, rules 0");
            assertThat(hers.prettify()).doesNotContain(CANARY);
        }
    }

    @Test
    @DisplayName("it is read by kind and by person, a page at a time, and what is no kind is refused by name")
    void pages() {
        for (int count = 0; count < 3; count++) {
            ada.request()
                    .body(Map.of("name", "t" + count))
                    .post("/api/v1/tokens")
                    .then()
                    .statusCode(201);
        }
        ada.request().body("{}").post("/api/v1/drones/enrolments").then().statusCode(201);
        var request = Map.of("userId", ada.id().value(), "kind", "token_created", "limit", "2");
        JsonPath first = administrator.request().queryParams(request).get(AUDIT).jsonPath();
        assertThat(first.getList("items.detail")).isEqualTo(List.of("t2", "t1"));
        JsonPath rest = administrator
                .request()
                .queryParams(request)
                .queryParam("cursor", first.getString("next"))
                .get(AUDIT)
                .jsonPath();
        assertThat(rest.getList("items.detail")).isEqualTo(List.of("t0"));
        assertThat(rest.getString("next")).isNull();
        assertThat(administrator
                        .request()
                        .queryParam("kind", "token_created")
                        .get(AUDIT)
                        .jsonPath()
                        .getList("items.kind", String.class))
                .isNotEmpty()
                .containsOnly("token_created");

        administrator
                .request()
                .queryParam("kind", "tea")
                .get(AUDIT)
                .then()
                .statusCode(422)
                .body("field", equalTo("kind"))
                .body("detail", containsString("signed_in"));
    }
}
