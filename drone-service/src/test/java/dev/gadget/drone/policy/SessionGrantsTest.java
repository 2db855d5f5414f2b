package dev.gadget.drone.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.drone.workspace.GadgetFolder;
import dev.gadget.model.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** S1-46, S2-11: what people allowed for a session. */
class SessionGrantsTest {
    @TempDir
    Path directory;

    private final SessionId session = SessionId.random();
    private Path file = Path.of("");

    @BeforeEach
    void folder() throws IOException {
        file = GadgetFolder.open(directory).grantsFile();
    }

    private SessionGrants grants() {
        return new SessionGrants(() -> directory);
    }

    @Test
    @DisplayName(
            "it is kept for this tool, this scope and this session, readable by its owner only and without the command's words")
    void kept() throws IOException {
        grants().allow(session, "run_command", "curl -H 'Authorization: secret'");
        assertThat(grants().allowed(session, "run_command", "curl -H 'Authorization: secret'"))
                .isTrue();
        assertThat(grants().allowed(session, "run_command", "curl")).isFalse();
        assertThat(grants().allowed(session, "write_file", "curl -H 'Authorization: secret'"))
                .isFalse();
        assertThat(grants().allowed(SessionId.random(), "run_command", "curl -H 'Authorization: secret'"))
                .isFalse();
        assertThat(Files.readString(file)).contains("run_command").doesNotContain("secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    @DisplayName("nothing of a session that is forgotten is kept")
    void forgotten() throws IOException {
        grants().allow(session, "run_command", "make");
        grants().forget(session);
        assertThat(grants().allowed(session, "run_command", "make")).isFalse();
        assertThat(Files.readString(file)).isEqualTo("{}");
    }

    @Test
    @DisplayName("a damaged file allows nothing, is kept beside, and a new one is begun")
    void damaged() throws IOException {
        for (String content : new String[] {"{\"a\": [", "null", "", "{\"a\": null}", "[]"}) {
            Files.writeString(file, content);
            assertThat(grants().allowed(session, "run_command", "make")).isFalse();
            assertThat(file).doesNotExist();
        }
        try (var beside = Files.newDirectoryStream(file.resolveSibling("."), "grants.json.damaged-*")) {
            assertThat(beside).hasSize(5);
        }
        grants().allow(session, "run_command", "make");
        assertThat(grants().allowed(session, "run_command", "make")).isTrue();
    }

    @Test
    @DisplayName("the sessions of longest ago make room, and what a session allowed first")
    void bounded() throws IOException {
        grants().allow(session, "run_command", "make");
        IntStream.range(0, 500).forEach(i -> grants().allow(session, "run_command", "make " + i));
        assertThat(grants().allowed(session, "run_command", "make")).isFalse();
        assertThat(grants().allowed(session, "run_command", "make 0")).isTrue();
        IntStream.range(0, 200).forEach(i -> grants().allow(new SessionId("s-" + i), "run_command", "make"));
        assertThat(grants().allowed(session, "run_command", "make 0")).isFalse();
        assertThat(grants().allowed(new SessionId("s-0"), "run_command", "make"))
                .isTrue();
    }

    @Test
    @DisplayName("no tool reads or writes the file")
    void notForTools() throws IOException {
        grants().allow(session, "run_command", "make");
        Workspace workspace = new Workspace(directory);
        assertThatThrownBy(() -> workspace.toRead(".gadget/grants.json")).isInstanceOf(PathRefusedException.class);
        assertThatThrownBy(() -> workspace.toWrite(".gadget/grants.json")).isInstanceOf(PathRefusedException.class);
    }
}
