package dev.gadget.code.feed;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.gadget.code.account.TestPeople;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ServiceHeadersTest {
    @Inject
    TestPeople people;

    @Test
    @DisplayName(
            "S4-01, S4-45: every answer says whether all is stored and of which version the service is, a refusal, too")
    void said() {
        var version = ConfigProvider.getConfig().getValue("quarkus.application.version", String.class);
        var request = people.member().request();
        for (String path : new String[] {"/api/v1/sessions", "/api/v1/drones", "/api/v1/sessions/not-there"}) {
            request.get(path).then().header("Gadget-Version", equalTo(version)).header("Gadget-Saved", equalTo("true"));
        }
    }

    @Test
    @DisplayName("who has not signed in is told neither")
    void notToStrangers() {
        given().get("/api/v1/sessions").then().statusCode(401).header("Gadget-Version", nullValue());
        given().auth()
                .oauth2("made up")
                .get("/api/v1/sessions")
                .then()
                .statusCode(401)
                .header("Gadget-Version", nullValue());
        given().contentType("application/json")
                .body("{\"email\":\"nobody@example.org\",\"password\":\"not this one\"}")
                .post("/api/v1/auth/login")
                .then()
                .header("Gadget-Version", nullValue());
    }
}
