package dev.gadget.code.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(MetricsGuardTest.WithToken.class)
@DisplayName("A39: metrics")
class MetricsGuardTest {
    /** As a Prometheus elsewhere has it. */
    public static class WithToken implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("gadget.metrics.token", "scrape me");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/q/metrics", "/q/./metrics", "/q/x/../metrics"})
    @DisplayName("are not told to who comes through a proxy of this machine, however the address is spelled")
    void throughAProxy(String path) {
        given().urlEncodingEnabled(false)
                .header("X-Forwarded-For", "203.0.113.9")
                .get(path)
                .then()
                .statusCode(403)
                .body("code", equalTo("forbidden"));
    }

    @ParameterizedTest
    @CsvSource({"Host, gadget.example", "Authorization, Bearer scrape", "Authorization, Basic scrape me"})
    @DisplayName("are not told to a page whose name leads here, nor for another token")
    void others(String header, String value) {
        given().header(header, value)
                .header("Via", "1.1 proxy")
                .get("/q/metrics")
                .then()
                .statusCode(403);
        given().header("Host", "gadget.example").get("/q/metrics").then().statusCode(403);
    }

    @Test
    @DisplayName("are told to programs of this machine, and from anywhere for the token")
    void known() {
        given().get("/q/metrics").then().statusCode(200).body(containsString("jvm_memory_used_bytes"));
        given().header("X-Forwarded-For", "203.0.113.9")
                .header("Authorization", "Bearer scrape me")
                .get("/q/metrics")
                .then()
                .statusCode(200);
    }
}
