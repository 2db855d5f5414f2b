package dev.gadget.drone.link;

import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.exam.ModelExamTest;
import dev.gadget.drone.policy.Sandbox;
import dev.gadget.drone.terminal.TerminalAccess;
import dev.gadget.drone.tool.BackgroundProcesses;
import dev.gadget.drone.workspace.Credential;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.model.drone.DroneStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A drone in a directory, with an agent of the test's own. */
final class RunningDrone implements AutoCloseable {
    final WorkspaceStore workspace;
    private final Path directory;
    private final DroneLink link;
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();

    private RunningDrone(Path directory, String server, WorkOrderRunner agent, BackgroundProcesses processes)
            throws Exception {
        this.directory = directory;
        workspace = WorkspaceStore.open(directory, Samples.MAPPER, Clock.systemUTC());
        link = new DroneLink(
                workspace,
                new Credential(server, FakeCodeService.DRONE, "the-credential", null),
                agent,
                Sandbox.off(),
                ModelExamTest.exam(),
                TerminalAccess.find(true),
                processes,
                Samples.MAPPER,
                "0");
        Thread.ofVirtual().start(this::run);
    }

    static RunningDrone in(Path directory, FakeCodeService service, WorkOrderRunner agent) throws Exception {
        return in(directory, service, agent, new BackgroundProcesses());
    }

    static RunningDrone in(
            Path directory, FakeCodeService service, WorkOrderRunner agent, BackgroundProcesses processes)
            throws Exception {
        return new RunningDrone(directory, service.address(), agent, processes);
    }

    private void run() {
        try {
            link.run();
            end.complete(true);
        } catch (Exception e) {
            end.completeExceptionally(e);
        }
    }

    /** Why it ended by itself. */
    Throwable failure() throws Exception {
        try {
            end.get(60, TimeUnit.SECONDS);
            throw new AssertionError("it ended well");
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }

    void awaitEnd() throws Exception {
        end.get(60, TimeUnit.SECONDS);
    }

    void stop() {
        link.stop();
    }

    DroneStatus registered() {
        return Objects.requireNonNull(workspace.state().registration()).status();
    }

    boolean holdsOrder() {
        return Files.exists(directory.resolve(".gadget/work-order.json"));
    }

    long journals() throws Exception {
        try (Stream<Path> files = Files.list(workspace.folder().journals())) {
            return files.count();
        }
    }

    /** Returns when it writes nothing more; how it ended is the matter of the test. */
    @Override
    public void close() throws InterruptedException {
        link.stop();
        try {
            end.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return;
        } catch (TimeoutException e) {
            throw new AssertionError("the drone does not stop", e);
        }
    }
}
