package dev.gadget.drone.cli;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes hosts out of those that commands reach. */
@Command(
        name = "deny",
        description = "Takes hosts out of those that the agent's commands reach, from the next command on.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public class NetworkDenyCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    WorkspaceOption workspace = new WorkspaceOption();

    @Parameters(arity = "1..*", paramLabel = "HOST", description = "a host, or a set of them, as for allow")
    List<String> names = List.of();

    @Override
    public Integer call() {
        return NetworkHosts.change(spec, workspace.path(), names, LinkedHashSet::removeAll);
    }
}
