package dev.gadget.drone.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class McpConfigTest {
    @TempDir
    Path directory;

    private McpConfig read(String text) throws Exception {
        return McpConfig.read(Files.writeString(directory.resolve("mcp.json"), text));
    }

    @Test
    @DisplayName("the format that others use: programs with arguments and environment, addresses with headers")
    void good() throws Exception {
        McpConfig config = read("""
                {"mcpServers": {
                  "files": {"command": "npx", "args": ["-y", "server"], "env": {"A": "b"}, "cwd": "sub", "autoApprove": ["x"]},
                  "web": {"type": "http", "url": "https://mcp.example.org/mcp", "headers": {"Authorization": "Bearer t"},
                          "readOnlyTools": ["get"], "timeoutSeconds": 5, "startTimeoutSeconds": 6, "disabled": true}}}""");
        assertThat(config.unusable()).isEmpty();
        assertThat(config.servers()).hasSize(2);
        assertThat(config.servers().getFirst()).isInstanceOfSatisfying(ServerConfig.Stdio.class, files -> {
            assertThat(files.command()).isEqualTo("npx");
            assertThat(files.args()).containsExactly("-y", "server");
            assertThat(files.env()).isEqualTo(Map.of("A", "b"));
            assertThat(files.directory(Path.of("/w"))).isEqualTo(Path.of("/w/sub"));
            assertThat(files.common().ignored()).containsExactly("autoApprove");
            assertThat(files.common().readOnlyTools()).isEmpty();
        });
        assertThat(config.servers().getLast()).isInstanceOfSatisfying(ServerConfig.Http.class, web -> {
            assertThat(web.url()).hasToString("https://mcp.example.org/mcp");
            assertThat(web.headers()).containsOnlyKeys("Authorization");
            assertThat(web.common().readOnlyTools()).containsExactly("get");
            assertThat(web.common().answersWithin()).isEqualTo(Duration.ofSeconds(5));
            assertThat(web.common().startsWithin()).isEqualTo(Duration.ofSeconds(6));
            assertThat(web.common().disabled()).isTrue();
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a b    | {"command": "x"}                                    | a server's name has
            a__b   | {"command": "x"}                                    | a server's name has
            x      | []                                                  | has to be an object
            x      | {}                                                  | either `command` or `url`
            x      | {"command": "x", "url": "http://h/"}                | either `command` or `url`
            x      | {"command": 1}                                      | `command` has to be text
            x      | {"command": " "}                                    | `command` is empty
            x      | {"command": "x", "type": "http"}                    | is of type stdio
            x      | {"command": "x", "args": "y"}                       | `args` has to be a list of texts
            x      | {"command": "x", "args": [1]}                       | `args` has to be text
            x      | {"command": "x", "args": ["a\\u0000b"]}             | `args` has to be text
            x      | {"command": "x", "env": {"A=B": "c"}}               | no name of a variable
            x      | {"command": "x", "env": {"A": null}}                | `env` has to be text
            x      | {"command": "x", "readOnlyTools": true}             | `readOnlyTools` has to be a list
            x      | {"command": "x", "timeoutSeconds": 0}               | from 1 to 3600
            x      | {"command": "x", "disabled": "no"}                  | true or false
            x      | {"url": "file:///etc/passwd"}                       | has to begin with https://
            x      | {"url": "https://user:secret@h/"}                   | has to begin with https://
            x      | {"url": "no address"}                               | is not an address
            x      | {"url": "https://h/", "type": "sse"}                | streamable HTTP
            x      | {"url": "https://h/", "headers": {"Host": "other"}} | cannot be set
            """)
    @DisplayName("what cannot be used is named with the reason, and spoils no other server")
    void bad(String name, String server, String why) throws Exception {
        McpConfig config = read("{\"mcpServers\": {\"" + name + "\": " + server + ", \"good\": {\"command\": \"x\"}}}");
        assertThat(config.servers()).extracting(ServerConfig::name).containsExactly("good");
        assertThat(config.unusable()).singleElement().satisfies(one -> {
            assertThat(one.name()).isEqualTo(name);
            assertThat(one.why()).contains(why).doesNotContain("secret");
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"mcpServers": {"a": {"env": {"T": "hunter2" "U": 1}}}}          | not JSON at line 1
            {"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}   | a key twice
            {"servers": {}}                                                  | no object `mcpServers`
            []                                                               | no object `mcpServers`
            {"mcpServers": {}} {}                                            | not JSON
            """)
    @DisplayName("a damaged file is said with the place, without its content")
    void damaged(String text, String why) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(McpException.class)
                .hasMessageContaining(directory.resolve("mcp.json").toString())
                .hasMessageContaining(why)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    @DisplayName("no file is no server; a directory, or more than can be meant, is refused")
    void edges() throws Exception {
        assertThat(McpConfig.read(directory.resolve("mcp.json"))).isEqualTo(new McpConfig(List.of(), List.of()));
        assertThatThrownBy(() -> read(" ".repeat(300_000))).hasMessageContaining("larger than 256 KiB");
        Files.delete(directory.resolve("mcp.json"));
        Files.createDirectory(directory.resolve("mcp.json"));
        assertThatThrownBy(() -> McpConfig.read(directory.resolve("mcp.json"))).hasMessageContaining("is not a file");
    }
}
