package dev.gadget.code.drone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.http.Meanwhile;
import dev.gadget.code.session.TestSessions;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.file.ChangedFile;
import dev.gadget.model.file.ContentKind;
import dev.gadget.model.file.EntryType;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.file.FileQuestion;
import dev.gadget.model.file.FileVersion;
import dev.gadget.model.file.FolderEntry;
import dev.gadget.model.file.GitStatus;
import dev.gadget.model.file.TextParts;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("Files of a session's workspace over HTTP")
class FileResourceTest {
    private static final String HASH = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    private static final FileVersion HELLO = new FileVersion("a.txt", ContentKind.TEXT, 5, HASH);

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    private TestPeople.Person ada;
    private String session;

    @BeforeEach
    void somebody() {
        ada = people.member();
        SessionId id = TestSessions.session(ada);
        session = "/api/v1/sessions/" + id;
    }

    private SimulatedDrone drone() throws Exception {
        var drone = new SimulatedDrone(mapper, ada);
        ada.request()
                .body(Map.of("workspaceId", drone.workspace().value()))
                .patch(session)
                .then()
                .statusCode(200);
        return drone;
    }

    /** What the drone was asked, with the text before it. */
    private record Asked(FileQuestion question, String text) {}

    /** Takes the next question and answers it, with the text before the answer. */
    private static Asked answer(SimulatedDrone drone, String text, FileAnswer answer) throws Exception {
        StringBuilder before = new StringBuilder();
        DroneCommand heard = drone.expect(DroneCommand.class);
        while (!(heard instanceof DroneCommand.AskFiles)) {
            if (heard instanceof DroneCommand.FileText part) {
                before.append(part.text());
            }
            heard = drone.expect(DroneCommand.class);
        }
        var ask = (DroneCommand.AskFiles) heard;
        assertThat(ask.textLength()).isEqualTo(before.length());
        for (String part : TextParts.of(text)) {
            drone.say(new DroneEvent.FileText(ask.requestId(), part));
        }
        drone.say(new DroneEvent.FilesAnswered(ask.requestId(), answer, text.length()));
        return new Asked(ask.question(), before.toString());
    }

    private static CompletableFuture<Response> meanwhile(Supplier<Response> request) {
        return Meanwhile.ask(request);
    }

    private static ValidatableResponse of(CompletableFuture<Response> response) throws Exception {
        return response.get(60, TimeUnit.SECONDS).then();
    }

    @Test
    @DisplayName("the drone is told which session asks, and what project it works on")
    void whereTheSessionWorks() throws Exception {
        String id = session.substring(session.lastIndexOf('/') + 1);
        String project = ada.request().get(session).then().extract().path("projectId");
        try (var drone = drone()) {
            ada.request().body(Map.of("worktree", true)).patch(session).then().statusCode(200);
            var folder = meanwhile(() -> ada.request().get(session + "/files"));
            var ask = drone.expect(DroneCommand.AskFiles.class);
            assertThat(ask.sessionId()).isEqualTo(new SessionId(id));
            assertThat(ask.project()).isNotNull().satisfies(told -> {
                assertThat(told.id().value()).isEqualTo(project);
                assertThat(told.worktree()).isTrue();
            });
            drone.say(new DroneEvent.FilesAnswered(ask.requestId(), new FileAnswer.FolderListed(List.of(), true), 0));
            of(folder).statusCode(200);
        }
    }

    @Test
    @DisplayName("files are found by a part of their name of two letters and more")
    void finds() throws Exception {
        try (var drone = drone()) {
            var found =
                    meanwhile(() -> ada.request().queryParam("name", "TurnDoc").get(session + "/files/found"));
            var asked = answer(drone, "", new FileAnswer.FilesFound(List.of("src/TurnDocument.java"), true));
            assertThat(asked.question()).isEqualTo(new FileQuestion.FindFiles(".", "TurnDoc"));
            of(found)
                    .statusCode(200)
                    .body("paths", contains("src/TurnDocument.java"))
                    .body("complete", equalTo(true));
            for (String name : List.of("T", "a/b")) {
                ada.request()
                        .queryParam("name", name)
                        .get(session + "/files/found")
                        .then()
                        .statusCode(422)
                        .body("detail", containsString("2 to 255 characters"));
            }
        }
    }

    @Test
    @DisplayName("finding is asked one at a time, and blocks nothing else where the drone does not answer it")
    void findsOneAtATime() throws Exception {
        try (var drone = drone()) {
            Supplier<Response> find =
                    () -> ada.request().queryParam("name", "TurnDoc").get(session + "/files/found");
            var first = meanwhile(find);
            var asked = drone.expect(DroneCommand.AskFiles.class);
            for (int letter = 0; letter < 9; letter++) {
                find.get().then().statusCode(200).body("paths", hasSize(0)).body("complete", equalTo(false));
            }
            var folder = meanwhile(() -> ada.request().get(session + "/files"));
            assertThat(answer(drone, "", new FileAnswer.FolderListed(List.of(), true))
                            .question())
                    .isEqualTo(new FileQuestion.ListFolder("."));
            of(folder).statusCode(200);

            drone.say(new DroneEvent.FilesAnswered(
                    asked.requestId(), new FileAnswer.FilesFound(List.of("a.txt"), true), 0));
            of(first).statusCode(200).body("paths", contains("a.txt"));
            var again = meanwhile(find);
            answer(drone, "", new FileAnswer.FilesFound(List.of("b.txt"), true));
            of(again).statusCode(200).body("paths", contains("b.txt"));
        }
    }

    @Test
    @DisplayName("folders, files, changes and diffs are what the drone answers")
    void reads() throws Exception {
        String text = "äé😀\"\n".repeat(100_000);
        try (var drone = drone()) {
            var folder = meanwhile(() -> ada.request().get(session + "/files"));
            var listed = answer(
                    drone,
                    "",
                    new FileAnswer.FolderListed(
                            List.of(
                                    new FolderEntry("src", EntryType.FOLDER, null, null),
                                    new FolderEntry("a.txt", EntryType.FILE, 5L, GitStatus.UNTRACKED)),
                            true));
            assertThat(listed.question()).isEqualTo(new FileQuestion.ListFolder("."));
            of(folder)
                    .statusCode(200)
                    .body("path", equalTo("."))
                    .body("entries.name", contains("src", "a.txt"))
                    .body("entries[1].status", equalTo("?"))
                    .body("entries[1].size", equalTo(5));

            var file = meanwhile(
                    () -> ada.request().queryParam("path", "a b/ü.txt").get(session + "/file"));
            var read = answer(drone, text, new FileAnswer.FileRead(HELLO));
            assertThat(read.question()).isEqualTo(new FileQuestion.ReadFile("a b/ü.txt"));
            of(file).statusCode(200).body("sha256", equalTo(HASH)).body("text", equalTo(text));

            var image =
                    meanwhile(() -> ada.request().queryParam("path", "image").get(session + "/file"));
            answer(drone, "", new FileAnswer.FileRead(new FileVersion("image", ContentKind.BINARY, 9, HASH)));
            of(image).statusCode(200).body("kind", equalTo("binary")).body("text", nullValue());

            var changes = meanwhile(() -> ada.request().get(session + "/changes"));
            answer(
                    drone,
                    "",
                    new FileAnswer.ChangesListed(true, List.of(new ChangedFile("a.txt", GitStatus.MODIFIED)), true));
            of(changes).statusCode(200).body("files[0].status", equalTo("M")).body("repository", equalTo(true));

            var diff = meanwhile(() -> ada.request().queryParam("path", "a.txt").get(session + "/changes/diff"));
            assertThat(answer(drone, "-a\n+b\n", new FileAnswer.DiffRead(true, true))
                            .question())
                    .isEqualTo(new FileQuestion.ReadDiff("a.txt"));
            of(diff).statusCode(200).body("diff", equalTo("-a\n+b\n"));
        }
    }

    @Test
    @DisplayName("chosen files are committed with the message; what git says against it is said")
    void commits() throws Exception {
        try (var drone = drone()) {
            Supplier<Response> commit = () -> ada.request()
                    .body(Map.of("message", "Mend the cart", "paths", List.of("a.txt", "b/ü.txt")))
                    .post(session + "/changes/commit");
            var made = meanwhile(commit);
            var asked = answer(drone, "", new FileAnswer.ChangesCommitted("4f2a91c"));
            assertThat(asked)
                    .isEqualTo(new Asked(new FileQuestion.CommitChanges(List.of("a.txt", "b/ü.txt")), "Mend the cart"));
            of(made).statusCode(200).body("commit", equalTo("4f2a91c"));

            var refused = meanwhile(commit);
            answer(drone, "", new FileAnswer.Refused(new Failure(FailureCode.CONFLICT, "The repository has hooks.")));
            of(refused).statusCode(409).body("detail", equalTo("The repository has hooks."));
        }
        for (Map<String, Object> wrong : List.<Map<String, Object>>of(
                Map.of("message", " ", "paths", List.of("a.txt")),
                Map.of("message", "x", "paths", List.of()),
                Map.of("message", "x", "paths", Arrays.asList("a.txt", null)))) {
            ada.request().body(wrong).post(session + "/changes/commit").then().statusCode(422);
        }
        people.member()
                .request()
                .body(Map.of("message", "x", "paths", List.of("a.txt")))
                .post(session + "/changes/commit")
                .then()
                .statusCode(404);
    }

    @Test
    @DisplayName("a text is saved in parts; when the file is another one by now, the answer holds that one")
    void saves() throws Exception {
        String text = "0123456789abcdef".repeat(60_000);
        try (var drone = drone()) {
            Supplier<Response> save = () -> ada.request()
                    .queryParam("path", "a.txt")
                    .body(Map.of("text", text, "expectedSha256", HASH))
                    .put(session + "/file");
            var saved = meanwhile(save);
            var asked = answer(drone, "", new FileAnswer.FileWritten(HELLO));
            assertThat(asked).isEqualTo(new Asked(new FileQuestion.WriteFile("a.txt", HASH), text));
            of(saved).statusCode(200).body("sha256", equalTo(HASH));

            var conflict = meanwhile(save);
            answer(drone, "hello", new FileAnswer.FileConflict(HELLO));
            of(conflict)
                    .statusCode(409)
                    .contentType("application/problem+json")
                    .body("code", equalTo("changed_meanwhile"))
                    .body("current.sha256", equalTo(HASH))
                    .body("current.text", equalTo("hello"));

            var gone = meanwhile(save);
            answer(drone, "", new FileAnswer.FileConflict(null));
            of(gone).statusCode(409).body("code", equalTo("changed_meanwhile")).body("current", nullValue());

            var refused = meanwhile(save);
            answer(
                    drone,
                    "",
                    new FileAnswer.Refused(new Failure(FailureCode.WORKSPACE_LOCKED, "The agent works here.")));
            of(refused)
                    .statusCode(409)
                    .body("code", equalTo("workspace_locked"))
                    .body("detail", equalTo("The agent works here."));
        }
    }

    @Test
    @DisplayName("files and folders are made, renamed and removed")
    void changes() throws Exception {
        try (var drone = drone()) {
            var file = meanwhile(() -> ada.request()
                    .queryParam("path", "a.txt")
                    .body(Map.of("type", "file", "text", "hello"))
                    .post(session + "/file"));
            assertThat(answer(drone, "", new FileAnswer.FileWritten(HELLO)))
                    .isEqualTo(new Asked(new FileQuestion.CreateEntry("a.txt", EntryType.FILE), "hello"));
            of(file).statusCode(201).body("sha256", equalTo(HASH)).body("text", equalTo("hello"));

            var folder = meanwhile(() -> ada.request()
                    .queryParam("path", "docs")
                    .body(Map.of("type", "folder"))
                    .post(session + "/file"));
            answer(drone, "", new FileAnswer.EntriesChanged());
            of(folder).statusCode(201);

            var renamed = meanwhile(() -> ada.request()
                    .queryParam("path", "docs")
                    .body(Map.of("to", "doc"))
                    .patch(session + "/file"));
            assertThat(answer(drone, "", new FileAnswer.EntriesChanged()).question())
                    .isEqualTo(new FileQuestion.RenameEntry("docs", "doc"));
            of(renamed).statusCode(204);

            var removed =
                    meanwhile(() -> ada.request().queryParam("path", "doc").delete(session + "/file"));
            assertThat(answer(drone, "", new FileAnswer.EntriesChanged()).question())
                    .isEqualTo(new FileQuestion.DeleteEntry("doc"));
            of(removed).statusCode(204);
        }
    }

    @Test
    @DisplayName("what cannot be asked is refused before a drone hears of it")
    void refuses() throws Exception {
        var body = Map.of("text", "x", "expectedSha256", HASH);
        ada.request().get(session + "/files").then().statusCode(409).body("code", equalTo("conflict"));
        var drone = drone();
        ada.request().get(session + "/file").then().statusCode(422).body("field", equalTo("path"));
        ada.request().queryParam("path", "a\nb").get(session + "/file").then().statusCode(422);
        ada.request()
                .queryParam("path", "a")
                .body(Map.of("text", "x", "expectedSha256", "abc"))
                .put(session + "/file")
                .then()
                .statusCode(422)
                .body("field", equalTo("expectedSha256"));
        ada.request()
                .queryParam("path", "a")
                .body("{\"text\":\"\\ud800\",\"expectedSha256\":\"" + HASH + "\"}")
                .put(session + "/file")
                .then()
                .statusCode(422)
                .body("field", equalTo("text"));
        ada.request()
                .queryParam("path", "a")
                .body(Map.of("text", "x".repeat((1 << 20) + 1), "expectedSha256", HASH))
                .put(session + "/file")
                .then()
                .statusCode(413)
                .body("code", equalTo("payload_too_large"));
        ada.request()
                .queryParam("path", "a")
                .body(Map.of("type", "link"))
                .post(session + "/file")
                .then()
                .statusCode(422);
        drone.close();
        drone.awaitStatus("offline");
        ada.request()
                .queryParam("path", "a")
                .body(body)
                .put(session + "/file")
                .then()
                .statusCode(503)
                .body("code", equalTo("no_drone"));
    }

    @Test
    @DisplayName("a drone that goes away, or says only half of a text, has not answered")
    void lost() throws Exception {
        var drone = drone();
        var half = meanwhile(() -> ada.request().queryParam("path", "a.txt").get(session + "/file"));
        var ask = drone.expect(DroneCommand.AskFiles.class);
        drone.say(new DroneEvent.FilesAnswered(ask.requestId(), new FileAnswer.FileRead(HELLO), 5));
        of(half).statusCode(503).body("detail", containsString("whole"));

        var cut = meanwhile(() -> ada.request().queryParam("path", "a.txt").get(session + "/file"));
        drone.expect(DroneCommand.AskFiles.class);
        drone.cut();
        of(cut).statusCode(503).body("code", equalTo("drone_lost"));
    }

    @Test
    @DisplayName("a session of another person is not there")
    void ofAnother() throws Exception {
        try (var _ = drone()) {
            TestPeople.Person bob = people.member();
            List<Supplier<Response>> requests = List.of(
                    () -> bob.request().get(session + "/files"),
                    () -> bob.request().queryParam("path", "a").get(session + "/file"),
                    () -> bob.request()
                            .queryParam("path", "a")
                            .body(Map.of("text", "", "expectedSha256", HASH))
                            .put(session + "/file"),
                    () -> bob.request()
                            .queryParam("path", "a")
                            .body(Map.of("type", "file"))
                            .post(session + "/file"),
                    () -> bob.request()
                            .queryParam("path", "a")
                            .body(Map.of("to", "b"))
                            .patch(session + "/file"),
                    () -> bob.request().queryParam("path", "a").delete(session + "/file"),
                    () -> bob.request().get(session + "/changes"),
                    () -> bob.request().get(session + "/changes/diff"));
            requests.forEach(request -> request.get().then().statusCode(404).body("code", equalTo("not_found")));
        }
    }
}
