package dev.gadget.drone.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class TrustTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName("A14: what is not trusted is not started, and the report says how to trust it")
    void untrusted() throws Exception {
        try (McpBench bench = new McpBench(directory).with("one", McpBench.program("good"))) {
            assertThat(bench.start())
                    .containsExactly(
                            "MCP server one is not started: its configuration is not trusted. Look at it and trust"
                                    + " it with: gadget-drone mcp trust one --workspace " + bench.workspace);
            assertThat(bench.processes()).isZero();
            assertThat(bench.toolbox.names()).isEmpty();
        }
    }

    @Test
    @DisplayName("A14: a repository's own .mcp.json is never used")
    void repository() throws Exception {
        try (McpBench bench = new McpBench(directory)) {
            ObjectNode all = Json.object();
            all.putObject("mcpServers").set("one", McpBench.program("good"));
            Files.write(bench.workspace.resolve(".mcp.json"), Json.bytes(all));
            assertThat(bench.start()).isEmpty();
            assertThat(bench.toolbox.names()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"args", "env", "readOnlyTools", "timeoutSeconds", "cwd", "unknown", "command"})
    @DisplayName("any change of a trusted configuration needs trust again")
    void changed(String what) throws Exception {
        try (McpBench bench =
                new McpBench(directory).with("one", McpBench.program("good")).trust("one")) {
            ObjectNode other = McpBench.program("good");
            switch (what) {
                case "args" -> other.withArray("/args").add("more");
                case "env" -> other.withObject("/env").put("X", "y");
                case "readOnlyTools" -> other.putArray("readOnlyTools").add("echo");
                case "timeoutSeconds" -> other.put("timeoutSeconds", 3);
                case "cwd" -> other.put("cwd", ".");
                case "command" -> other.put("command", "/bin/sh");
                default -> other.put("unknown", 1);
            }
            bench.with("one", other);
            assertThat(bench.start()).singleElement().asString().contains("one is not started", "not trusted");
            assertThat(bench.processes()).isZero();
        }
    }

    @Test
    @DisplayName("the order of keys and the blanks between them mean nothing")
    void order() throws Exception {
        McpBench bench = new McpBench(directory);
        Files.writeString(
                bench.folder.mcpFile(), "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"args\":[\"1\",\"2\"]}}}");
        String before = bench.fingerprint("a");
        Files.writeString(
                bench.folder.mcpFile(), "{\"mcpServers\": {\"a\": {\"args\": [\"1\", \"2\"],\n \"command\": \"x\"}}}");
        assertThat(bench.fingerprint("a")).isEqualTo(before).matches("[0-9a-f]{64}");
        Files.writeString(
                bench.folder.mcpFile(), "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"args\":[\"2\",\"1\"]}}}");
        assertThat(bench.fingerprint("a")).isNotEqualTo(before);
    }

    @Test
    @DisplayName("files of the workspace that the command line names are trusted with it, but for data")
    void files() throws Exception {
        McpBench bench = new McpBench(directory);
        Path script = Files.writeString(bench.workspace.resolve("server.js"), "good");
        Path data = Files.writeString(bench.workspace.resolve("data.db"), "1");
        ObjectNode server = Json.object().put("command", "node").put("cwd", ".");
        server.putArray("args").add("server.js").add("--db=" + data);
        server.putArray("mayChange").add("--db=" + data);
        bench.with("a", server).trust("a");
        Files.writeString(data, "2");
        assertThat(bench.trusted.trusts(bench.workspace, "a", bench.fingerprint("a")))
                .isTrue();
        Files.writeString(script, "evil");
        assertThat(bench.trusted.trusts(bench.workspace, "a", bench.fingerprint("a")))
                .isFalse();
        Files.writeString(script, "good");
        assertThat(bench.trusted.trusts(bench.workspace, "a", bench.fingerprint("a")))
                .isTrue();
    }

    @Test
    @DisplayName("a file that the agent changes while the drone runs is not run when the server is started again")
    void changedWhileRunning() throws Exception {
        McpBench bench = new McpBench(directory);
        Path marker = Files.writeString(bench.workspace.resolve("code.txt"), "good");
        ObjectNode server = McpBench.program("good");
        server.withArray("/args").add(marker.toString());
        try (bench) {
            bench.with("one", server).trust("one");
            bench.start();
            Files.writeString(marker, "evil");
            assertThat(bench.call("echo", Map.of("text", "x")).ok()).isTrue();
            bench.call("crash", Map.of());
            assertThat(bench.call("echo", Map.of("text", "x")).text())
                    .contains("cannot be started", "a file of it was changed", "gadget-drone mcp trust one");
            assertThat(bench.processes()).isZero();
        }
    }

    @Test
    @DisplayName(
            "trust is for one workspace, one name and one content; it is kept for the owner only, and can be taken back")
    void store() throws Exception {
        TrustedServers trusted = TrustedServers.ofOwner(Map.of(), directory.resolve("home"));
        assertThat(trusted.file()).isEqualTo(directory.resolve("home/.config/gadget-drone/trusted-mcp.json"));
        Path one = Files.createDirectory(directory.resolve("one"));
        Path two = Files.createDirectory(directory.resolve("two"));
        trusted.trust(one, "a", "h1", Instant.EPOCH);
        trusted.trust(one, "b", "h1", Instant.EPOCH);
        assertThat(trusted.trusts(one, "a", "h1")).isTrue();
        assertThat(trusted.trusts(one, "a", "h2")).isFalse();
        assertThat(trusted.trusts(one, "c", "h1")).isFalse();
        assertThat(trusted.trusts(two, "a", "h1")).isFalse();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(trusted.file())))
                .isEqualTo("rw-------");
        trusted.trust(one, "a", "h2", Instant.EPOCH);
        assertThat(trusted.trusts(one, "a", "h1")).as("what it was before").isFalse();
        assertThat(trusted.untrust(one, "a")).isTrue();
        assertThat(trusted.untrust(one, "a")).isFalse();
        assertThat(trusted.trusts(one, "a", "h2")).isFalse();
        assertThat(trusted.trusts(one, "b", "h1")).isTrue();
    }

    @Test
    @DisplayName("trust that others could have written counts for nothing, nor what lies where the agent writes")
    void notBelieved() throws Exception {
        Path workspace = Files.createDirectory(directory.resolve("w"));
        TrustedServers trusted = TrustedServers.ofOwner(Map.of(), directory);
        trusted.trust(workspace, "a", "h", Instant.EPOCH);
        Files.setPosixFilePermissions(trusted.file(), PosixFilePermissions.fromString("rw-rw----"));
        assertThatThrownBy(() -> trusted.trusts(workspace, "a", "h")).hasMessageContaining("others can write");
        Files.setPosixFilePermissions(trusted.file(), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(trusted.file(), "{\"trusted\": [");
        assertThatThrownBy(() -> trusted.trusts(workspace, "a", "h")).hasMessageContaining("is damaged");
        for (Path inside : List.of(workspace, workspace.resolve("new"))) {
            TrustedServers bad = TrustedServers.ofOwner(Map.of("XDG_CONFIG_HOME", inside.toString()), directory);
            assertThatThrownBy(() -> bad.trust(workspace, "a", "h", Instant.EPOCH))
                    .hasMessageContaining("lies in the workspace");
        }
    }

    @Test
    @DisplayName("a server that is switched off is not started and not complained of")
    void disabled() throws Exception {
        try (McpBench bench =
                new McpBench(directory).with("one", McpBench.program("good").put("disabled", true))) {
            assertThat(bench.start()).isEmpty();
        }
    }
}
