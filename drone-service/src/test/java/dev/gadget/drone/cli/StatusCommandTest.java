package dev.gadget.drone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.gadget.drone.link.Samples;
import dev.gadget.drone.workspace.Credential;
import dev.gadget.drone.workspace.HeldOrder;
import dev.gadget.drone.workspace.RunningNote;
import dev.gadget.drone.workspace.WorkspaceLock;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.model.DroneId;
import dev.gadget.model.work.WorkOrder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@DisplayName("gadget-drone status")
class StatusCommandTest {
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().addModule(new JavaTimeModule()).build();
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--workspace", directory.toString()));
        arguments.addAll(List.of(more));
        return new CommandLine(new StatusCommand(MAPPER))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }

    private WorkspaceStore enrolled() throws Exception {
        WorkspaceStore store = WorkspaceStore.open(directory, MAPPER, Clock.systemUTC());
        store.enrolled(new Credential("https://gadget.example", new DroneId("d-1"), "the-credential", null));
        return store;
    }

    private static RunningNote note(boolean connected) {
        return new RunningNote(
                "1.2",
                4711,
                NOW,
                "https://gadget.example",
                connected,
                NOW,
                "1.3",
                connected ? null : "it does not answer (refused)",
                "Commands run in a sandbox.",
                "Terminals are off.",
                null,
                null,
                null);
    }

    @Test
    @DisplayName("of a directory that is no workspace says so, and ends with 1")
    void none() throws Exception {
        assertThat(run()).isEqualTo(1);

        assertThat(err.toString()).contains("is no workspace yet");
        assertThat(Files.exists(directory.resolve(".gadget"))).isFalse();
    }

    @Test
    @DisplayName("tells the drone that runs, its connection, its sandbox and its log, and no credential")
    void running() throws Exception {
        WorkspaceStore store = enrolled();
        store.note(note(true));
        try (var lock = WorkspaceLock.take(store.folder())) {
            assertThat(run()).isZero();
        }

        assertThat(out.toString())
                .containsPattern("running +yes, since .*, process 4711, version 1\\.2")
                .containsPattern("connected +to https://gadget\\.example since .*, version 1\\.3")
                .containsPattern("sandbox +Commands run in a sandbox\\.")
                .containsPattern("terminals +Terminals are off\\.")
                .containsPattern("holds +nothing")
                .containsPattern("log +.*/\\.gadget/logs/drone\\.log")
                .doesNotContain("the-credential");
    }

    @Test
    @DisplayName("tells why there is no connection, and as JSON the same")
    void away() throws Exception {
        WorkspaceStore store = enrolled();
        store.note(note(false));
        try (var lock = WorkspaceLock.take(store.folder())) {
            assertThat(run()).isZero();
            assertThat(out.toString())
                    .containsPattern("connected +no: to https://gadget\\.example, not since .*: it does not answer");
            out.getBuffer().setLength(0);
            assertThat(run("--json")).isZero();
        }

        JsonNode said = MAPPER.readTree(out.toString());
        assertThat(said.path("running").asBoolean()).isTrue();
        assertThat(said.path("enrolled").path("droneId").asText()).isEqualTo("d-1");
        assertThat(said.path("drone").path("pid").asLong()).isEqualTo(4711);
        assertThat(said.path("drone").path("connection").path("connected").asBoolean(true))
                .isFalse();
        assertThat(said.path("drone").path("connection").path("since").asText()).isEqualTo(NOW.toString());
        assertThat(said.path("drone").path("connection").path("lost").asText()).contains("does not answer");
        assertThat(said.has("holds")).isFalse();
    }

    private static RunningNote holding(WorkOrder order, @Nullable Long stored) {
        RunningNote note = note(true);
        return new RunningNote(
                note.version(),
                note.pid(),
                note.startedAt(),
                note.server(),
                true,
                note.since(),
                note.serviceVersion(),
                null,
                note.sandbox(),
                note.terminals(),
                order.workOrderId(),
                7L,
                stored);
    }

    @Test
    @DisplayName("of what it holds tells how much the service has not stored, when the service has said so in this run")
    void holds() throws Exception {
        WorkspaceStore store = enrolled();
        WorkOrder order = Samples.order(store.state().workspaceId());
        store.hold(HeldOrder.received(order, 1, 1, NOW));
        try (var lock = WorkspaceLock.take(store.folder())) {
            store.note(holding(order, null));
            assertThat(run()).isZero();
            assertThat(out.toString())
                    .containsPattern("holds +turn .*, 7 entries\n")
                    .doesNotContain("not stored");
            out.getBuffer().setLength(0);
            assertThat(run("--json")).isZero();
            assertThat(MAPPER.readTree(out.toString())
                            .path("holds")
                            .path("entries")
                            .asLong())
                    .isEqualTo(7);
            assertThat(MAPPER.readTree(out.toString()).path("holds").has("notStored"))
                    .isFalse();
            store.note(holding(order, 4L));
            out.getBuffer().setLength(0);
            assertThat(run()).isZero();
        }

        assertThat(out.toString()).contains(", 7 entries, 3 of them not stored by the service");
    }

    @Test
    @DisplayName("of a drone that does not run tells no old connection, and of a note that cannot be read nothing")
    void stopped() throws Exception {
        WorkspaceStore store = enrolled();
        store.note(note(true));
        assertThat(run()).isZero();
        assertThat(out.toString()).containsPattern("running +no").doesNotContain("connected", "process 4711");

        Files.writeString(directory.resolve(".gadget/running.json"), "{\"version\":");
        out.getBuffer().setLength(0);
        try (var lock = WorkspaceLock.take(store.folder())) {
            assertThat(run()).isZero();
        }
        assertThat(out.toString()).containsPattern("running +yes\n").doesNotContain("connected");
    }
}
