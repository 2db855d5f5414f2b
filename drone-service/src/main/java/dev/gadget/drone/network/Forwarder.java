package dev.gadget.drone.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What runs inside the sandbox around a command: it listens on the loopback there, passes on to the proxy's socket, and tells the
 * command where it listens. It decides nothing, and uses nothing but the JDK, because it starts with every command.
 */
public final class Forwarder {
    private static final String NOT_BY_PROXY = "localhost,127.0.0.1,::1,0.0.0.0,127.0.0.0/8";

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private Forwarder() {}

    /** The socket, then the command. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.exit(run(Path.of(arguments[0]), Arrays.asList(arguments).subList(1, arguments.length)));
    }

    /** Runs the command and gives its exit status. */
    public static int run(Path socket, List<String> command) throws IOException, InterruptedException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            Thread.ofVirtual().start(() -> accept(server, socket));
            ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
            builder.environment().putAll(environment(port));
            return builder.start().waitFor();
        }
    }

    private static void accept(ServerSocketChannel server, Path socket) {
        try {
            while (true) {
                SocketChannel client = server.accept();
                Thread.ofVirtual().start(() -> pass(client, socket));
            }
        } catch (IOException e) {
            // The command has ended, and all ends with it.
            return;
        }
    }

    private static void pass(SocketChannel client, Path socket) {
        try (client;
                SocketChannel proxy = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            Relay.between(client, proxy);
        } catch (IOException e) {
            // The client sees a connection that closes.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The name of this machine, after a comma; its servers are inside, like all of the loopback. */
    private static String hostName() {
        try {
            String name = Files.readString(HOST_NAME).strip();
            return name.matches("[A-Za-z0-9._-]+") ? "," + name : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** What programs look at to find a proxy: most, Java's build tools, and Node. */
    static Map<String, String> environment(int port) {
        String address = "http://127.0.0.1:" + port;
        String direct = NOT_BY_PROXY + hostName();
        String java =
                "-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=%1$d -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=%1$d"
                        .formatted(port);
        return Map.ofEntries(
                Map.entry("HTTP_PROXY", address),
                Map.entry("http_proxy", address),
                Map.entry("HTTPS_PROXY", address),
                Map.entry("https_proxy", address),
                Map.entry("NO_PROXY", direct),
                Map.entry("no_proxy", direct),
                Map.entry("MAVEN_OPTS", java),
                Map.entry("GRADLE_OPTS", java),
                Map.entry("NODE_USE_ENV_PROXY", "1"));
    }
}
