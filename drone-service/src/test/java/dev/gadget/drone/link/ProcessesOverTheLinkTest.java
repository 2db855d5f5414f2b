package dev.gadget.drone.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.tool.BackgroundProcesses;
import dev.gadget.drone.tool.StartProcessTool;
import dev.gadget.drone.tool.ToolInvocation;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.process.BackgroundProcess;
import dev.gadget.model.process.ProcessAction;
import dev.gadget.model.process.ProcessStatus;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.WorkOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a person asks of processes in the background over a real socket, with real processes. */
@Timeout(180)
class ProcessesOverTheLinkTest {
    private static final SessionId SESSION = new SessionId("s-1");
    private static final WorkOrderRunner IDLE =
            (_, _, report, _, _) -> report.complete(TurnStatus.FINISHED, null, Usage.NONE);

    private final BackgroundProcesses processes = new BackgroundProcesses("");

    @TempDir
    Path directory;

    private FakeCodeService service;

    @BeforeEach
    void start() throws Exception {
        service = new FakeCodeService();
        startProcess("echo hello; sleep 300");
    }

    private void startProcess(String command) throws IOException, InterruptedException {
        new StartProcessTool(processes, new CommandSandbox())
                .run(new ToolInvocation(
                        "c",
                        SESSION,
                        false,
                        Map.of("command", command),
                        new Workspace(directory),
                        _ -> {},
                        new CancelSignal()));
    }

    @AfterEach
    void stop() throws Exception {
        processes.stopAll(SESSION);
        service.close();
    }

    private static DroneEvent.ProcessesAnswered ask(
            FakeCodeService.Peer peer, SessionId session, ProcessAction action, @Nullable String process)
            throws InterruptedException {
        peer.send(new DroneCommand.RequestProcesses("r-" + action, session, action, process));
        DroneEvent.ProcessesAnswered answer = peer.await(DroneEvent.ProcessesAnswered.class);
        assertThat(answer.requestId()).isEqualTo("r-" + action);
        return answer;
    }

    private static ProcessStatus status(FakeCodeService.Peer peer) throws InterruptedException {
        return ask(peer, SESSION, ProcessAction.LIST, null)
                .processes()
                .getFirst()
                .status();
    }

    @Test
    @DisplayName("they are listed, read and stopped for a person, and only in their own session")
    void listsReadsAndStops() throws Exception {
        try (var _ = RunningDrone.in(directory, service, IDLE, processes)) {
            var peer = service.welcome();
            for (var answer = ask(peer, SESSION, ProcessAction.OUTPUT, "p1");
                    !"hello\n".equals(answer.output());
                    answer = ask(peer, SESSION, ProcessAction.OUTPUT, "p1")) {
                assertThat(answer.output()).isEmpty();
            }
            assertThat(ask(peer, SESSION, ProcessAction.LIST, null).processes())
                    .singleElement()
                    .satisfies(one -> {
                        assertThat(one.command()).isEqualTo("echo hello; sleep 300");
                        assertThat(one.lastOutput()).isEqualTo("hello");
                    });

            var foreign = new SessionId("s-2");
            assertThat(ask(peer, foreign, ProcessAction.LIST, null).processes()).isEmpty();
            for (ProcessAction action : new ProcessAction[] {ProcessAction.OUTPUT, ProcessAction.STOP}) {
                Failure failure =
                        Objects.requireNonNull(ask(peer, foreign, action, "p1").failure());
                assertThat(failure.code()).isEqualTo(FailureCode.NOT_FOUND);
            }
            assertThat(status(peer)).isEqualTo(ProcessStatus.RUNNING);

            var stopped = ask(peer, SESSION, ProcessAction.STOP, "p1");
            assertThat(stopped.processes())
                    .singleElement()
                    .satisfies(one -> assertThat(one.status()).isEqualTo(ProcessStatus.STOPPED));
        }
    }

    @Test
    @DisplayName("a session that is put away or deleted leaves nothing running")
    void endsWithItsSession() throws Exception {
        try (var _ = RunningDrone.in(directory, service, IDLE, processes)) {
            var peer = service.welcome();
            var project = new ProjectRef(new ProjectId("p"), "shop", null, false);
            peer.send(new DroneCommand.ForgetSession(new SessionId("s-2"), project));
            assertThat(peer.await(DroneEvent.SessionForgotten.class).sessionId())
                    .isEqualTo(new SessionId("s-2"));
            assertThat(status(peer)).isEqualTo(ProcessStatus.RUNNING);

            peer.send(new DroneCommand.ForgetSession(SESSION, project));

            while (status(peer) == ProcessStatus.RUNNING) {
                Thread.onSpinWait();
            }
            assertThat(status(peer)).isEqualTo(ProcessStatus.STOPPED);
        }
    }

    @Test
    @DisplayName("what the turn of a deleted session had begun to start ends, too, before that is answered")
    void endsWhatItsTurnStarts() throws Exception {
        var gone = new CountDownLatch(1);
        WorkOrderRunner starts = (_, _, report, _, _) -> {
            try {
                gone.await();
                startProcess("sleep 301");
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            report.complete(TurnStatus.FINISHED, null, Usage.NONE);
        };
        try (var drone = RunningDrone.in(directory, service, starts, processes)) {
            var peer = service.welcome();
            WorkOrder order = Samples.order(drone.workspace.state().workspaceId());
            peer.send(new DroneCommand.OfferWorkOrder(order, 1, 7));
            peer.await(DroneEvent.WorkOrderAccepted.class);
            peer.send(new DroneCommand.StartWorkOrder(order.workOrderId(), 1, 7));
            peer.send(new DroneCommand.ForgetSession(SESSION, null));
            while (status(peer) == ProcessStatus.RUNNING) {
                Thread.onSpinWait();
            }

            gone.countDown();

            peer.await(DroneEvent.SessionForgotten.class);
            var all = ask(peer, SESSION, ProcessAction.LIST, null).processes();
            assertThat(all)
                    .extracting(BackgroundProcess::command)
                    .containsExactly("echo hello; sleep 300", "sleep 301");
            while (ask(peer, SESSION, ProcessAction.LIST, null).processes().stream()
                    .anyMatch(one -> one.status() == ProcessStatus.RUNNING)) {
                Thread.onSpinWait();
            }
        }
    }
}
