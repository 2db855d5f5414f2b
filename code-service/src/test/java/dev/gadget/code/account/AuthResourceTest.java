package dev.gadget.code.account;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;

import dev.gadget.model.DroneId;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("Signing in and out")
class AuthResourceTest {
    @Inject
    TestPeople people;

    private static Response login(String email, String password) {
        return given().contentType("application/json")
                .body(Map.of("email", email, "password", password))
                .post("/api/v1/auth/login");
    }

    @Test
    @DisplayName(
            "the first start makes the administrator of the settings, who signs in with a cookie that no script and no other site uses")
    void administrator() {
        Response answer = login(TestPeople.ADMIN_EMAIL.toUpperCase(java.util.Locale.ROOT), TestPeople.ADMIN_PASSWORD);

        answer.then()
                .statusCode(200)
                .body("email", equalTo(TestPeople.ADMIN_EMAIL))
                .body("role", equalTo("admin"));
        assertThat(answer.body().asString()).doesNotContain("assword");
        assertThat(answer.header("Set-Cookie"))
                .startsWith("gadget_session=")
                .containsIgnoringCase("; HttpOnly")
                .contains("; SameSite=Strict", "; Path=/", "; Max-Age=");
        String cookie = answer.cookie("gadget_session");
        given().cookie("gadget_session", cookie)
                .get("/api/v1/me")
                .then()
                .statusCode(200)
                .body("email", equalTo(TestPeople.ADMIN_EMAIL));
    }

    @Test
    @DisplayName("behind TLS the cookie is __Host- and Secure, and only that one counts")
    void underTls() {
        TestPeople.Person person = people.member();
        Response answer = given().contentType("application/json")
                .header("X-Forwarded-Proto", "https")
                .body(Map.of("email", person.email(), "password", TestPeople.PASSWORD))
                .post("/api/v1/auth/login");
        assertThat(answer.header("Set-Cookie"))
                .startsWith("__Host-gadget_session=")
                .contains("Secure");

        String token = answer.cookie("__Host-gadget_session");
        given().header("X-Forwarded-Proto", "https")
                .cookie("gadget_session", token)
                .get("/api/v1/me")
                .then()
                .statusCode(401);
    }

    @Test
    @DisplayName("a wrong password and an unknown email get the same 401 in the same words")
    void wrong() {
        TestPeople.Person person = people.member();
        Response wrong = login(person.email(), "not-the-password");
        Response unknown = login(UUID.randomUUID() + "@example.org", "not-the-password");

        wrong.then().statusCode(401).contentType("application/problem+json").body("code", equalTo("wrong_credentials"));
        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(unknown.body().asString()).isEqualTo(wrong.body().asString());
        assertThat(unknown.headers().getValue("WWW-Authenticate"))
                .isEqualTo(wrong.headers().getValue("WWW-Authenticate"));
    }

    @Test
    @DisplayName("whoever signs in with a password while it is changed is not in afterwards")
    void changedMeanwhile() throws Exception {
        TestPeople.Person administrator = people.administrator();
        for (int round = 0; round < 8; round++) {
            TestPeople.Person person = people.member();
            // By this it is hashed as slowly as always, so that both take the same time.
            change(administrator, person, "the-first-password");
            try (var both = Executors.newFixedThreadPool(2)) {
                Future<Response> login = both.submit(() -> login(person.email(), "the-first-password"));
                both.submit(() -> change(administrator, person, "the-second-password"))
                        .get();
                String cookie = login.get().cookie("gadget_session");
                if (cookie != null) {
                    given().cookie("gadget_session", cookie)
                            .get("/api/v1/me")
                            .then()
                            .statusCode(401);
                }
            }
            login(person.email(), "the-second-password").then().statusCode(200);
        }
    }

    private static void change(TestPeople.Person administrator, TestPeople.Person person, String password) {
        administrator
                .request()
                .body(Map.of("password", password))
                .patch("/api/v1/users/" + person.id())
                .then()
                .statusCode(200);
    }

    @Test
    @DisplayName("signing out ends the session at once")
    void logout() {
        TestPeople.Person person = people.member();
        String cookie = login(person.email(), TestPeople.PASSWORD).cookie("gadget_session");
        given().cookie("gadget_session", cookie).get("/api/v1/me").then().statusCode(200);

        given().cookie("gadget_session", cookie)
                .post("/api/v1/auth/logout")
                .then()
                .statusCode(204)
                .header("Set-Cookie", containsString("Max-Age=0"));
        given().cookie("gadget_session", cookie).get("/api/v1/me").then().statusCode(401);
    }

    @Test
    @DisplayName("after too many failures for one email even the right password waits, and is told how long")
    void tooMany() {
        TestPeople.Person person = people.member();
        Response answer = login(person.email(), "wrong-0");
        for (int i = 1; i < 30 && answer.statusCode() == 401; i++) {
            answer = login(person.email(), "wrong-" + i);
        }
        answer.then().statusCode(429).body("code", equalTo("too_many_attempts"));
        assertThat(Integer.parseInt(answer.header("Retry-After"))).isPositive();
        login(person.email(), TestPeople.PASSWORD).then().statusCode(429);
    }

    @Test
    @DisplayName("who shows nothing, garbage, an expired token or a drone's credential is not let in")
    void notIn() {
        TestPeople.Person person = people.member();
        given().get("/api/v1/me")
                .then()
                .statusCode(401)
                .contentType("application/problem+json")
                .header("WWW-Authenticate", equalTo("Bearer"))
                .body("code", equalTo("unauthenticated"));
        given().auth().oauth2("garbage").get("/api/v1/me").then().statusCode(401);
        given().auth()
                .oauth2(people.token(person.id(), Duration.ZERO))
                .get("/api/v1/me")
                .then()
                .statusCode(401);
        given().auth()
                .oauth2(people.credential(person.id(), DroneId.random()))
                .get("/api/v1/me")
                .then()
                .statusCode(403)
                .contentType("application/problem+json")
                .body("code", equalTo("forbidden"));
        given().cookie("gadget_session", person.token())
                .get("/api/v1/me")
                .then()
                .statusCode(401)
                .body("detail", not(containsString(person.token())));
    }
}
