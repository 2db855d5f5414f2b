package dev.gadget.code.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.gadget.code.account.TestPeople;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreFixtures;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.code.turn.TurnRecord;
import dev.gadget.model.SessionId;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(SessionQuotaTest.Two.class)
@DisplayName("A34: sessions of one person")
class SessionQuotaTest {
    /** Few are soon too many. */
    public static class Two implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("gadget.session.max-per-person", "2");
        }
    }

    private static final String SESSIONS = "/api/v1/sessions";

    @Inject
    TestPeople people;

    @Inject
    SessionArchive archive;

    @Inject
    TurnArchive turns;

    @Test
    @DisplayName("are bounded, branches among them, and others' do not count")
    void bounded() {
        TestPeople.Person ada = people.member();
        SessionId first = TestSessions.session(ada);
        TurnRecord turn = StoreFixtures.turn(first, Instant.now());
        turns.insert(turn);
        TestSessions.session(ada);

        Map<String, Object> wanted =
                Map.of("projectId", TestSessions.project(ada), "providerId", TestSessions.provider(ada));
        ada.request()
                .body(wanted)
                .post(SESSIONS)
                .then()
                .statusCode(429)
                .body("code", equalTo("quota_reached"))
                .body("detail", containsString("You have 2 sessions, and 2 are allowed."));
        ada.request()
                .body(Map.of("turnId", turn.id().value()))
                .post(SESSIONS + "/" + first + "/branches")
                .then()
                .statusCode(429)
                .body("code", equalTo("quota_reached"));

        assertThat(archive.count(ada.id())).isEqualTo(2);
        TestSessions.session(people.member());
        ada.request().delete(SESSIONS + "/" + first).then().statusCode(204);
        ada.request().body(wanted).post(SESSIONS).then().statusCode(201);
    }
}
