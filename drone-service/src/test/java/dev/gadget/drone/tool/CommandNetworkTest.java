package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.policy.Sandbox;
import dev.gadget.drone.workspace.GadgetFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
@DisplayName("A28: a command in the sandbox reaches the hosts that the machine's owner names, and nothing else")
class CommandNetworkTest {
    @TempDir
    Path root;

    @TempDir
    Path served;

    private HttpServer server;
    private String here;
    private Tool tool;

    @BeforeEach
    void start() throws IOException {
        Sandbox found = Sandbox.find(Sandbox.Mode.REQUIRE, false, List.of(), GadgetFolder.open(root));
        assumeTrue(found.works(), found.report());
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is not installed");
        CommandSandbox sandbox = new CommandSandbox();
        sandbox.use(found);
        tool = new RunCommandTool(sandbox, new BackgroundProcesses());
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::file);
        server.start();
        here = "127.0.0.1:" + server.getAddress().getPort();
        Files.writeString(served.resolve("page.txt"), "the page");
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    private void file(HttpExchange exchange) throws IOException {
        Path file = served.resolve(exchange.getRequestURI().getPath().substring(1));
        boolean there = Files.isRegularFile(file);
        try (OutputStream body = exchange.getResponseBody()) {
            exchange.sendResponseHeaders(there ? 200 : 404, there ? Files.size(file) : -1);
            if (there) {
                Files.copy(file, body);
            }
        }
    }

    private void policy(String json) throws IOException {
        Files.createDirectories(root.resolve(".gadget"));
        Files.writeString(root.resolve(".gadget/policy.json"), json.replace("HERE", here));
    }

    private String run(String command) throws Exception {
        return new ToolBench(root).run(tool, Map.of("command", command)).text();
    }

    @Test
    @DisplayName("by plain HTTP, through a tunnel, and by git; the exit code of the command stays its own")
    void allowed() throws Exception {
        policy("{\"networkHosts\": [\"HERE\"], \"fetchHosts\": [\"HERE\"]}");
        // The variable that keeps a proxy away from loopback addresses is for servers inside.
        String curl = "curl -sS --noproxy '' ";
        assertThat(run(curl + "http://" + here + "/page.txt")).isEqualTo("Exit code 0.\nthe page");
        assertThat(run(curl + "--proxytunnel http://" + here + "/page.txt; exit 7"))
                .isEqualTo("Exit code 7.\nthe page");
        assertThat(run("echo $HTTPS_PROXY $MAVEN_OPTS")).contains("http://127.0.0.1:", "-Dhttps.proxyPort=");

        Path repository = served.resolve("shop.git");
        for (List<String> git : List.of(
                List.of("git", "init", "-q", "--bare", repository.toString()),
                List.of("git", "--git-dir", repository.toString(), "update-server-info"))) {
            assertThat(new ProcessBuilder(git).inheritIO().start().waitFor()).isZero();
        }
        assertThat(run("NO_PROXY= no_proxy= git clone -q http://" + here + "/shop.git && ls"))
                .contains("Exit code 0.", "shop");
    }

    @Test
    @DisplayName("another host is refused in words, to the command and to the model; sockets of its own lead nowhere")
    void refused() throws Exception {
        policy("{\"networkHosts\": [\"packages.example\"], \"fetchHosts\": [\"HERE\"]}");
        String answer = run("curl -sS --noproxy '' http://" + here + "/page.txt; curl -sS https://evil.example/ 2>&1");
        assertThat(answer)
                .contains(here + " is not among networkHosts of .gadget/policy.json", "response 403")
                .contains("[the network was refused: " + here + " is not among", "evil.example is not among")
                .doesNotContain("the page");
        assertThat(run("curl -sS --noproxy '*' http://" + here + "/page.txt 2>&1"))
                .contains("Exit code 7.")
                .doesNotContain("the page");
        assertThat(run("cat /proc/net/dev | tail -n +3 | cut -d: -f1")).isEqualTo("Exit code 0.\n    lo\n");
    }

    @Test
    @DisplayName("A30: a host inside the machine's own network needs to be named as one")
    void inner() throws Exception {
        policy("{\"networkHosts\": [\"HERE\"]}");
        assertThat(run("curl -sS --noproxy '' http://" + here + "/page.txt"))
                .contains("inside this machine or its own network", "[the network was refused:")
                .doesNotContain("the page");
    }

    @Test
    @DisplayName(
            "without hosts a download is refused at once, with what the owner can do; what wants no network has no proxy")
    void none() throws Exception {
        policy("{}");
        assertThat(run("curl -sS https://registry.npmjs.org/left-pad 2>&1"))
                .contains("response 403", "[the network was refused: registry.npmjs.org is not among networkHosts")
                .contains("gadget-drone network allow npm");
        assertThat(run("curl -sS https://evil.example/ 2>&1")).contains("gadget-drone network allow evil.example");
        assertThat(run("ls /run/gadget-network")).contains("No such file");
    }

    @Test
    @DisplayName(
            "servers inside are reached without the proxy, by any address of the loopback and by the machine's name")
    void inside() throws Exception {
        policy("{}");
        for (String server : List.of("localhost", "0.0.0.0", "127.0.0.1", "$(cat /proc/sys/kernel/hostname)")) {
            assertThat(run("curl -sS http://" + server + ":1/ 2>&1"))
                    .as(server)
                    .startsWith("Exit code ")
                    .doesNotContain("Exit code 0.", "network is closed", "network was refused");
        }
        assertThat(run("echo $NO_PROXY $no_proxy"))
                .matches(
                        "(?s)Exit code 0\\.\n(localhost,127\\.0\\.0\\.1,::1,0\\.0\\.0\\.0,127\\.0\\.0\\.0/8\\S*\\s){2}");
    }
}
