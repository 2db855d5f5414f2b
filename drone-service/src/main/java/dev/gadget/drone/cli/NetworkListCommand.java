package dev.gadget.drone.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says which hosts commands reach. */
@Command(
        name = "list",
        description = "Says which hosts the agent's commands reach, and which sets of hosts there are.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public class NetworkListCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    WorkspaceOption workspace = new WorkspaceOption();

    @Override
    public Integer call() {
        return NetworkHosts.list(spec, workspace.path());
    }
}
