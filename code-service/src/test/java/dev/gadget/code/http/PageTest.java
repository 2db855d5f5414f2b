package dev.gadget.code.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.containsStringIgnoringCase;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.nullValue;

import dev.gadget.code.account.TestPeople;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@DisplayName("The page and what goes with every answer")
class PageTest {
    @Inject
    TestPeople people;

    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html", "/sessions/7f", "/sessions/a/b?c=d"})
    @DisplayName("the page stands at every address inside it, asked for anew each time")
    void page(String path) {
        given().get(path)
                .then()
                .statusCode(200)
                .contentType(containsString("text/html"))
                .header("Cache-Control", equalTo("no-cache"))
                .body(containsStringIgnoringCase("<!doctype html>"));
    }

    @Test
    @DisplayName("hashed assets are kept for good; a missing one is not found and not kept")
    void assets() {
        given().get("/assets/page-1a2b.js")
                .then()
                .statusCode(200)
                .contentType(containsString("javascript"))
                .header("Cache-Control", equalTo("public, max-age=31536000, immutable"));
        given().get("/assets/page-0000.js").then().statusCode(404).header("Cache-Control", equalTo("no-cache"));
        given().get("/nothing.png").then().statusCode(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/assets/page-1a2b.js", "/api/v1/me", "/api/nothing", "/assets/none.js"})
    @DisplayName("every answer says what the page may load and that nobody may frame it")
    void headers(String path) {
        Response answer = given().get(path);
        assertThat(answer.header("Content-Security-Policy"))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(answer.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
        assertThat(answer.header("Permissions-Policy")).contains("camera=()");
        assertThat(answer.header("Strict-Transport-Security")).isNull();
        assertThat(given().header("X-Forwarded-Proto", "https").get(path).header("Strict-Transport-Security"))
                .isEqualTo("max-age=31536000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/me", "/%61pi/v1/me", "//api/v1/me"})
    @DisplayName("answers of the API are not kept, however its address is spelled")
    void apiIsNotKept(String path) {
        people.member()
                .request()
                .urlEncodingEnabled(false)
                .get(path)
                .then()
                .statusCode(200)
                .header("Cache-Control", equalTo("no-store"));
    }

    @Test
    @DisplayName("the API describes itself, with how to sign in")
    void openApi() {
        given().accept("application/json")
                .get("/q/openapi")
                .then()
                .statusCode(200)
                .body("info.title", equalTo("Gadget"))
                .body("components.securitySchemes", hasKey("bearer"))
                .body("paths", hasKey("/api/v1/providers/{id}/models"))
                .body("paths.'/api/v1/auth/login'.post.security", equalTo(java.util.List.of()))
                .body("components.schemas.UserView.properties.id.'$ref'", equalTo("#/components/schemas/UserId"))
                .body("components.schemas.UserId.type", equalTo("string"))
                .body("components.schemas.Problem.required", org.hamcrest.Matchers.hasItem("code"))
                .body(
                        "paths.'/api/v1/projects'.post.responses.default.'$ref'",
                        equalTo("#/components/responses/Problem"))
                .body("servers", nullValue());
    }

    @Test
    @DisplayName("health and metrics are open to probes")
    void operations() {
        given().get("/q/health/live").then().statusCode(200).body("status", equalTo("UP"));
        given().get("/q/health/ready")
                .then()
                .statusCode(200)
                .body("checks.name", org.hamcrest.Matchers.hasItem("store"));
        given().get("/q/health/started").then().statusCode(200);
        given().get("/q/metrics").then().statusCode(200).body(containsString("jvm_memory_used_bytes"));
    }
}
