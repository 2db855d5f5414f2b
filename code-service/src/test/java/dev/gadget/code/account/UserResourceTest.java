package dev.gadget.code.account;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import dev.gadget.code.RefusedException;
import dev.gadget.code.store.AccountArchive;
import dev.gadget.model.FailureCode;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AccountApi.Role;
import dev.gadget.model.api.AccountApi.UpdateUser;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("Accounts, managed by administrators")
class UserResourceTest {
    private static final String USERS = "/api/v1/users";

    @Inject
    TestPeople people;

    @Inject
    Accounts accounts;

    @Inject
    AccountArchive archive;

    @Test
    @DisplayName("an administrator makes an account, whose person signs in")
    void create() {
        TestPeople.Person administrator = people.administrator();
        String email = UUID.randomUUID() + "@example.org";
        String body = administrator
                .request()
                .body(Map.of("email", email, "name", "Ada", "password", "eight-or-more", "role", "member"))
                .post(USERS)
                .then()
                .statusCode(201)
                .body("email", equalTo(email))
                .body("disabled", equalTo(false))
                .extract()
                .asString();
        assertThat(body).doesNotContain("eight-or-more").doesNotContain("$2");
        given().contentType("application/json")
                .body(Map.of("email", email, "password", "eight-or-more"))
                .post("/api/v1/auth/login")
                .then()
                .statusCode(200);
        administrator.request().queryParam("limit", 200).get(USERS).then().body("items.email", hasItem(email));
        administrator
                .request()
                .body(Map.of(
                        "email",
                        email.toUpperCase(java.util.Locale.ROOT),
                        "name",
                        "x",
                        "password",
                        "eight-or-more",
                        "role",
                        "member"))
                .post(USERS)
                .then()
                .statusCode(409)
                .body("field", equalTo("email"));
    }

    @Test
    @DisplayName("who does not administer sees and makes no accounts; there is no sign-up")
    void onlyAdministrators() {
        people.member().request().get(USERS).then().statusCode(403);
        given().contentType("application/json").body("{}").post(USERS).then().statusCode(401);
    }

    @Test
    @DisplayName("who is disabled is out at once, with every token")
    void disable() {
        TestPeople.Person person = people.member();
        person.request().get("/api/v1/me").then().statusCode(200);

        people.administrator()
                .request()
                .body(Map.of("disabled", true))
                .patch(USERS + "/" + person.id())
                .then()
                .statusCode(200)
                .body("disabled", equalTo(true));
        person.request().get("/api/v1/me").then().statusCode(401);
        given().contentType("application/json")
                .body(Map.of("email", person.email(), "password", TestPeople.PASSWORD))
                .post("/api/v1/auth/login")
                .then()
                .statusCode(401)
                .body("code", equalTo("wrong_credentials"));
    }

    @Test
    @DisplayName("a changed role counts from the next request on")
    void role() {
        TestPeople.Person person = people.member();
        person.request().get(USERS).then().statusCode(403);
        people.administrator().request().body(Map.of("role", "admin")).patch(USERS + "/" + person.id());
        person.request().get(USERS).then().statusCode(200);
    }

    @Test
    @DisplayName("the last administrator stays one")
    void last() {
        List<Account> others = everybody().stream()
                .filter(account ->
                        account.role() == Role.ADMIN && !account.email().equals(TestPeople.ADMIN_EMAIL))
                .toList();
        others.forEach(one -> accounts.update(one.id(), new UpdateUser(null, null, Role.MEMBER, null)));
        UserId last = archive.byEmail(TestPeople.ADMIN_EMAIL).orElseThrow().id();

        for (UpdateUser update :
                List.of(new UpdateUser(null, null, Role.MEMBER, null), new UpdateUser(null, null, null, true))) {
            Assertions.assertThatThrownBy(() -> accounts.update(last, update))
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            refused -> assertThat(refused.code()).isEqualTo(FailureCode.CONFLICT));
        }
    }

    private List<Account> everybody() {
        return archive.list(Optional.empty(), 1000).items();
    }

    @Test
    @DisplayName("bad input is refused with the field's name")
    void bad() {
        TestPeople.Person administrator = people.administrator();
        Map<String, String> wrong = Map.of(
                "email", "{\"email\":\"nobody\",\"name\":\"x\",\"password\":\"eight-or-more\",\"role\":\"member\"}",
                "password", "{\"email\":\"a@b\",\"name\":\"x\",\"password\":\"short\",\"role\":\"member\"}",
                "role", "{\"email\":\"a@b\",\"name\":\"x\",\"password\":\"eight-or-more\",\"role\":\"king\"}",
                "name", "{\"email\":\"a@b\",\"password\":\"eight-or-more\",\"role\":\"member\"}");
        wrong.forEach((field, body) -> {
            JsonPath problem = administrator
                    .request()
                    .body(body)
                    .post(USERS)
                    .then()
                    .statusCode(422)
                    .extract()
                    .jsonPath();
            assertThat(problem.getString("field")).isEqualTo(field);
        });
        administrator.request().body("{}").patch(USERS + "/nobody").then().statusCode(404);
        administrator.request().body("{}").patch(USERS + "/a%20b").then().statusCode(404);
    }
}
