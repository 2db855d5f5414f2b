package dev.gadget.code.account;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.LogLines;
import dev.gadget.code.audit.AuditLog;
import dev.gadget.code.config.TestSettings;
import dev.gadget.code.store.AccountArchive;
import dev.gadget.model.api.AccountApi.Role;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("The administrator of the settings")
class FirstAdministratorTest {
    private static final Pattern PRINTED = Pattern.compile("with the password (\\S+) \\(shown only now\\)");

    @Inject
    AccountArchive archive;

    @Inject
    Accounts accounts;

    @Inject
    AuditLog audit;

    @Inject
    TestPeople people;

    private List<String> start(Map<String, String> settings) {
        LogLines log = LogLines.of(FirstAdministrator.class.getName());
        try {
            new FirstAdministrator(archive, accounts, audit, TestSettings.of(Path.of("unused"), settings))
                    .onStart(new StartupEvent());
            return log.lines();
        } finally {
            log.close();
        }
    }

    private static int login(String email, String password) {
        return given().contentType("application/json")
                .body(Map.of("email", email, "password", password))
                .post("/api/v1/auth/login")
                .statusCode();
    }

    @Test
    @DisplayName(
            "is made once: a start that finds accounts makes none, changes none, and says so of a password that it is given")
    void once() {
        String email = UUID.randomUUID() + "@example.org";
        assertThat(start(Map.of("gadget.admin.email", email, "gadget.admin.password", "another-password")))
                .singleElement()
                .asString()
                .contains("gadget.admin.password changes nothing", "gadget.admin.reset")
                .doesNotContain("another-password");
        assertThat(start(Map.of("gadget.admin.email", email))).isEmpty();
        assertThat(archive.byEmail(email)).isEmpty();
    }

    @Test
    @DisplayName("gets back in by a reset, which ends every sign-in; a random password is printed once and works")
    void reset() {
        TestPeople.Person person = people.member();
        Map<String, String> settings = Map.of("gadget.admin.email", person.email(), "gadget.admin.reset", "true");

        Matcher printed = PRINTED.matcher(String.join("\n", start(settings)));

        assertThat(printed.find()).isTrue();
        assertThat(printed.group(1)).hasSizeGreaterThan(20);
        assertThat(login(person.email(), printed.group(1))).isEqualTo(200);
        assertThat(login(person.email(), TestPeople.PASSWORD)).isEqualTo(401);
        person.request().get("/api/v1/me").then().statusCode(401);
        assertThat(archive.find(person.id()).orElseThrow().role()).isEqualTo(Role.ADMIN);
    }

    @Test
    @DisplayName("a password of the settings is never printed")
    void secret() {
        TestPeople.Person person = people.member();
        List<String> lines = start(Map.of(
                "gadget.admin.email", person.email(),
                "gadget.admin.reset", "true",
                "gadget.admin.password", "the-password-of-the-settings"));
        assertThat(lines).isNotEmpty().noneMatch(line -> line.contains("the-password-of-the-settings"));
        assertThat(login(person.email(), "the-password-of-the-settings")).isEqualTo(200);
    }
}
