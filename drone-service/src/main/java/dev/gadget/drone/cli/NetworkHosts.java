package dev.gadget.drone.cli;

import dev.gadget.drone.network.HostSets;
import dev.gadget.drone.policy.LocalPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import picocli.CommandLine.Model.CommandSpec;

/** The hosts in the policy of a workspace, as its owner sees and changes them. */
final class NetworkHosts {
    private NetworkHosts() {}

    /** Changes them by what was named, and says what they are then; the exit code. */
    static int change(
            CommandSpec spec,
            Path workspace,
            List<String> names,
            BiConsumer<LinkedHashSet<String>, List<String>> change) {
        // No protection, only a guard against a mistake: this is for the person, not for what the agent runs.
        if (System.getenv("GADGET_CALL") != null) {
            return Failing.with(spec, "This is a command of the agent; only a person can say which hosts it reaches.");
        }
        try {
            LinkedHashSet<String> hosts =
                    new LinkedHashSet<>(LocalPolicy.of(workspace).networkHosts());
            List<String> named = names.stream()
                    .map(name -> name.strip().toLowerCase(Locale.ROOT))
                    .flatMap(name -> HostSets.of(name).stream())
                    .toList();
            change.accept(hosts, named);
            LocalPolicy.writeNetworkHosts(workspace, List.copyOf(hosts));
            return list(spec, workspace);
        } catch (IllegalArgumentException | IOException e) {
            return Failing.with(spec, String.valueOf(e.getMessage()));
        }
    }

    static int list(CommandSpec spec, Path workspace) {
        PrintWriter out = spec.commandLine().getOut();
        try {
            List<String> hosts = LocalPolicy.of(workspace).networkHosts();
            if (hosts.isEmpty()) {
                out.println("Commands in the sandbox of " + workspace + " reach no host.");
            } else {
                out.println("Commands in the sandbox of " + workspace + " reach:");
                hosts.forEach(host -> out.println("    " + host));
            }
            out.println("Sets for allow and deny:");
            HostSets.all().forEach((name, set) -> out.println("    " + name + ": " + String.join(", ", set)));
            out.flush();
            return 0;
        } catch (IllegalArgumentException e) {
            return Failing.with(spec, String.valueOf(e.getMessage()));
        }
    }
}
