package dev.gadget.code.system;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.drone.SimulatedDrone;
import dev.gadget.model.Protocol;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("How the service is, for administrators")
class SystemResourceTest {
    private static final String SYSTEM = "/api/v1/admin/system";

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    @Test
    @DisplayName("who does not administer does not see it")
    void onlyAdministrators() {
        people.member().request().get(SYSTEM).then().statusCode(403);
        given().get(SYSTEM).then().statusCode(401);
    }

    @Test
    @DisplayName("it tells of the program, the store, the doors and every drone that is connected")
    void tells() throws Exception {
        TestPeople.Person administrator = people.administrator();
        try (var drone = new SimulatedDrone(mapper, people.member())) {
            administrator
                    .request()
                    .get(SYSTEM)
                    .then()
                    .statusCode(200)
                    .body("service.protocolVersion", equalTo(Protocol.VERSION))
                    .body("service.version", notNullValue())
                    .body("service.startedAt", notNullValue())
                    .body("service.load.processors", greaterThan(0))
                    .body("service.load.loadAverage", greaterThanOrEqualTo(0.0f))
                    .body("memory.usedBytes", greaterThan(0))
                    .body("store.kind", equalTo("embedded"))
                    .body("store.trouble", nullValue())
                    .body("store.saved", equalTo(true))
                    .body("store.unsavedTurns", equalTo(0))
                    .body("turns.running", greaterThanOrEqualTo(0))
                    .body("doors.door", contains("websocket", "events", "polling", "terminal", "drone"))
                    .body("doors[4].readers", greaterThanOrEqualTo(1))
                    .body("drones.id", hasItem(drone.id().value()))
                    .body("drones.workspaceDir", not(hasItem(notNullValue())));
        }
    }
}
