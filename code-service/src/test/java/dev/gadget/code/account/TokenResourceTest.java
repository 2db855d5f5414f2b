package dev.gadget.code.account;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("Personal access tokens")
class TokenResourceTest {
    private static final String TOKENS = "/api/v1/tokens";

    @Inject
    TestPeople people;

    @Test
    @DisplayName("one is shown once, opens the API, is listed without itself, and opens nothing once it is revoked")
    void life() {
        TestPeople.Person person = people.member();
        JsonPath made = person.request()
                .body(Map.of("name", "ci", "expiresInDays", 7))
                .post(TOKENS)
                .then()
                .statusCode(201)
                .extract()
                .jsonPath();
        String token = made.getString("token");
        String id = made.getString("id");
        assertThat(token).startsWith("gadget_t_").hasSizeGreaterThan(50);
        assertThat(Instant.parse(made.getString("expiresAt")))
                .isAfter(Instant.now().plusSeconds(6 * 86_400));

        given().auth()
                .oauth2(token)
                .get("/api/v1/me")
                .then()
                .statusCode(200)
                .body("id", equalTo(person.id().value()));
        String list = person.request()
                .get(TOKENS)
                .then()
                .body("items.id", hasItem(id))
                .extract()
                .asString();
        assertThat(list).doesNotContain(token).doesNotContain(Secrets.hash(token));

        person.request().delete(TOKENS + "/" + id).then().statusCode(204);
        given().auth().oauth2(token).get("/api/v1/me").then().statusCode(401);
        person.request().get(TOKENS).then().body("items.id", not(hasItem(id)));
    }

    @Test
    @DisplayName("another person's token is not found")
    void others() {
        TestPeople.Person owner = people.member();
        String id = owner.request()
                .body(Map.of("name", "mine"))
                .post(TOKENS)
                .jsonPath()
                .getString("id");

        people.administrator().request().delete(TOKENS + "/" + id).then().statusCode(404);
        owner.request().get(TOKENS).then().body("items.id", hasItem(id));
    }

    @Test
    @DisplayName("a wrong name or lifetime is refused with the field's name")
    void bad() {
        TestPeople.Person person = people.member();
        person.request()
                .body(Map.of("name", " "))
                .post(TOKENS)
                .then()
                .statusCode(422)
                .body("field", equalTo("name"));
        person.request()
                .body(Map.of("name", "x", "expiresInDays", 0))
                .post(TOKENS)
                .then()
                .statusCode(422)
                .body("field", equalTo("expiresInDays"));
    }
}
