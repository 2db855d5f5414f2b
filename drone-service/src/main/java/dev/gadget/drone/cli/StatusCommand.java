package dev.gadget.drone.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.workspace.WorkspaceLock;
import dev.gadget.drone.workspace.WorkspaceState;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.drone.workspace.WorkspaceUnusableException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says what is known of a workspace on this machine. */
@Command(
        name = "status",
        description = "Says whether a drone is enrolled and runs in this workspace, and what it works on.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public class StatusCommand implements Callable<Integer> {
    private final ObjectMapper mapper;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    WorkspaceOption workspace = new WorkspaceOption();

    StatusCommand(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (!Files.exists(workspace.path().resolve(".gadget"))) {
            return Failing.with(spec, workspace.path() + " is no workspace yet: gadget-drone enroll makes it one.");
        }
        try {
            WorkspaceStore store = WorkspaceStore.open(workspace.path(), mapper, Clock.systemUTC());
            var credential = store.credential();
            WorkspaceState state = store.state();
            out.println("workspace  " + state.workspaceId() + " in "
                    + store.folder().workspace());
            out.println("enrolled   "
                    + credential
                            .map(one -> "at " + one.server() + " as " + one.droneId())
                            .orElse("no"));
            out.println("running    " + (WorkspaceLock.isTaken(store.folder()) ? "yes" : "no"));
            out.println("holds      "
                    + store.heldOrder().map(one -> "turn " + one.turnId()).orElse("nothing"));
            out.flush();
            return 0;
        } catch (WorkspaceUnusableException e) {
            return Failing.with(spec, String.valueOf(e.getMessage()));
        }
    }
}
