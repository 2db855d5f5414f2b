package dev.gadget.drone.cli;

import dev.gadget.drone.network.Forwarder;
import dev.gadget.drone.network.HelperProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What the native program runs as around a command in the sandbox; nobody calls it by hand. */
@Command(name = HelperProgram.COMMAND, hidden = true, description = "Leads a command in the sandbox to its proxy.")
public class ForwardNetworkCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "SOCKET")
    Path socket = Path.of("");

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND")
    List<String> command = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return Forwarder.run(socket, command);
    }
}
