package dev.gadget.drone.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.exam.ModelExam;
import dev.gadget.drone.link.DroneLink;
import dev.gadget.drone.link.LinkEndedException;
import dev.gadget.drone.mcp.McpServers;
import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.policy.LocalPolicy;
import dev.gadget.drone.policy.Sandbox;
import dev.gadget.drone.process.ProcessMarks;
import dev.gadget.drone.process.ProcessTree;
import dev.gadget.drone.terminal.TerminalAccess;
import dev.gadget.drone.tool.BackgroundProcesses;
import dev.gadget.drone.workspace.Credential;
import dev.gadget.drone.workspace.WorkspaceInUseException;
import dev.gadget.drone.workspace.WorkspaceLock;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.drone.workspace.WorkspaceUnusableException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import sun.misc.Signal;

/** Connects the drone of a workspace and works until it is stopped. */
@Command(
        name = "run",
        description = "Connects to the code service and works on its prompts, until stopped.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public class RunCommand implements Callable<Integer> {
    private static final Logger LOG = Logger.getLogger(RunCommand.class);
    private static final Duration MCP_PATIENCE = Duration.ofSeconds(5);

    private final ObjectMapper mapper;
    private final WorkOrderRunner agent;
    private final ModelExam exam;
    private final CurrentWorkspace current;
    private final CommandSandbox sandbox;
    private final McpServers mcp;
    private final BackgroundProcesses processes;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    WorkspaceOption workspace = new WorkspaceOption();

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "the code service, when it has another address than at the enrolment")
    @Nullable
    String server;

    @Option(
            names = "--sandbox",
            paramLabel = "auto|require|off",
            defaultValue = "${env:GADGET_SANDBOX:-auto}",
            description = "auto: commands run in a sandbox, and are asked for where none works; require: no command"
                    + " without one; off: none (default: auto; GADGET_SANDBOX)")
    String sandboxMode = "auto";

    @Option(
            names = "--sandbox-network",
            defaultValue = "${env:GADGET_SANDBOX_NETWORK:-false}",
            description = "commands in the sandbox may use the network (GADGET_SANDBOX_NETWORK=true)")
    boolean sandboxNetwork;

    @Option(
            names = "--sandbox-write",
            paramLabel = "DIR",
            description = "commands in the sandbox may write this directory, too; can be given again")
    List<Path> sandboxWritable = List.of();

    @Option(
            names = "--terminal",
            defaultValue = "${env:GADGET_TERMINAL:-false}",
            description = "you get terminals in the page: shells on this machine, with your rights and outside of the"
                    + " sandbox (GADGET_TERMINAL=true)")
    boolean terminal;

    @Option(
            names = "--log-level",
            paramLabel = "error|warn|info|debug",
            defaultValue = "${env:GADGET_LOG_LEVEL:-info}",
            description = "how much is logged; never what is said or asked for (default: info; GADGET_LOG_LEVEL)")
    String logLevel = "info";

    RunCommand(
            ObjectMapper mapper,
            WorkOrderRunner agent,
            ModelExam exam,
            CurrentWorkspace current,
            CommandSandbox sandbox,
            McpServers mcp,
            BackgroundProcesses processes) {
        this.processes = processes;
        this.exam = exam;
        this.mcp = mcp;
        this.sandbox = sandbox;
        this.mapper = mapper;
        this.agent = agent;
        this.current = current;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            WorkspaceStore store = WorkspaceStore.open(workspace.path(), mapper, Clock.systemUTC());
            try (var lock = WorkspaceLock.take(store.folder())) {
                store.forgetNote();
                return run(store);
            }
        } catch (IllegalArgumentException | WorkspaceUnusableException | LinkEndedException e) {
            return Failing.with(spec, String.valueOf(e.getMessage()), exitCode(e));
        }
    }

    private static int exitCode(Exception why) {
        return switch (why) {
            case LinkEndedException _ -> Failing.REFUSED;
            case WorkspaceInUseException _ -> Failing.IN_USE;
            case NotEnrolledException _ -> Failing.NOT_ENROLLED;
            case IllegalArgumentException _ -> CommandLine.ExitCode.USAGE;
            default -> CommandLine.ExitCode.SOFTWARE;
        };
    }

    /** There is no credential in the workspace. */
    private static final class NotEnrolledException extends WorkspaceUnusableException {
        private static final long serialVersionUID = 1L;

        NotEnrolledException(Path workspace) {
            super("This workspace has no drone yet. Enrol it first: gadget-drone enroll --server URL --code CODE"
                    + " --workspace " + workspace);
        }
    }

    private int run(WorkspaceStore store) throws WorkspaceUnusableException, LinkEndedException, InterruptedException {
        Level level = DroneLog.level(logLevel);
        Credential credential = credential(store);
        if (ServerAddress.parse(credential.server()).insecure()) {
            spec.commandLine()
                    .getErr()
                    .println("warning: " + credential.server()
                            + " is not encrypted; prompts and code can be read on the way.");
        }
        current.use(store);
        DroneLog.openIn(store.folder(), level);
        endLeftOvers(store);
        sandbox.use(Sandbox.find(
                Sandbox.Mode.of(sandboxMode),
                sandboxNetwork,
                sandboxWritable.stream()
                        .map(path -> path.toAbsolutePath().normalize())
                        .toList(),
                store.folder()));
        spec.commandLine().getOut().println(sandbox.get().report());
        mcp.start(store.folder(), McpWorkspace.owners(), System.getenv(), ProgramVersion.value());
        try {
            connect(store, credential);
        } finally {
            mcp.close();
        }
        return 0;
    }

    /** What a drone that was killed left running would go on changing the workspace beside this one. */
    private static void endLeftOvers(WorkspaceStore store) {
        String mark = ProcessMarks.ofWorkspace(
                store.state().workspaceId().value(), store.folder().workspace());
        for (ProcessHandle ended : ProcessTree.killMarked(ProcessMarks.assignment(mark))) {
            LOG.warnf("ended what an earlier drone of this workspace left running pid=%d", ended.pid());
        }
        ProcessMarks.workIn(mark);
    }

    private void connect(WorkspaceStore store, Credential credential)
            throws WorkspaceUnusableException, LinkEndedException, InterruptedException {
        mcp.report(MCP_PATIENCE).forEach(spec.commandLine().getOut()::println);
        spec.commandLine()
                .getOut()
                .println(LocalPolicy.of(store.folder().workspace()).report());
        TerminalAccess terminals = TerminalAccess.find(terminal);
        spec.commandLine().getOut().println(terminals.report());
        spec.commandLine()
                .getOut()
                .println("Working in " + store.folder().workspace() + " for " + credential.server()
                        + ". Stop with Ctrl-C.");
        spec.commandLine().getOut().flush();
        var link = new DroneLink(
                store, credential, agent, sandbox.get(), exam, terminals, processes, mapper, ProgramVersion.value());
        for (String name : List.of("TERM", "INT")) {
            Signal.handle(
                    new Signal(name), _ -> Thread.ofPlatform().name("stop").start(link::stop));
        }
        link.run();
    }

    private Credential credential(WorkspaceStore store) throws WorkspaceUnusableException {
        Credential known = store.credential()
                .orElseThrow(() -> new NotEnrolledException(store.folder().workspace()));
        return server == null
                ? known
                : new Credential(
                        ServerAddress.parse(server).toString(),
                        known.droneId(),
                        known.credential(),
                        known.workspaceId());
    }
}
