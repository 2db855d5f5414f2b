package dev.gadget.code.project;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.gadget.code.account.TestPeople;
import dev.gadget.code.session.TestSessions;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@DisplayName("Projects")
class ProjectResourceTest {
    private static final String PROJECTS = "/api/v1/projects";

    @Inject
    TestPeople people;

    private TestPeople.Person person;

    @BeforeEach
    void somebody() {
        person = people.member();
    }

    private JsonPath create(Map<String, String> body) {
        return person.request()
                .body(body)
                .post(PROJECTS)
                .then()
                .statusCode(201)
                .header("Location", startsWith(PROJECTS + "/"))
                .extract()
                .jsonPath();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "Shop,shop",
        "Über Größe 2,uber-gro-e-2",
        "'  -- a  b -- ',a-b",
        "日本,project",
        "../../etc,etc",
    })
    @DisplayName("the slug is made from the name")
    void slug(String name, String slug) {
        org.assertj.core.api.Assertions.assertThat(create(Map.of("name", name)).getString("slug"))
                .isEqualTo(slug);
    }

    @Test
    @DisplayName("a slug that is taken gets a number; one that was asked for is refused")
    void taken() {
        create(Map.of("name", "Shop"));
        create(Map.of("name", "shop!"));
        person.request().get(PROJECTS).then().body("items.slug", contains("shop-2", "shop"));
        person.request()
                .body(Map.of("name", "x", "slug", "shop"))
                .post(PROJECTS)
                .then()
                .statusCode(409)
                .body("field", equalTo("slug"));
        people.member()
                .request()
                .body(Map.of("name", "x", "slug", "shop"))
                .post(PROJECTS)
                .then()
                .statusCode(201);
    }

    @Test
    @DisplayName("it is read, changed and deleted by its owner only; for others it is not found")
    void life() {
        String id = create(Map.of("name", "Shop", "gitUrl", "https://git.example.org/shop.git"))
                .getString("id");
        String path = PROJECTS + "/" + id;
        person.request()
                .body(Map.of("name", "Store", "gitUrl", ""))
                .patch(path)
                .then()
                .statusCode(200)
                .body("name", equalTo("Store"))
                .body("slug", equalTo("shop"))
                .body("gitUrl", nullValue());

        TestPeople.Person other = people.administrator();
        other.request().get(path).then().statusCode(404);
        other.request().body("{}").patch(path).then().statusCode(404);
        other.request().delete(path).then().statusCode(404);
        other.request().get(PROJECTS).then().body("items", empty());
        person.request().get(path).then().body("name", equalTo("Store"));
        person.request().delete(path).then().statusCode(204);
        person.request().get(path).then().statusCode(404);
    }

    @Test
    @DisplayName(
            "F33: one that sessions work on is not deleted, and it is said how many they are; of others' sessions nobody hears")
    void deletedAfterItsSessions() {
        String id = create(Map.of("name", "Shop")).getString("id");
        String session = session(id);
        String archived = session(id);
        person.request()
                .body(Map.of("archived", true))
                .patch("/api/v1/sessions/" + archived)
                .then()
                .statusCode(200);
        TestSessions.session(person);
        person.request()
                .delete(PROJECTS + "/" + id)
                .then()
                .statusCode(409)
                .body("code", equalTo("conflict"))
                .body(
                        "detail",
                        equalTo("2 sessions work on this project, archived ones counted."
                                + " Delete them first, then the project."));
        people.member().request().delete(PROJECTS + "/" + id).then().statusCode(404);
        person.request().get(PROJECTS + "/" + id).then().statusCode(200);

        person.request().delete("/api/v1/sessions/" + archived).then().statusCode(204);
        person.request()
                .delete(PROJECTS + "/" + id)
                .then()
                .statusCode(409)
                .body("detail", startsWith("1 session works on this project"));
        person.request().delete("/api/v1/sessions/" + session).then().statusCode(204);
        person.request().delete(PROJECTS + "/" + id).then().statusCode(204);
    }

    private String session(String project) {
        return person.request()
                .body(Map.of("projectId", project, "providerId", TestSessions.provider(person)))
                .post("/api/v1/sessions")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
    }

    @Test
    @DisplayName("a list comes a page at a time, newest first")
    void pages() {
        for (String name : new String[] {"a", "b", "c"}) {
            create(Map.of("name", name));
        }
        JsonPath first = person.request().queryParam("limit", 2).get(PROJECTS).jsonPath();
        org.assertj.core.api.Assertions.assertThat(first.getList("items.name")).containsExactly("c", "b");
        person.request()
                .queryParam("limit", 2)
                .queryParam("cursor", first.getString("next"))
                .get(PROJECTS)
                .then()
                .body("items.name", contains("a"))
                .body("next", nullValue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://user:token@git.example.org/x.git",
                "https://token@git.example.org/x.git",
                "--upload-pack=touch /tmp/x",
                "-x",
                "ext::sh -c id",
                "file:///etc",
                "http://git.example.org/x.git",
                "/srv/git/x",
                "ssh://-oProxyCommand=id/x",
                "https://git.example.org",
                "git@-host:x",
                "git@host:-x",
                "https://git.example.org/x.git?y"
            })
    @DisplayName("a git URL that holds credentials, is an option or runs something is refused")
    void badGitUrl(String url) {
        person.request()
                .body(Map.of("name", "x", "gitUrl", url))
                .post(PROJECTS)
                .then()
                .statusCode(422)
                .body("field", equalTo("gitUrl"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://git.example.org/a/b.git",
                "ssh://git@git.example.org:2222/a/b",
                "git@git.example.org:a/b.git"
            })
    @DisplayName("https and ssh are taken, also in the short form of ssh")
    void goodGitUrl(String url) {
        org.assertj.core.api.Assertions.assertThat(
                        create(Map.of("name", "x", "gitUrl", url)).getString("gitUrl"))
                .isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "a--b", "-a", "a/b", "..", "a.b"})
    @DisplayName("a slug of another shape is refused")
    void badSlug(String slug) {
        person.request()
                .body(Map.of("name", "x", "slug", slug))
                .post(PROJECTS)
                .then()
                .statusCode(422)
                .body("field", equalTo("slug"));
    }
}
