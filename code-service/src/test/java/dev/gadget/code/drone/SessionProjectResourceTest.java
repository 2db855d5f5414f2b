package dev.gadget.code.drone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.http.Meanwhile;
import dev.gadget.code.session.TestSessions;
import dev.gadget.code.store.ProjectArchive;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.ProjectAction;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.ProjectState;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("The project of a session over HTTP")
class SessionProjectResourceTest {
    private static final String URL = "https://git.example.org/shop.git";

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    @Inject
    ProjectArchive projects;

    private TestPeople.Person ada;
    private String project;
    private SessionId id;
    private String session;

    @BeforeEach
    void somebody() {
        ada = people.member();
        project = TestSessions.project(ada);
        ada.request()
                .body(Map.of("gitUrl", URL))
                .patch("/api/v1/projects/" + project)
                .then()
                .statusCode(200);
        String made = ada.request()
                .body(Map.of("projectId", project, "providerId", TestSessions.provider(ada), "worktree", true))
                .post("/api/v1/sessions")
                .then()
                .statusCode(201)
                .body("worktree", equalTo(true))
                .extract()
                .path("id");
        id = new SessionId(made);
        session = "/api/v1/sessions/" + id;
    }

    private SimulatedDrone drone() throws Exception {
        var drone = new SimulatedDrone(mapper, ada);
        ada.request()
                .body(Map.of("workspaceId", drone.workspace().value()))
                .patch(session)
                .then()
                .statusCode(200)
                .body("worktree", equalTo(true));
        return drone;
    }

    @Test
    @DisplayName("how it stands, and what came of a sync, is what the drone of the workspace answers")
    void asksTheDrone() throws Exception {
        try (var drone = drone()) {
            CompletableFuture<Response> look = Meanwhile.ask(() -> ada.request().get(session + "/project"));
            var asked = drone.expect(DroneCommand.RequestProject.class);
            assertThat(asked.action()).isEqualTo(ProjectAction.LOOK);
            assertThat(asked.sessionId()).isEqualTo(id);
            assertThat(asked.project())
                    .isEqualTo(new ProjectRef(
                            new ProjectId(project), asked.project().slug(), URL, true));
            drone.say(new DroneEvent.ProjectAnswered(
                    asked.requestId(),
                    null,
                    new ProjectState(
                            true, "shop", "main", "origin/main", 1, 2, true, Instant.EPOCH, null, false, null)));
            look.get(60, TimeUnit.SECONDS)
                    .then()
                    .statusCode(200)
                    .body("gitUrl", equalTo(URL))
                    .body("worktree", equalTo(true))
                    .body("state.branch", equalTo("main"))
                    .body("state.behind", equalTo(2))
                    .body("state.dirty", equalTo(true))
                    .body("state.lastSyncAt", nullValue());

            CompletableFuture<Response> sync = Meanwhile.ask(() -> ada.request().post(session + "/project/sync"));
            var wanted = drone.expect(DroneCommand.RequestProject.class);
            assertThat(wanted.action()).isEqualTo(ProjectAction.SYNC);
            drone.say(new DroneEvent.ProjectAnswered(
                    wanted.requestId(), new Failure(FailureCode.DRONE_BUSY, "The drone works on a turn."), null));
            sync.get(60, TimeUnit.SECONDS)
                    .then()
                    .statusCode(503)
                    .body("code", equalTo("drone_busy"))
                    .body("detail", equalTo("The drone works on a turn."));
        }
    }

    @Test
    @DisplayName("without a workspace, without a project, and for somebody else it is refused")
    void refuses() {
        ada.request().get(session + "/project").then().statusCode(409).body("code", equalTo("conflict"));
        TestPeople.Person eve = people.member();
        eve.request().get(session + "/project").then().statusCode(404);
        eve.request().post(session + "/project/sync").then().statusCode(404);
        projects.delete(ada.id(), new ProjectId(project));
        ada.request().get(session + "/project").then().statusCode(409);
        ada.request()
                .body(Map.of("worktree", false))
                .patch(session)
                .then()
                .statusCode(200)
                .body("worktree", equalTo(false));
    }
}
