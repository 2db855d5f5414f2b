package dev.gadget.drone.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.tool.ToolInvocation;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.drone.tool.WebFetchTool;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A22, A29: pages are fetched from where they may be, and from nowhere else. */
class WebFetchTest {
    @TempDir
    Path directory;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(
                Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory()));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private int port() {
        return server.getAddress().getPort();
    }

    private void serve(String path, int status, String type, byte[] body) {
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().add("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
    }

    private void redirect(String path, String location) {
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().add("Location", location);
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
    }

    private void allow(String... hosts) throws IOException {
        Path folder = Files.createDirectories(directory.resolve(".gadget"));
        Files.writeString(
                folder.resolve("policy.json"), "{\"fetchHosts\": [\"" + String.join("\", \"", hosts) + "\"]}");
    }

    private ToolResult fetch(String url) throws Exception {
        return new WebFetchTool()
                .run(new ToolInvocation(
                        "c", Map.of("url", url), new Workspace(directory), text -> {}, new CancelSignal()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:PORT/",
                "http://localhost:PORT/",
                "http://[::1]:PORT/",
                "http://0:PORT/",
                "http://2130706433:PORT/",
                "http://0.0.0.0:PORT/",
                "http://[::ffff:127.0.0.1]:PORT/",
                "http://127.1:PORT/",
                "http://169.254.169.254/latest/meta-data",
                "http://10.0.0.1/",
                "http://192.168.1.1/",
                "http://172.16.0.1/",
                "http://100.64.0.1/",
                "http://[fd00::1]/",
                "http://[fe80::1]/",
                "http://[64:ff9b::7f00:1]/",
                "http://[2002:7f00:1::]/",
                "http://224.0.0.1/",
                "http://localhost.:PORT/"
            })
    @DisplayName("A22: this machine and its network are not reached, in whatever way they are written")
    void inside(String url) throws Exception {
        boolean[] reached = {false};
        server.createContext("/", exchange -> {
            reached[0] = true;
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        ToolResult result = fetch(url.replace("PORT", String.valueOf(port())));
        assertThat(result.ok()).isFalse();
        assertThat(result.text()).startsWith("Not fetched");
        assertThat(reached[0]).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "ftp://example.org/",
                "gopher://example.org/",
                "jar:http://x!/y",
                "//example.org",
                "example.org",
                "",
                "http://",
                "http://user:pw@example.org/",
                "http://exam ple.org/",
                "http://example.org\u0000.evil.org/",
                "http://ex\u00e4mple.org/",
                "http://example.org:99999/",
                "http://example.org\\@evil.org/",
                "javascript:alert(1)"
            })
    @DisplayName("A29: what is not plainly one web address is no address")
    void odd(String url) throws Exception {
        assertThat(fetch(url).ok()).isFalse();
    }

    @Test
    @DisplayName("A29: what was decided on is what is dialled")
    void parsedOnce() {
        assertThat(WebAddress.parse("HTTP://Example.ORG.:80/a?b").toString()).isEqualTo("http://example.org/a?b");
        assertThat(WebAddress.parse("https://example.org:8443").authority()).isEqualTo("example.org:8443");
        assertThat(new WebFetchTool().scope(Map.of("url", "https://a.org/x"))).isEqualTo("a.org");
        assertThat(new WebFetchTool().scope(Map.of("url", "https://a.org.evil.org/x")))
                .isEqualTo("a.org.evil.org");
        assertThatThrownBy(() ->
                        WebAddress.parse("http://127.0.0.1:" + port() + "/").resolve(java.util.List.of("127.0.0.1")))
                .hasMessageContaining("fetchHosts");
    }

    @Test
    @DisplayName("the text of a page, with its title and its links, and without its scripts")
    void html() throws Exception {
        allow("127.0.0.1:" + port());
        String page =
                "<html><head><title>A page</title><script>evil()</script></head><body><h1>Head</h1><p>One <b>two</b></p>"
                        + "<ul><li>first</li><li><a href='/next'>next</a></li></ul><style>x{}</style></body></html>";
        serve("/page", 200, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8));
        ToolResult result = fetch("http://127.0.0.1:" + port() + "/page");
        assertThat(result.ok()).isTrue();
        assertThat(result.text())
                .contains("# A page", "Head\n", "One two", "next (http://127.0.0.1:" + port() + "/next)")
                .doesNotContain("evil", "x{}");
        serve("/gone", 404, "text/plain", "no such thing".getBytes(StandardCharsets.UTF_8));
        assertThat(fetch("http://127.0.0.1:" + port() + "/gone").text()).contains("answered with 404", "no such thing");
        serve("/image", 200, "image/png", new byte[10]);
        assertThat(fetch("http://127.0.0.1:" + port() + "/image").text()).contains("not text");
    }

    @Test
    @DisplayName("the code of a page keeps its lines, its indentation and what looks like a line break in it")
    void code() throws Exception {
        allow("127.0.0.1:" + port());
        String page = "<body><pre>    first\n\tsecond\n</pre><div> <p> Run   this, with \\n at its end: </p> </div>"
                + "<pre><code>def f(x):\n    <span>if</span> x:\n        printf(\"x\\n\");\n\n\n    return x</code></pre>"
                + "Then <b>that</b>.<pre>one<br>  two</pre></body>";
        serve("/code", 200, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8));
        String text = fetch("http://127.0.0.1:" + port() + "/code").text();
        assertThat(text)
                .startsWith("    first\n\tsecond\n")
                .contains("\nRun this, with \\n at its end:\n")
                .contains("\ndef f(x):\n    if x:\n        printf(\"x\\n\");\n\n\n    return x\nThen that.\n")
                .endsWith("\none\n  two");
    }

    @Test
    @DisplayName("redirections are followed on the same host, checked each time, and told when they lead elsewhere")
    void redirections() throws Exception {
        allow("127.0.0.1:" + port());
        serve("/end", 200, "text/plain", "the end".getBytes(StandardCharsets.UTF_8));
        redirect("/once", "/end");
        redirect("/loop", "/loop");
        redirect("/away", "http://169.254.169.254/latest");
        redirect("/other", "http://127.0.0.1:1/x");
        redirect("/file", "file:///etc/passwd");
        String base = "http://127.0.0.1:" + port();
        assertThat(fetch(base + "/once").text()).isEqualTo("the end");
        assertThat(fetch(base + "/loop").text()).contains("on and on");
        assertThat(fetch(base + "/away").text()).contains("another host");
        assertThat(fetch(base + "/other").text()).startsWith("Not fetched");
        assertThat(fetch(base + "/file").text()).startsWith("Not fetched");
    }

    @Test
    @DisplayName("A22: a body without end and a bomb of zeros are cut, and the drone's memory is not filled")
    void large() throws Exception {
        allow("127.0.0.1:" + port());
        server.createContext("/endless", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, 0);
            byte[] piece = "a".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
            try (OutputStream out = exchange.getResponseBody()) {
                for (int i = 0; i < 100_000; i++) {
                    out.write(piece);
                }
            }
        });
        server.createContext("/bomb", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/plain");
            exchange.getResponseHeaders().add("Content-Encoding", "gzip");
            exchange.sendResponseHeaders(200, 0);
            byte[] zeros = new byte[1 << 20];
            try (OutputStream out = new GZIPOutputStream(exchange.getResponseBody())) {
                for (int i = 0; i < 10_000; i++) {
                    out.write(zeros);
                }
            }
        });
        for (String path : new String[] {"/endless", "/bomb"}) {
            WebPage page = WebPage.get(
                    WebAddress.parse("http://127.0.0.1:" + port() + path),
                    java.util.List.of("127.0.0.1:" + port()),
                    new CancelSignal(),
                    Duration.ofSeconds(60));
            assertThat(page.body()).hasSize(WebPage.MAX_BYTES);
            assertThat(page.cut()).isTrue();
        }
        assertThat(fetch("http://127.0.0.1:" + port() + "/endless").text()).contains("go on with offset=40000");
    }

    @Test
    @Timeout(60)
    @DisplayName("A22: a server that says a little again and again does not hold a call for longer than it may take")
    void trickles() throws Exception {
        try (ServerSocket trickling = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket client = trickling.accept()) {
                    client.getOutputStream().write("HTTP/1.1 200 OK\r\nX-Long: ".getBytes(StandardCharsets.US_ASCII));
                    while (true) {
                        client.getOutputStream().write('a');
                        Thread.sleep(100);
                    }
                } catch (IOException | InterruptedException e) {
                    return;
                }
            });
            allow("127.0.0.1:" + trickling.getLocalPort());
            ToolResult result = new WebFetchTool(Duration.ofSeconds(1))
                    .run(new ToolInvocation(
                            "c",
                            Map.of("url", "http://127.0.0.1:" + trickling.getLocalPort() + "/"),
                            new Workspace(directory),
                            text -> {},
                            new CancelSignal()));
            assertThat(result.ok()).isFalse();
            assertThat(result.text()).contains("took longer");
        }
    }
}
