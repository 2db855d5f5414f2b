package dev.gadget.drone.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.gadget.model.DroneId;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.work.ProjectRef;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspaceStoreTest {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build();

    @TempDir
    Path directory;

    private WorkspaceStore open() throws WorkspaceUnusableException {
        return WorkspaceStore.open(directory, MAPPER, Clock.systemUTC());
    }

    private Path gadget(String name) {
        return directory.resolve(".gadget").resolve(name);
    }

    @Test
    @DisplayName("a directory becomes a workspace once, with every field said, and its id stays")
    void becomesWorkspace() throws Exception {
        WorkspaceStore first = open();
        JsonNode json = MAPPER.readTree(gadget("workspace.json").toFile());
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly(
                        "workspaceId",
                        "createdAt",
                        "hostname",
                        "workspaceDir",
                        "chatSession",
                        "lockedProject",
                        "projects",
                        "registration");
        assertThat(UUID.fromString(json.get("workspaceId").asText()).version()).isEqualTo(4);
        assertThat(Instant.parse(json.get("createdAt").asText())).isBeforeOrEqualTo(Instant.now());
        assertThat(json.get("registration").isNull()).isTrue();
        assertThat(json.get("workspaceDir").asText())
                .isEqualTo(directory.toRealPath().toString());
        assertThat(Files.readString(gadget(".gitignore"))).isEqualTo("*\n");
        first.registered(DroneId.random(), DroneStatus.AVAILABLE);
        var project = new ProjectRef(ProjectId.random(), "shop", "https://host/shop.git", null);
        first.lock(
                new WorkspaceState.SessionLock(SessionId.random(), "one", Instant.EPOCH),
                new WorkspaceState.ProjectLock(project.id(), "shop", project.gitUrl(), Instant.EPOCH));
        first.cloned(project);
        first.synced(project);
        assertThat(first.state().projects()).singleElement().satisfies(known -> {
            assertThat(known.slug()).isEqualTo("shop");
            assertThat(known.lastSyncAt()).isNotNull();
        });
        WorkspaceStore second = open();
        assertThat(second.state()).isEqualTo(first.state());
        assertThat(second.state().workspaceId().value())
                .isEqualTo(json.get("workspaceId").asText());
    }

    @Test
    @DisplayName("what is in the folder is for its owner only, and nothing half-written stays behind")
    void ownerOnly() throws Exception {
        WorkspaceStore store = open();
        store.enrolled(new Credential(
                "http://127.0.0.1:1", DroneId.random(), "secret", store.state().workspaceId()));
        try (var lock = WorkspaceLock.take(store.folder());
                var files = Files.walk(directory.resolve(".gadget"))) {
            for (Path file : files.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .as(file.toString())
                        .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------");
                assertThat(file.toString()).doesNotEndWith(".new");
            }
        }
        assertThat(store.credential().orElseThrow().credential()).isEqualTo("secret");
        assertThat(store.credential().orElseThrow().toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "null", "{\"projects\":[]}", "\u0000\u0000\u0000"})
    @DisplayName("a damaged workspace.json is kept under another name; an enrolled workspace stays the one that it was")
    void damaged(String content) throws Exception {
        WorkspaceStore first = open();
        WorkspaceId id = first.state().workspaceId();
        first.enrolled(new Credential("http://127.0.0.1:1", DroneId.random(), "secret", id));
        Files.writeString(gadget("workspace.json"), content);
        assertThat(open().state().workspaceId()).isEqualTo(id);
        try (var files = Files.list(directory.resolve(".gadget"))) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("workspace.json.damaged-")))
                    .singleElement()
                    .satisfies(kept -> assertThat(kept).content().isEqualTo(content));
        }
        assertThat(open().state().workspaceId()).isEqualTo(id);
    }

    @Test
    @DisplayName("a directory that is not there, or is a file, is said in one line")
    void unusable() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "x");
        for (Path wrong : List.of(directory.resolve("missing"), file)) {
            assertThatThrownBy(() -> WorkspaceStore.open(wrong, MAPPER, Clock.systemUTC()))
                    .isInstanceOf(WorkspaceUnusableException.class)
                    .hasMessageContaining(wrong.toString())
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
        }
    }

    @Test
    @DisplayName("what an earlier drone noted of itself is forgotten, also where there is nothing")
    void forgetsTheNote() throws Exception {
        WorkspaceStore store = open();
        Instant now = Instant.parse("2026-01-02T03:04:05Z");
        store.note(new RunningNote("1", 2, now, "http://x", true, now, "1", null, "none", "none", null, null, null));
        assertThat(store.note()).isPresent();

        store.forgetNote();
        store.forgetNote();

        assertThat(store.note()).isEmpty();
    }

    @Test
    @DisplayName("one drone has a workspace; the next may have it when the first is gone")
    void locks() throws Exception {
        WorkspaceStore store = open();
        try (var first = WorkspaceLock.take(store.folder())) {
            assertThatThrownBy(() -> WorkspaceLock.take(store.folder()))
                    .isInstanceOf(WorkspaceUnusableException.class)
                    .hasMessageContaining("Another drone runs in " + directory.toRealPath());
            assertThat(WorkspaceLock.isTaken(store.folder())).isTrue();
        }
        assertThat(WorkspaceLock.isTaken(store.folder())).isFalse();
        WorkspaceLock.take(store.folder()).close();
    }

    @Test
    @DisplayName(
            "S1-60, S1-63: a start brings up to date where the workspace is, and which projects are there; its id stays")
    void started() throws Exception {
        WorkspaceStore first = open();
        WorkspaceId id = first.state().workspaceId();
        for (String slug : List.of("shop", "gone")) {
            first.cloned(new ProjectRef(ProjectId.random(), slug, "https://host/" + slug + ".git", null));
        }
        Files.createDirectory(directory.resolve("shop"));
        DroneId drone = DroneId.random();
        first.registered(drone, DroneStatus.AVAILABLE);
        Instant since = Objects.requireNonNull(first.state().registration()).registeredAt();
        Path file = gadget("workspace.json");
        Files.writeString(
                file,
                Files.readString(file)
                        .replace(WorkspaceStore.hostname(), "another-host")
                        .replace(directory.toRealPath().toString(), "/elsewhere"));

        WorkspaceStore second =
                WorkspaceStore.open(directory, MAPPER, Clock.offset(Clock.systemUTC(), java.time.Duration.ofHours(1)));
        assertThat(second.state().hostname()).isEqualTo("another-host");
        second.started();
        second.registered(drone, DroneStatus.AVAILABLE);

        WorkspaceState state = open().state();
        assertThat(state.workspaceId()).isEqualTo(id);
        assertThat(state.createdAt()).isEqualTo(first.state().createdAt());
        assertThat(state.hostname()).isEqualTo(WorkspaceStore.hostname());
        assertThat(state.workspaceDir()).isEqualTo(directory.toRealPath().toString());
        assertThat(state.projects())
                .extracting(WorkspaceState.ClonedProject::slug)
                .containsExactly("shop");
        assertThat(Objects.requireNonNull(state.registration()).registeredAt()).isAfter(since);
    }

    @Test
    @DisplayName(
            "the registration changes its status and keeps its date; before the first one there is nothing to change")
    void registration() throws Exception {
        WorkspaceStore store = open();
        store.status(DroneStatus.STARTING);
        assertThat(store.state().registration()).isNull();
        DroneId drone = DroneId.random();
        store.registered(drone, DroneStatus.AVAILABLE);
        Instant since = Objects.requireNonNull(store.state().registration()).registeredAt();
        store.status(DroneStatus.OFFLINE);
        assertThat(open().state().registration())
                .isEqualTo(new WorkspaceState.Registration(drone, DroneStatus.OFFLINE, since));
    }
}
