package dev.gadget.drone.cli;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lets commands reach hosts. */
@Command(
        name = "allow",
        description = "Lets the agent's commands reach hosts by HTTP and HTTPS, from the next command on.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public class NetworkAllowCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    WorkspaceOption workspace = new WorkspaceOption();

    @Parameters(
            arity = "1..*",
            paramLabel = "HOST",
            description =
                    "a host (example.org, *.example.org, example.org:8443), or a set of them: npm, maven, gradle, pypi, go, cargo")
    List<String> names = List.of();

    @Override
    public Integer call() {
        return NetworkHosts.change(spec, workspace.path(), names, LinkedHashSet::addAll);
    }
}
