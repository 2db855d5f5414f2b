package dev.gadget.code.store;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class StoreReadinessTest {
    @Test
    void saysThatTheStoreAnswers() {
        given().get("/q/health/ready")
                .then()
                .statusCode(200)
                .body("checks.find { it.name == 'store' }.status", equalTo("UP"));
    }
}
