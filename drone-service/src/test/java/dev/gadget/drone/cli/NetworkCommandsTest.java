package dev.gadget.drone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.policy.LocalPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the owner lets commands reach, by command. */
class NetworkCommandsTest {
    @TempDir
    Path workspace;

    private Path policy = Path.of("");
    private final StringWriter said = new StringWriter();

    @BeforeEach
    void folder() throws IOException {
        policy = Files.createDirectory(workspace.resolve(".gadget")).resolve("policy.json");
    }

    private int network(String... words) {
        List<String> line = new ArrayList<>(List.of(words));
        line.addAll(List.of("--workspace", workspace.toString()));
        PrintWriter out = new PrintWriter(said, true);
        return new CommandLine(new NetworkCommand()).setOut(out).setErr(out).execute(line.toArray(String[]::new));
    }

    @Test
    @DisplayName("allows sets and hosts, each once, takes them out again, and leaves what else the owner wrote")
    void allowsAndDenies() throws IOException {
        Files.writeString(
                policy,
                "{\"rules\": [{\"action\": \"deny\", \"command\": \"git push *\"}], \"networkHosts\": [\"localhost:3000\"]}");
        assertThat(network("allow", "npm", "*.Example.org", "registry.npmjs.org"))
                .isZero();
        assertThat(said.toString()).contains("registry.npmjs.org", "*.example.org", "localhost:3000");
        assertThat(network("deny", "localhost:3000", "registry.yarnpkg.com")).isZero();
        LocalPolicy now = LocalPolicy.of(workspace);
        assertThat(now.networkHosts()).containsExactly("registry.npmjs.org", "*.example.org");
        assertThat(now.rules()).hasSize(1);
        assertThat(Files.readString(policy)).contains("git push *").doesNotContain("fetchHosts", "null");
    }

    @Test
    @DisplayName("makes the file where there is none, and says so of nothing that is allowed")
    void makes() {
        assertThat(network("list")).isZero();
        assertThat(said.toString()).contains("reach no host", "maven: repo.maven.apache.org");
        assertThat(policy).doesNotExist();
        assertThat(network("allow", "maven")).isZero();
        assertThat(LocalPolicy.of(workspace).networkHosts())
                .containsExactly("repo.maven.apache.org", "repo1.maven.org");
    }

    @Test
    @DisplayName("what is no host, no policy or no workspace is said, and nothing is changed")
    void refuses() throws IOException {
        assertThat(network("allow", "https://example.org/")).isEqualTo(1);
        assertThat(said.toString()).contains("'https://example.org/', which is no host: write example.org");
        assertThat(policy).doesNotExist();
        Files.writeString(policy, "{\"netHosts\": []}");
        assertThat(network("allow", "npm")).isEqualTo(1);
        assertThat(said.toString()).contains("cannot be read as a policy");
        assertThat(Files.readString(policy)).isEqualTo("{\"netHosts\": []}");
        Files.delete(policy);
        Files.delete(workspace.resolve(".gadget"));
        assertThat(network("allow", "npm")).isEqualTo(1);
        assertThat(said.toString()).contains("is no workspace of a drone");
    }
}
