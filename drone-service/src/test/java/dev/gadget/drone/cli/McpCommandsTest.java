package dev.gadget.drone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Each command is a process of its own, with an owner's configuration directory of its own. */
@Timeout(180)
class McpCommandsTest {
    @TempDir
    Path directory;

    private Path workspace;
    private Path config;

    /** The commands without the rest of the drone. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            System.exit(new CommandLine(new McpCommand()).execute(arguments));
        }
    }

    private record Said(int exit, String text) {}

    @BeforeEach
    void make() throws IOException {
        workspace = Files.createDirectories(directory.resolve("work")).toRealPath();
        config = directory.resolve("config");
        Files.createDirectory(workspace.resolve(".gadget"));
    }

    private void write(String servers) throws IOException {
        Files.writeString(workspace.resolve(".gadget/mcp.json"), "{\"mcpServers\": " + servers + "}");
    }

    private Said mcp(List<String> environment, String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName()));
        line.addAll(List.of(arguments));
        line.addAll(List.of("--workspace", workspace.toString()));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("XDG_CONFIG_HOME", config.toString());
        builder.environment().remove("GADGET_CALL");
        environment.forEach(name -> builder.environment().put(name, "1"));
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Said(process.exitValue(), text);
    }

    private Said mcp(String... arguments) throws Exception {
        return mcp(List.of(), arguments);
    }

    @Test
    @DisplayName("list shows what would run and hides what may be a secret; trust and untrust change it")
    void life() throws Exception {
        Files.writeString(workspace.resolve("tool.js"), "1");
        Files.writeString(workspace.resolve(".mcp.json"), "{}");
        write("""
                {"files": {"command": "node", "args": ["/srv/a b.js", "tool.js"], "env": {"KEY": "secret-1", "U": "${OWN}"}},
                 "web": {"url": "https://127.0.0.1:1/mcp", "headers": {"Authorization": "secret-2"}, "readOnlyTools": ["get"]},
                 "odd name": {"command": "x"}}""");
        Said before = mcp("list");
        assertThat(before.exit()).isZero();
        assertThat(before.text())
                .contains("files  not trusted", "web  not trusted", "odd name  cannot be used: a server's name has")
                .contains("outside the sandbox: node '/srv/a b.js' tool.js", "sets KEY, U, with OWN of the drone's")
                .contains("tool.js is a file of the workspace, but the server does not run there")
                .contains("at https://127.0.0.1:1/mcp", "sends the headers Authorization", "never asked for: get")
                .contains(".mcp.json of the workspace is not used")
                .doesNotContain("secret-");

        assertThat(mcp("trust", "files").text()).contains("files is trusted now.", "started again");
        assertThat(mcp("list").text()).contains("files  trusted", "web  not trusted");
        Path store = config.resolve("gadget-drone/trusted-mcp.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store)))
                .isEqualTo("rw-------");
        assertThat(store).content().contains(workspace.toString()).doesNotContain("secret-");

        assertThat(mcp("trust").text()).contains("web is trusted now.").doesNotContain("files is trusted");
        assertThat(mcp("trust").text()).contains("There is nothing to trust");
        assertThat(mcp("untrust", "files").text()).contains("files is not trusted any more");
        assertThat(mcp("list").text()).contains("files  not trusted", "web  trusted");
    }

    @Test
    @DisplayName("a changed configuration is not trusted any more")
    void changed() throws Exception {
        write("{\"a\": {\"command\": \"x\"}}");
        assertThat(mcp("trust", "a").exit()).isZero();
        write("{\"a\": {\"command\": \"x\", \"args\": [\"--evil\"]}}");
        assertThat(mcp("list").text()).contains("a  not trusted");
    }

    @Test
    @DisplayName("what cannot be done is one line, with what there is")
    void refused() throws Exception {
        assertThat(mcp("list").text()).contains("No MCP servers");
        write("{\"a\": {\"command\": \"x\"}}");
        Said unknown = mcp("trust", "b");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.text()).contains("There is no server 'b'", "it names a.");
        assertThat(mcp("untrust", "a").text()).contains("'a' is not trusted in");
        Said agent = mcp(List.of("GADGET_CALL"), "trust", "a");
        assertThat(agent.exit()).isEqualTo(1);
        assertThat(agent.text()).contains("only a person can trust a server");
        write("{");
        assertThat(mcp("list").text()).contains("mcp.json cannot be used: it is not JSON at line");
        config = workspace.resolve("config");
        write("{\"a\": {\"command\": \"x\"}}");
        assertThat(mcp("trust", "a").text()).contains("lies in the workspace");
    }
}
