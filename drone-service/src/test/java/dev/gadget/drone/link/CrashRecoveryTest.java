package dev.gadget.drone.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.workspace.HeldOrder;
import dev.gadget.drone.workspace.RunningNote;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.HeldWork;
import dev.gadget.model.drone.RecoveryAction;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import dev.gadget.model.work.WorkOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class CrashRecoveryTest {
    private static final List<WorkEntry> CUT =
            List.of(new WorkEntry.RoundStarted(1, 1), new WorkEntry.Response(3, 2, "half a"));

    @TempDir
    Path directory;

    private final BlockingQueue<List<WorkEntry>> earlier = new LinkedBlockingQueue<>();
    private final WorkOrderRunner agent = (_, before, report, _, _) -> {
        earlier.add(before);
        report.roundSuperseded(1);
        report.response("all of it");
        report.complete(TurnStatus.FINISHED, null, Usage.NONE);
    };
    private FakeCodeService service;
    private WorkOrder order = Samples.order(WorkspaceId.random());

    @BeforeEach
    void start() throws Exception {
        service = new FakeCodeService();
    }

    @AfterEach
    void stop() throws Exception {
        service.close();
    }

    /** What a drone leaves behind that was killed after it had said this. */
    private void crashed(List<WorkEntry> said) throws Exception {
        var store = WorkspaceStore.open(directory, Samples.MAPPER, Clock.systemUTC());
        order = Samples.order(store.state().workspaceId());
        store.hold(HeldOrder.received(order, 1, 7, Instant.now()));
        Path file = store.folder().journals().resolve(order.workOrderId().value() + ".journal");
        try (Journal journal = Journal.open(file, Samples.MAPPER)) {
            for (WorkEntry entry : said) {
                journal.append(entry);
            }
        }
    }

    private FakeCodeService.Peer asked(boolean complete, long lastSeq) throws Exception {
        var peer = service.next();
        DroneEvent.Hello hello = peer.welcome();
        assertThat(hello.status()).isEqualTo(DroneStatus.STARTING);
        var held = peer.await(DroneEvent.CrashRecoveryRequested.class).held();
        assertThat(held)
                .isEqualTo(new HeldWork(order.workOrderId(), order.turnId(), 1, 7, lastSeq, false, complete))
                .isEqualTo(hello.held().getFirst());
        return peer;
    }

    @Test
    @DisplayName(
            "what is held from before is noted without a word on what is stored of it, until the service has said so")
    void notesNothingUnknown() throws Exception {
        crashed(CUT);
        try (var drone = RunningDrone.in(directory, service, agent)) {
            var peer = asked(false, 3);
            RunningNote before = drone.workspace.note().orElseThrow();
            peer.send(new DroneCommand.AcknowledgeWork(order.workOrderId(), 1, 2));
            answer(peer, RecoveryAction.RETRY, 2, 8, 3);
            peer.await(DroneEvent.WorkReported.class);

            assertThat(before.workOrderId()).isEqualTo(order.workOrderId());
            assertThat(before.lastSeq()).isEqualTo(3);
            assertThat(before.storedSeq()).isNull();
        }
    }

    private void answer(FakeCodeService.Peer peer, RecoveryAction action, int attempt, long fence, long fromSeq) {
        peer.send(new DroneCommand.RecoverWorkOrder(order.workOrderId(), action, attempt, fence, fromSeq));
    }

    @Test
    @DisplayName("retry: the same turn goes on from its journal under a new lease, and its numbers go on")
    void retry() throws Exception {
        crashed(CUT);
        try (var drone = RunningDrone.in(directory, service, agent)) {
            var peer = asked(false, 3);
            peer.send(new DroneCommand.OfferWorkOrder(order, 2, 8));
            assertThat(peer.await(DroneEvent.WorkOrderRejected.class).failure().code())
                    .as("nothing is taken before the old order is settled")
                    .isEqualTo(FailureCode.DRONE_BUSY);
            answer(peer, RecoveryAction.RETRY, 2, 8, 2);
            var report = peer.await(DroneEvent.WorkReported.class);
            assertThat(report.attempt()).isEqualTo(2);
            assertThat(report.fence()).isEqualTo(8);
            assertThat(report.entries().getFirst()).isEqualTo(CUT.get(1));
            assertThat(earlier.poll(60, TimeUnit.SECONDS)).isEqualTo(CUT);
            WorkEntry last = report.entries().getLast();
            while (!(last instanceof WorkEntry.WorkOrderComplete)) {
                last = peer.await(DroneEvent.WorkReported.class).entries().getLast();
            }
            assertThat(last.seq()).isEqualTo(6);
            assertThat(drone.workspace.heldOrder().orElseThrow().fence()).isEqualTo(8);
        }
    }

    @Test
    @DisplayName(
            "retry: when the journal lost its end, what the service has of it is called cut, and no number is used twice")
    void torn() throws Exception {
        crashed(List.of(
                new WorkEntry.RoundStarted(1, 1),
                new WorkEntry.UsageReported(2, Usage.NONE),
                new WorkEntry.ToolEnded(3, "c1", ToolCallState.DONE, "ok")));
        try (var drone = RunningDrone.in(directory, service, agent)) {
            var peer = asked(false, 3);
            answer(peer, RecoveryAction.RETRY, 2, 8, 9);
            assertThat(peer.await(DroneEvent.WorkReported.class).entries().getFirst())
                    .isEqualTo(cut(9));
            assertThat(earlier.poll(60, TimeUnit.SECONDS)).hasSize(4).last().isEqualTo(cut(9));
        }
        try (Journal journal = Journal.open(
                directory.resolve(".gadget/journal/" + order.workOrderId() + ".journal"), Samples.MAPPER)) {
            assertThat(journal.entries()).element(3).isEqualTo(cut(9));
        }
    }

    private static WorkEntry cut(long seq) {
        return new WorkEntry.RoundSuperseded(seq, 2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a journal that is damaged in the middle, or gone, is said and kept; nothing is run again")
    void damagedJournal(boolean gone) throws Exception {
        crashed(List.of(
                new WorkEntry.RoundStarted(1, 1),
                new WorkEntry.ToolStarted(2, "c1", null),
                new WorkEntry.ToolEnded(3, "c1", ToolCallState.DONE, "ok")));
        Path file = directory.resolve(".gadget/journal/" + order.workOrderId() + ".journal");
        if (gone) {
            Files.delete(file);
        } else {
            byte[] bytes = Files.readAllBytes(file);
            bytes[20] ^= 1;
            Files.write(file, bytes);
        }
        // The first drone stops before it is told what to do; the second one still knows.
        try (var _ = RunningDrone.in(directory, service, agent)) {
            asked(true, 0);
        }
        try (var drone = RunningDrone.in(directory, service, agent)) {
            var peer = asked(true, 0);
            answer(peer, RecoveryAction.RESUME, 1, 7, 6);
            assertThat(peer.await(DroneEvent.WorkReported.class).entries())
                    .singleElement()
                    .isInstanceOfSatisfying(WorkEntry.WorkOrderComplete.class, end -> {
                        assertThat(end.seq()).isEqualTo(6);
                        assertThat(end.failure()).extracting(Failure::code).isEqualTo(FailureCode.JOURNAL_FAILED);
                    });
            assertThat(earlier).as("the agent was not asked").isEmpty();
        }
        try (var files = Files.list(file.getParent())) {
            assertThat(files.filter(one -> one.toString().contains(".damaged-")))
                    .hasSize(gone ? 0 : 1);
        }
    }

    @Test
    @DisplayName("an order that cannot be read is kept with its journal, and the drone takes new work")
    void damagedOrder() throws Exception {
        crashed(CUT);
        Files.writeString(directory.resolve(".gadget/work-order.json"), "{\"turnId\":");
        try (var drone = RunningDrone.in(directory, service, agent)) {
            DroneEvent.Hello hello = service.next().welcome();
            assertThat(hello.held()).isEmpty();
            assertThat(hello.status()).isEqualTo(DroneStatus.AVAILABLE);
        }
        try (var files = Files.walk(directory.resolve(".gadget"))) {
            assertThat(files.map(one -> one.getFileName().toString()).filter(one -> one.contains(".damaged-")))
                    .hasSize(2)
                    .anyMatch(one -> one.startsWith("work-order.json"))
                    .anyMatch(one -> one.contains(".journal"));
        }
    }

    @Test
    @DisplayName("resume: a complete journal is sent and nothing is run; a cut on the way does not strand it")
    void resume() throws Exception {
        crashed(List.of(
                CUT.get(0), CUT.get(1), new WorkEntry.WorkOrderComplete(4, TurnStatus.FINISHED, null, Usage.NONE)));
        try (var drone = RunningDrone.in(directory, service, agent)) {
            var peer = asked(true, 4);
            answer(peer, RecoveryAction.RESUME, 1, 9, 2);
            assertThat(peer.await(DroneEvent.WorkReported.class).entries()).hasSize(2);
            peer.cut();
            peer = service.next();
            HeldWork held = peer.welcome().held().getFirst();
            assertThat(held.running())
                    .as("it is settled, and goes on like any other")
                    .isTrue();
            peer.send(new DroneCommand.ResendWork(order.workOrderId(), 1, 4));
            var report = peer.await(DroneEvent.WorkReported.class);
            assertThat(report.fence()).isEqualTo(9);
            assertThat(report.entries().getLast()).isInstanceOf(WorkEntry.WorkOrderComplete.class);
            assertThat(earlier).as("the agent was not asked").isEmpty();
            peer.send(new DroneCommand.ReleaseWorkOrder(order.workOrderId()));
            while (peer.await(DroneEvent.StatusChanged.class).status() != DroneStatus.AVAILABLE) {
                // It says busy first.
            }
            assertThat(drone.holdsOrder()).isFalse();
        }
    }

    @Test
    @DisplayName("discard: the files go, only now, and the drone can be given work")
    void discard() throws Exception {
        crashed(CUT);
        try (var drone = RunningDrone.in(directory, service, agent)) {
            var peer = asked(false, 3);
            peer.cut();
            peer = asked(false, 3);
            assertThat(drone.holdsOrder()).isTrue();
            answer(peer, RecoveryAction.DISCARD, 1, 7, 0);
            assertThat(peer.await(DroneEvent.StatusChanged.class).status()).isEqualTo(DroneStatus.AVAILABLE);
            assertThat(drone.holdsOrder()).isFalse();
            assertThat(drone.journals()).isZero();
            assertThat(drone.registered()).isEqualTo(DroneStatus.AVAILABLE);
        }
    }

    @Test
    @DisplayName("a journal without its order is removed at the start")
    void strays() throws Exception {
        crashed(CUT);
        Files.delete(directory.resolve(".gadget/work-order.json"));
        try (var drone = RunningDrone.in(directory, service, agent)) {
            assertThat(service.next().welcome().held()).isEmpty();
            assertThat(drone.journals()).isZero();
        }
    }
}
