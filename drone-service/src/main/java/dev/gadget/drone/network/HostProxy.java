package dev.gadget.drone.network;

import dev.gadget.drone.web.Deadline;
import dev.gadget.drone.web.WebAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The only way from a command in the sandbox to the network: a proxy for HTTP on a Unix socket that is bound into the sandbox. It
 * lets allowed hosts through, and to inner addresses only where the owner allows that by name. One belongs to one command.
 */
public final class HostProxy implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(HostProxy.class);
    private static final int MAX_HEAD = 16 * 1024;
    private static final int MAX_CONNECTIONS = 64;
    private static final int MAX_REFUSED = 20;
    private static final int CONNECTS_WITHIN_MILLIS = 10_000;
    private static final Duration GREETS_WITHIN = Duration.ofSeconds(20);
    private static final Pattern LITERAL = Pattern.compile("\\[.*|[0-9.]+");

    private final AllowedHosts hosts;
    private final List<String> inner;
    private final Path folder;
    private final ServerSocketChannel server;
    private final Semaphore free = new Semaphore(MAX_CONNECTIONS);
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private final Set<String> refused = new LinkedHashSet<>();

    private HostProxy(AllowedHosts hosts, List<String> inner, Path folder, ServerSocketChannel server) {
        this.hosts = hosts;
        this.inner = List.copyOf(inner);
        this.folder = folder;
        this.server = server;
    }

    /**
     * Listens on a socket that only this user reaches.
     *
     * @param inner hosts inside the machine's own network that may be reached when they are among the allowed ones
     */
    public static HostProxy open(AllowedHosts hosts, List<String> inner) throws IOException {
        // Not in the workspace: the path of a socket has at most 107 bytes.
        Path folder = Files.createTempDirectory(
                "gadget-net-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(folder.resolve("proxy")));
        var proxy = new HostProxy(hosts, inner, folder, server);
        Thread.ofVirtual().name("host-proxy").start(proxy::accept);
        return proxy;
    }

    /** Where it listens. */
    public Path socket() {
        return folder.resolve("proxy");
    }

    /** What was refused so far, in words, each once. */
    public List<String> refused() {
        synchronized (refused) {
            return List.copyOf(refused);
        }
    }

    private void accept() {
        try {
            while (true) {
                free.acquireUninterruptibly();
                SocketChannel client = server.accept();
                open.add(client);
                Thread.ofVirtual().name("host-proxy-client").start(() -> serve(client));
            }
        } catch (IOException e) {
            LOG.debugf("the proxy of a command is closed: %s", e.getMessage());
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            ByteBuffer bytes = ByteBuffer.allocate(MAX_HEAD);
            int end = readHead(client, bytes);
            String head = new String(bytes.array(), 0, end, StandardCharsets.ISO_8859_1);
            ByteBuffer rest = ByteBuffer.wrap(bytes.array(), end + 4, bytes.position() - end - 4);
            answer(client, head, rest);
        } catch (IOException e) {
            LOG.debugf("a connection of a command broke: %s", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(client);
            free.release();
        }
    }

    /** Where the empty line is; what follows it was read, too. */
    private static int readHead(SocketChannel client, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining() && client.read(bytes) >= 0) {
            int end = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1).indexOf("\r\n\r\n");
            if (end >= 0) {
                return end;
            }
        }
        throw new IOException("no whole head of a request came");
    }

    private void answer(SocketChannel client, String head, ByteBuffer rest) throws IOException, InterruptedException {
        ProxyRequest request;
        try {
            request = ProxyRequest.parse(head);
            if (!hosts.allow(request.address())) {
                refuse(
                        client,
                        request.address().authority()
                                + " is not among networkHosts of .gadget/policy.json, which the machine's owner can change: gadget-drone network allow "
                                + HostSets.nameOf(request.address().authority()));
                return;
            }
            try (SocketChannel target = dial(request.address())) {
                open.add(target);
                pass(client, target, request, rest);
                open.remove(target);
            }
        } catch (IllegalArgumentException e) {
            refuse(client, String.valueOf(e.getMessage()));
        } catch (UnknownHostException e) {
            reply(client, "502 Bad Gateway", "there is no host of that name: " + e.getMessage());
        }
    }

    private SocketChannel dial(WebAddress address) throws IOException {
        SocketChannel target = SocketChannel.open();
        try {
            target.socket()
                    .connect(new InetSocketAddress(address.resolve(inner), address.port()), CONNECTS_WITHIN_MILLIS);
            return target;
        } catch (IOException | RuntimeException e) {
            target.close();
            throw e;
        }
    }

    private void pass(SocketChannel client, SocketChannel target, ProxyRequest request, ByteBuffer rest)
            throws IOException, InterruptedException {
        Relay.write(target, ByteBuffer.wrap(request.head()));
        ByteBuffer first = rest;
        if (request.tunnel()) {
            Relay.write(client, ByteBuffer.wrap("HTTP/1.1 200 Connected\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
            first = ByteBuffer.allocate(2 * MAX_HEAD).put(rest);
            String misuse = misuse(client, first, request.address().host());
            if (misuse != null) {
                refusedFor("a tunnel to " + request.address().host() + " was used for " + misuse);
                return;
            }
            first.flip();
        }
        Relay.write(target, first);
        Relay.between(client, target);
    }

    /**
     * Reads what the client says first, and tells in words when it is not for this host: many hosts share an address, and who reaches
     * one of them reaches all. Clients name no server that is an address, and some none without a dot.
     */
    static @Nullable String misuse(ReadableByteChannel client, ByteBuffer first, String host) throws IOException {
        boolean named = host.contains(".") && !LITERAL.matcher(host).matches();
        Deadline deadline = Deadline.of(client, GREETS_WITHIN);
        try (deadline) {
            String name = ClientHello.read(client, first).serverName().orElse("");
            return name.equals(host) || name.isEmpty() && !named
                    ? null
                    : name.isEmpty() ? "TLS without its name" : name;
        } catch (ClientHello.NotTlsException e) {
            return named ? "something else than TLS for it: " + e.getMessage() : null;
        } catch (IOException e) {
            if (deadline.passed()) {
                return "nothing within " + GREETS_WITHIN.toSeconds() + " seconds";
            }
            throw e;
        }
    }

    private void refuse(SocketChannel client, String why) throws IOException {
        refusedFor(why);
        reply(client, "403 Forbidden", why);
    }

    private void refusedFor(String why) {
        synchronized (refused) {
            if (refused.size() < MAX_REFUSED) {
                refused.add(why);
            }
        }
    }

    private static void reply(SocketChannel client, String status, String why) throws IOException {
        byte[] body = ("gadget: the network is closed here: " + why + ".\n").getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + status + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                + body.length + "\r\nConnection: close\r\n\r\n";
        Relay.write(client, ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)));
        Relay.write(client, ByteBuffer.wrap(body));
    }

    /** Ends every connection. */
    @Override
    public void close() {
        try {
            server.close();
            open.forEach(Relay::close);
            Files.deleteIfExists(socket());
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            LOG.debugf("the socket %s stays behind: %s", socket(), e.getMessage());
        }
    }
}
