package dev.gadget.drone.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.drone.web.WebAddress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
@DisplayName("The proxy of a command")
class HostProxyTest {
    private ServerSocket server;
    private String here;

    @BeforeEach
    void serve() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        here = "127.0.0.1:" + server.getLocalPort();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private static SocketChannel say(HostProxy proxy, String text) throws IOException {
        SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(proxy.socket()));
        Relay.write(client, ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
        return client;
    }

    private static String heard(SocketChannel client) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(10_000);
        while (client.read(bytes) >= 0) {}
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }

    private static String asked(HostProxy proxy, String text) throws IOException {
        try (SocketChannel client = say(proxy, text)) {
            return heard(client);
        }
    }

    @Test
    @DisplayName("sends one request to the allowed host that was asked for, with a head of its own making")
    void request() throws Exception {
        try (HostProxy proxy = HostProxy.open(new AllowedHosts(List.of(here)), List.of(here))) {
            CompletableFuture<String> seen = CompletableFuture.supplyAsync(() -> {
                try (Socket socket = server.accept()) {
                    byte[] head = new byte[4000];
                    int length = 0;
                    while (!new String(head, 0, length, StandardCharsets.UTF_8).contains("\r\n\r\nbody")) {
                        length += socket.getInputStream().read(head, length, head.length - length);
                    }
                    socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nfine".getBytes(StandardCharsets.UTF_8));
                    return new String(head, 0, length, StandardCharsets.UTF_8);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(asked(
                            proxy,
                            "POST http://" + here
                                    + "/a?b=c HTTP/1.1\r\nHost: evil.example\r\nProxy-Connection: keep-alive\r\n"
                                    + "X-Own: yes\r\nContent-Length: 4\r\n\r\nbody"))
                    .endsWith("fine");
            assertThat(seen.get(60, TimeUnit.SECONDS))
                    .isEqualTo("POST /a?b=c HTTP/1.1\r\nHost: " + here
                            + "\r\nConnection: close\r\nX-Own: yes\r\nContent-Length: 4\r\n\r\nbody");
            assertThat(proxy.refused()).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "refuses in words what is not allowed, what is inside unless the owner names it, and what it cannot read")
    void refuses() throws IOException {
        try (HostProxy proxy = HostProxy.open(new AllowedHosts(List.of(here, "example.org")), List.of())) {
            assertThat(asked(proxy, "CONNECT evil.example:443 HTTP/1.1\r\n\r\n"))
                    .startsWith("HTTP/1.1 403")
                    .contains("evil.example is not among networkHosts");
            assertThat(asked(proxy, "GET http://" + here + "/ HTTP/1.1\r\n\r\n"))
                    .startsWith("HTTP/1.1 403")
                    .contains("inside this machine");
            for (String wrong : List.of(
                    "CONNECT example.org@evil.example:443 HTTP/1.1\r\n\r\n",
                    "CONNECT example.org:443/x HTTP/1.1\r\n\r\n",
                    "CONNECT example.org HTTP/1.1\r\n\r\n",
                    "GET /relative HTTP/1.1\r\n\r\n",
                    "GET https://example.org/ HTTP/1.1\r\n\r\n",
                    "GET file:///etc/passwd HTTP/1.1\r\n\r\n",
                    "SSH-2.0-x\r\n\r\n")) {
                assertThat(asked(proxy, wrong)).as(wrong).startsWith("HTTP/1.1 403");
            }
            assertThat(proxy.refused())
                    .hasSizeBetween(3, 9)
                    .anySatisfy(why -> assertThat(why).startsWith("evil.example"));
            assertThat(Files.getPosixFilePermissions(proxy.socket().getParent()))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** The first bytes of a real client. */
    private static byte[] hello(String name) throws Exception {
        SSLEngine client = SSLContext.getDefault().createSSLEngine(name, 443);
        client.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(20_000);
        client.wrap(ByteBuffer.allocate(0), hello);
        byte[] bytes = new byte[hello.flip().remaining()];
        hello.get(bytes);
        return bytes;
    }

    /** The same message in records of so many bytes. */
    private static byte[] inRecords(byte[] hello, int each) {
        ByteBuffer message = ByteBuffer.wrap(hello, 5, hello.length - 5);
        ByteBuffer records = ByteBuffer.allocate(hello.length * 6);
        while (message.hasRemaining()) {
            byte[] part = new byte[Math.min(each, message.remaining())];
            message.get(part);
            records.put(hello, 0, 3).putShort((short) part.length).put(part);
        }
        return Arrays.copyOf(records.array(), records.position());
    }

    /** What is wrong with a tunnel to this host that begins so, when it comes in pieces of so many bytes. */
    private static String misuse(byte[] said, int each, String host) throws IOException {
        InputStream input = new ByteArrayInputStream(said) {
            @Override
            public int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(each, length));
            }
        };
        ByteBuffer first = ByteBuffer.allocate(32 << 10);
        String misuse = HostProxy.misuse(Channels.newChannel(input), first, host);
        if (misuse == null) {
            byte[] kept = new byte[first.flip().remaining()];
            first.get(kept);
            assertThat(said).as("what is passed on").startsWith(kept);
        }
        return String.valueOf(misuse);
    }

    @Test
    @DisplayName(
            "A29: a tunnel to a named host has to begin with TLS for that very name, in however many records and pieces")
    void greetings() throws Exception {
        byte[] right = hello("cdn.example");
        byte[] other = hello("other.example");
        for (int each : new int[] {1, 100, 50_000}) {
            for (byte[] hello : List.of(right, inRecords(right, 1), inRecords(right, 60))) {
                assertThat(misuse(hello, each, "cdn.example")).isEqualTo("null");
            }
            for (byte[] hello : List.of(other, inRecords(other, 1), inRecords(other, 60))) {
                assertThat(misuse(hello, each, "cdn.example")).isEqualTo("other.example");
                assertThat(misuse(hello, each, "127.0.0.1")).isEqualTo("other.example");
                assertThat(misuse(hello, each, "localhost")).isEqualTo("other.example");
            }
            // A name without a dot and an address are names that clients do not say.
            assertThat(misuse(hello("localhost"), each, "cdn.example")).isEqualTo("TLS without its name");
            assertThat(misuse(hello("localhost"), each, "localhost")).isEqualTo("null");
            assertThat(misuse(hello("127.0.0.1"), each, "127.0.0.1")).isEqualTo("null");
            assertThat(misuse(hello("127.0.0.1"), each, "127.0.0.1.example")).isEqualTo("TLS without its name");
        }
        for (String said :
                List.of("GET / HTTP/1.1\r\nHost: cdn.example\r\n\r\n", "SSH-2.0-x\r\n", "\u0016\u0003\u0001", "")) {
            byte[] bytes = said.getBytes(StandardCharsets.ISO_8859_1);
            assertThat(misuse(bytes, 7, "cdn.example")).as(said).startsWith("something else than TLS");
            assertThat(misuse(bytes, 7, "[::1]")).as(said).isEqualTo("null");
        }
        for (int length = 0; length < right.length; length++) {
            assertThat(misuse(Arrays.copyOf(right, length), 50_000, "cdn.example"))
                    .startsWith("something else than TLS");
        }
        Random random = new Random(7);
        for (int i = 0; i < 2000; i++) {
            byte[] broken = other.clone();
            broken[5 + random.nextInt(broken.length - 5)] = (byte) random.nextInt();
            assertThat(misuse(broken, 50_000, "cdn.example")).isNotEqualTo("null");
        }
    }

    @Test
    @DisplayName("A29: a greeting of TLS that does not end is not read for ever")
    void endless() throws Exception {
        byte[] endless = new byte[60_000];
        for (int i = 0; i + 6 <= endless.length; i += 6) {
            System.arraycopy(new byte[] {22, 3, 1, 0, 1, i == 0 ? (byte) 1 : 0}, 0, endless, i, 6);
        }
        assertThat(misuse(endless, 50_000, "cdn.example")).startsWith("something else than TLS");
    }

    @Test
    @DisplayName("A29: a tunnel to one host is not used for another one")
    void otherName() throws Exception {
        byte[] bytes = hello("other.example");

        try (HostProxy proxy = HostProxy.open(new AllowedHosts(List.of(here)), List.of(here));
                SocketChannel channel = say(proxy, "CONNECT " + here + " HTTP/1.1\r\n\r\n")) {
            Relay.write(channel, ByteBuffer.wrap(bytes));
            assertThat(heard(channel)).isEqualTo("HTTP/1.1 200 Connected\r\n\r\n");
            assertThat(proxy.refused()).containsExactly("a tunnel to 127.0.0.1 was used for other.example");
            assertThat(server.accept().getInputStream().read())
                    .as("nothing was passed on")
                    .isEqualTo(-1);
        }
    }

    @Test
    @DisplayName("A29: what looks like an allowed host is none")
    void lookAlikes() {
        AllowedHosts hosts = new AllowedHosts(List.of("Allowed.com", "*.below.org", "port.net:8443", "[2001:db8::1]"));
        for (String allowed : List.of(
                "https://allowed.com/",
                "http://ALLOWED.com./x",
                "https://a.below.org/",
                "https://b.a.below.org/",
                "https://port.net:8443/",
                "https://[2001:db8::1]/")) {
            assertThat(hosts.allow(WebAddress.parse(allowed))).as(allowed).isTrue();
        }
        for (String refused : List.of(
                "https://allowed.com.evil.com/",
                "https://evilallowed.com/",
                "https://allowed.com:8443/",
                "https://below.org/",
                "https://evilbelow.org/",
                "https://a.below.org:444/",
                "https://port.net/",
                "https://port.net:84430/",
                "https://xn--llowed-qof.com/")) {
            assertThat(hosts.allow(WebAddress.parse(refused))).as(refused).isFalse();
        }
        for (String wrong : List.of("https://a.org", "*", "*.org", "a b", "a.org/x", "a@b", "")) {
            assertThatThrownBy(() -> new AllowedHosts(List.of(wrong)))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("example.org");
        }
    }
}
