package dev.gadget.drone.network;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The network of one command: its proxy, and the program that leads there from inside the sandbox. */
public final class CommandNetwork implements AutoCloseable {
    /** Where the proxy's socket is inside. */
    public static final Path INSIDE = Path.of("/run/gadget-network");

    private final HostProxy proxy;
    private final HelperProgram helper;

    private CommandNetwork(HostProxy proxy, HelperProgram helper) {
        this.proxy = proxy;
        this.helper = helper;
    }

    /** To these hosts, and to those inside the machine's own network that are named. */
    public static CommandNetwork to(AllowedHosts hosts, List<String> inner) throws IOException {
        HelperProgram helper = HelperProgram.find()
                .orElseThrow(() ->
                        new IOException("networkHosts cannot be obeyed: this program does not find its own files"));
        return new CommandNetwork(HostProxy.open(hosts, inner), helper);
    }

    /** The proxy's socket, outside. */
    public Path socket() {
        return proxy.socket();
    }

    /** What has to be seen inside. */
    public List<Path> files() {
        return helper.files();
    }

    /** The line that runs a command with this network, inside. */
    public List<String> wrap(List<String> command) {
        List<String> line = new ArrayList<>(helper.line());
        line.add(INSIDE.toString());
        line.addAll(command);
        return line;
    }

    /** What was refused so far, in words. */
    public List<String> refused() {
        return proxy.refused();
    }

    @Override
    public void close() {
        proxy.close();
    }
}
