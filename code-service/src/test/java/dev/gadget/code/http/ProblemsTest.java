package dev.gadget.code.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.gadget.code.account.TestPeople;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@DisplayName("Problem documents")
class ProblemsTest {
    @Inject
    TestPeople people;

    private TestPeople.Person person;

    @BeforeEach
    void somebody() {
        person = people.member();
    }

    private static void isProblem(ValidatableResponse answer, int status, String code) {
        answer.statusCode(status)
                .contentType("application/problem+json")
                .body("status", equalTo(status))
                .body("code", equalTo(code))
                .body("type", equalTo("about:blank"))
                .body("detail", not(nullValue()))
                .body("detail", not(containsString("dev.gadget")));
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("a body that is wrong is told with its field")
    @CsvSource(delimiter = '|', textBlock = """
            {                                      | 400 | malformed_request |
            {"name":"x"} {"name":"y"}              | 400 | malformed_request |
            [1]                                    | 400 | malformed_request |
            "x"                                    | 400 | malformed_request |
            null                                   | 400 | malformed_request |
            ''                                     | 400 | malformed_request |
            {"name":"x","name":"y"}                | 400 | malformed_request |
            {"name":"x","colour":"red"}            | 400 | unknown_field     | colour
            {}                                     | 422 | invalid_field     | name
            {"name":null}                          | 422 | invalid_field     | name
            {"name":7}                             | 422 | invalid_field     | name
            {"name":true}                          | 422 | invalid_field     | name
            {"name":["x"]}                         | 422 | invalid_field     | name
            {"name":"x","expiresInDays":"7"}       | 422 | invalid_field     | expiresInDays
            {"name":"x","expiresInDays":1.5}       | 422 | invalid_field     | expiresInDays
            {"name":"x","expiresInDays":true}      | 422 | invalid_field     | expiresInDays
            {"name":"x","expiresInDays":99999999999} | 422 | invalid_field   | expiresInDays
            """)
    void body(String body, int status, String code, String field) {
        ValidatableResponse answer =
                person.request().body(body).post("/api/v1/tokens").then();
        isProblem(answer, status, code);
        answer.body("field", equalTo(field));
    }

    @Test
    @DisplayName("no body, the wrong media type, the wrong method and an unknown address")
    void edges() {
        isProblem(person.request().post("/api/v1/tokens").then(), 400, "malformed_request");
        isProblem(
                given().auth()
                        .oauth2(person.token())
                        .contentType("text/plain")
                        .body("{}")
                        .post("/api/v1/tokens")
                        .then(),
                415,
                "unsupported_media_type");
        isProblem(person.request().put("/api/v1/tokens").then(), 405, "method_not_allowed");
        isProblem(person.request().accept("text/csv").get("/api/v1/tokens").then(), 406, "not_acceptable");
        isProblem(person.request().get("/api/v1/nothing").then(), 404, "not_found");
        isProblem(given().get("/api/nothing").then(), 404, "not_found");
        isProblem(person.request().get("/api/v1/users").then(), 403, "forbidden");
    }

    @Test
    @DisplayName("a body over 2 MB is refused, whether its length is announced or not")
    void tooLarge() {
        isProblem(
                person.request()
                        .body("{\"name\":\"" + "x".repeat(2_200_000) + "\"}")
                        .post("/api/v1/tokens")
                        .then(),
                413,
                "payload_too_large");
        String chunk = "x".repeat(100_000);
        isProblem(
                person.request()
                        .body(new SequenceInputStream(Collections.enumeration(Collections.nCopies(25, chunk).stream()
                                .map(text -> new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)))
                                .toList())))
                        .post("/api/v1/tokens")
                        .then(),
                413,
                "payload_too_large");
    }

    @Test
    @DisplayName("a limit that is no number from 1 to 200")
    void limit() {
        TestPeople.Person administrator = people.administrator();
        for (String limit : new String[] {"0", "201", "x", "-1"}) {
            ValidatableResponse answer = administrator
                    .request()
                    .queryParam("limit", limit)
                    .get("/api/v1/users")
                    .then();
            isProblem(answer, 422, "invalid_field");
            answer.body("field", equalTo("limit"));
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @DisplayName("every endpoint that wants a body says so when none comes, or one that is null")
    @CsvSource({
        "POST, /api/v1/auth/login",
        "POST, /api/v1/drones/enrol",
        "POST, /api/v1/providers",
        "POST, /api/v1/projects",
        "PATCH, /api/v1/projects/none",
        "PATCH, /api/v1/providers/none",
        "POST, /api/v1/sessions",
        "PATCH, /api/v1/sessions/none",
        "POST, /api/v1/sessions/none/turns",
        "POST, /api/v1/turns/none/approvals/none",
    })
    void noBody(String method, String path) {
        isProblem(person.request().request(method, path).then(), 400, "malformed_request");
        isProblem(person.request().body("null").request(method, path).then(), 400, "malformed_request");
    }

    @Test
    @DisplayName("who asks for a stream gets a problem document as well when there is nothing to stream")
    void stream() {
        isProblem(
                person.request()
                        .accept("text/event-stream")
                        .body("{\"prompt\":\"x\"}")
                        .post("/api/v1/sessions/none/turns")
                        .then(),
                404,
                "not_found");
        isProblem(
                person.request()
                        .accept("text/event-stream")
                        .get("/api/v1/turns/none/events")
                        .then(),
                404,
                "not_found");
    }
}
