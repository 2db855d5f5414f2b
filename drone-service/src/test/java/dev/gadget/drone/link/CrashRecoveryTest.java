package dev.gadget.drone.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.workspace.HeldOrder;
import dev.gadget.drone.workspace.RunningNote;
import dev.gadget.drone.workspace.WorkspaceState;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.drone.workspace.WorkspaceUnusableException;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProjectId;
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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
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

    private Path journalFile() {
        return directory.resolve(".gadget/journal/" + order.workOrderId() + ".journal");
    }

    @Test
    @DisplayName(
            "S1-79: for how long a turn was worked on is known after a restart; of one that an older drone left nothing is, and what is torn counts as nothing")
    void worked() throws Exception {
        BlockingQueue<Duration> known = new LinkedBlockingQueue<>();
        WorkOrderRunner works = (_, _, report, _, cancel) -> {
            known.add(report.workedBefore());
            report.worked(report.workedBefore().plusSeconds(90));
            var over = new CountDownLatch(1);
            cancel.onCancel(over::countDown);
            awaited(over);
        };
        crashed(CUT);
        for (int attempt = 2; attempt <= 5; attempt++) {
            if (attempt == 5) {
                Files.write(WorkedTime.besides(journalFile()), new byte[] {1});
            }
            try (var drone = RunningDrone.in(directory, service, works)) {
                var peer = service.next();
                peer.welcome();
                peer.await(DroneEvent.CrashRecoveryRequested.class);
                answer(peer, RecoveryAction.RETRY, attempt, 6 + attempt, 1);
                assertThat(known.poll(60, TimeUnit.SECONDS))
                        .isEqualTo(Duration.ofSeconds(List.of(0, 90, 180, 0).get(attempt - 2)));
                awaitKept(Duration.ofSeconds(List.of(90, 180, 270, 90).get(attempt - 2)));
                assertThat(drone.holdsOrder()).isTrue();
            }
        }
        try (var drone = RunningDrone.in(directory, service, works)) {
            var peer = service.next();
            peer.welcome();
            peer.await(DroneEvent.CrashRecoveryRequested.class);
            answer(peer, RecoveryAction.DISCARD, 5, 11, 0);
            peer.await(DroneEvent.StatusChanged.class);
            assertThat(drone.journals()).isZero();
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitKept(Duration worked) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!WorkedTime.of(journalFile()).before().equals(worked) && System.nanoTime() < until) {
            Thread.sleep(10);
        }
        assertThat(WorkedTime.of(journalFile()).before()).isEqualTo(worked);
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
        try (Journal journal = Journal.open(journalFile(), Samples.MAPPER)) {
            assertThat(journal.entries()).element(3).isEqualTo(cut(9));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 9})
    @DisplayName(
            "F28: with no room for its recovery files the turn ends in words under the new lease; with room again the next order is taken")
    void noRoom(long fromSeq) throws Exception {
        crashed(CUT);
        Path inTheWay = Files.createDirectories(directory.resolve(".gadget/work-order.json.new/x"));
        try (var drone = RunningDrone.in(directory, service, agent)) {
            var peer = asked(false, 3);
            answer(peer, RecoveryAction.RETRY, 2, 8, fromSeq);
            var report = peer.await(DroneEvent.WorkReported.class);
            assertThat(report.attempt()).isEqualTo(2);
            assertThat(report.fence()).isEqualTo(8);
            WorkEntry last = report.entries().getLast();
            assertThat(last).isInstanceOfSatisfying(WorkEntry.WorkOrderComplete.class, end -> {
                assertThat(end.seq()).isEqualTo(Math.max(4, fromSeq));
                assertThat(end.status()).isEqualTo(TurnStatus.FAILED);
                assertThat(end.failure()).isNotNull().satisfies(why -> {
                    assertThat(why.code()).isEqualTo(FailureCode.JOURNAL_FAILED);
                    assertThat(why.message()).contains("recovery files", "Free some space");
                });
            });
            assertThat(earlier).as("the agent was not asked").isEmpty();

            peer.cut();
            peer = service.next();
            assertThat(peer.welcome().held())
                    .containsExactly(new HeldWork(order.workOrderId(), order.turnId(), 2, 8, last.seq(), true, true));
            peer.send(new DroneCommand.ReleaseWorkOrder(order.workOrderId()));
            while (peer.await(DroneEvent.StatusChanged.class).status() != DroneStatus.AVAILABLE) {
                // It says busy first.
            }
            Files.delete(inTheWay);
            WorkOrder next = Samples.order(drone.workspace.state().workspaceId());
            peer.send(new DroneCommand.OfferWorkOrder(next, 1, 1));
            peer.await(DroneEvent.WorkOrderAccepted.class);
            peer.send(new DroneCommand.StartWorkOrder(next.workOrderId(), 1, 1));
            while (!(last instanceof WorkEntry.WorkOrderComplete end && end.status() == TurnStatus.FINISHED)) {
                last = peer.await(DroneEvent.WorkReported.class).entries().getLast();
            }
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
    @DisplayName(
            "a whole journal of a newer drone stays as it is, and its drone says which file it is and what to do; moved away, the turn ends")
    void newerJournal() throws Exception {
        crashed(CUT);
        Path file = directory.resolve(".gadget/journal/" + order.workOrderId() + ".journal");
        byte[] json = "{\"type\":\"pondered\",\"seq\":4}".getBytes(StandardCharsets.UTF_8);
        var crc = new CRC32C();
        crc.update(json);
        Files.write(
                file,
                ByteBuffer.allocate(8 + json.length)
                        .putInt(json.length)
                        .putInt((int) crc.getValue())
                        .put(json)
                        .array(),
                StandardOpenOption.APPEND);
        byte[] whole = Files.readAllBytes(file);

        try (var drone = RunningDrone.in(directory, service, agent)) {
            assertThat(drone.failure())
                    .isInstanceOf(WorkspaceUnusableException.class)
                    .hasMessageContainingAll(
                            file.getFileName().toString(),
                            "does not understand",
                            "Start that drone again",
                            "move the file away");
        }
        assertThat(file).hasBinaryContent(whole);

        Files.move(file, directory.resolve("kept.journal"));
        try (var _ = RunningDrone.in(directory, service, agent)) {
            var peer = asked(true, 0);
            answer(peer, RecoveryAction.RESUME, 1, 7, 3);
            assertThat(peer.await(DroneEvent.WorkReported.class).entries())
                    .singleElement()
                    .isInstanceOf(WorkEntry.WorkOrderComplete.class);
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
    @DisplayName("S1-62: a journal without its order is removed at the start, and so are the locks that it left")
    void strays() throws Exception {
        crashed(CUT);
        WorkspaceStore.open(directory, Samples.MAPPER, Clock.systemUTC())
                .lock(
                        new WorkspaceState.SessionLock(order.chatSessionId(), "a session", Instant.EPOCH),
                        new WorkspaceState.ProjectLock(ProjectId.random(), "shop", null, Instant.EPOCH));
        Files.delete(directory.resolve(".gadget/work-order.json"));
        try (var drone = RunningDrone.in(directory, service, agent)) {
            assertThat(service.next().welcome().held()).isEmpty();
            assertThat(drone.journals()).isZero();
            assertThat(drone.workspace.state().chatSession()).isNull();
            assertThat(drone.workspace.state().lockedProject()).isNull();
        }
    }
}
