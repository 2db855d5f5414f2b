package dev.gadget.drone.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.agent.WorkReport;
import dev.gadget.drone.policy.SessionGrants;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.workspace.RunningNote;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProjectId;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.TurnFilesAction;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.WorkEntry;
import dev.gadget.model.work.WorkOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class DroneLinkTest {
    private static final WorkOrderRunner SAYS_HELLO = (_, _, report, _, _) -> {
        report.roundStarted(1);
        report.response("hello");
        report.complete(TurnStatus.FINISHED, null, Usage.NONE);
    };
    private static final WorkOrderRunner WAITS = (_, _, report, _, cancel) -> {
        report.response("working");
        var cancelled = new CountDownLatch(1);
        try (var onCancel = cancel.onCancel(cancelled::countDown)) {
            cancelled.await();
            report.complete(TurnStatus.CANCELLED, null, Usage.NONE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    };

    @TempDir
    Path directory;

    private FakeCodeService service;

    @BeforeEach
    void start() throws Exception {
        service = new FakeCodeService();
    }

    @AfterEach
    void stop() throws Exception {
        service.close();
    }

    private static WorkOrder give(FakeCodeService.Peer peer, WorkspaceId workspace) throws InterruptedException {
        WorkOrder order = Samples.order(workspace);
        peer.send(new DroneCommand.OfferWorkOrder(order, 1, 7));
        var accepted = peer.await(DroneEvent.WorkOrderAccepted.class);
        assertThat(accepted).isEqualTo(new DroneEvent.WorkOrderAccepted(order.workOrderId(), 1, 7));
        peer.send(new DroneCommand.StartWorkOrder(order.workOrderId(), 1, 7));
        return order;
    }

    /** Reads reports until the end of the turn; each has to follow on what came before. */
    private static List<WorkEntry> toTheEnd(FakeCodeService.Peer peer) throws InterruptedException {
        List<WorkEntry> entries = new ArrayList<>();
        while (entries.isEmpty() || !(entries.getLast() instanceof WorkEntry.WorkOrderComplete)) {
            for (WorkEntry entry : peer.await(DroneEvent.WorkReported.class).entries()) {
                if (!entries.isEmpty()) {
                    assertThat(entry.firstSeq()).isEqualTo(entries.getLast().seq() + 1);
                }
                entries.add(entry);
            }
        }
        return entries;
    }

    @Test
    @DisplayName("an order is accepted when it is on disk, worked on, and removed when the service says so")
    void wholeLife() throws Exception {
        try (var drone = RunningDrone.in(directory, service, SAYS_HELLO)) {
            var peer = service.next();
            assertThat(peer.authorization()).isEqualTo("Bearer the-credential");
            DroneEvent.Hello hello = peer.welcome();
            assertThat(hello.workspaceId()).isEqualTo(drone.workspace.state().workspaceId());
            assertThat(hello.held()).isEmpty();
            WorkOrder order = give(peer, hello.workspaceId());
            assertThat(drone.holdsOrder()).isTrue();
            List<WorkEntry> entries = toTheEnd(peer);
            assertThat(entries.getFirst()).isEqualTo(new WorkEntry.RoundStarted(1, 1));
            assertThat(Samples.text(entries)).isEqualTo("hello");
            peer.send(new DroneCommand.AcknowledgeWork(order.workOrderId(), 1, 3));
            peer.send(new DroneCommand.ReleaseWorkOrder(order.workOrderId()));
            assertThat(peer.await(DroneEvent.StatusChanged.class).status()).isEqualTo(DroneStatus.AVAILABLE);
            assertThat(drone.holdsOrder()).isFalse();
            assertThat(drone.journals()).isZero();
            give(peer, hello.workspaceId());
            assertThat(Samples.text(toTheEnd(peer))).as("the next one").isEqualTo("hello");
        }
    }

    @Test
    @DisplayName(
            "what it is connected to, since when, and what it holds stands in running.json for who asks on the machine")
    void notesItself() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        WorkOrderRunner waits = (order, earlier, report, approvals, cancel) -> {
            report.roundStarted(1);
            report.response("hello");
            try {
                assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            report.complete(TurnStatus.FINISHED, null, Usage.NONE);
        };
        try (var drone = RunningDrone.in(directory, service, waits)) {
            var peer = service.next();
            DroneEvent.Hello hello = peer.welcome();
            RunningNote connected = noted(drone, RunningNote::connected);
            assertThat(connected.server()).isEqualTo(service.address());
            assertThat(connected.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(connected.lost()).isNull();
            WorkOrder order = give(peer, hello.workspaceId());
            peer.await(DroneEvent.WorkReported.class);
            peer.send(new DroneCommand.AcknowledgeWork(order.workOrderId(), 1, 1));
            RunningNote holds = noted(drone, note -> Long.valueOf(1).equals(note.storedSeq()));
            assertThat(holds.workOrderId()).isEqualTo(order.workOrderId());
            assertThat(holds.lastSeq()).isGreaterThanOrEqualTo(1);
            peer.close(1012);
            RunningNote away = noted(drone, note -> !note.connected());
            // Its own words may be met by the end, which is then told without the code.
            assertThat(away.lost()).contains("the connection was lost");
            assertThat(away.since()).isAfterOrEqualTo(connected.since());
            goOn.countDown();
        }
    }

    private static RunningNote noted(RunningDrone drone, Predicate<RunningNote> wanted) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (; ; ) {
            Optional<RunningNote> note = drone.workspace.note().filter(wanted);
            if (note.isPresent()) {
                return note.get();
            }
            assertThat(System.nanoTime()).as("noted in time").isLessThan(until);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    /** Finishes at once; a title comes when it is let, unless something else is wanted of the model. */
    private static final class Titles implements WorkOrderRunner {
        static final Usage TITLE_USAGE = new Usage(3, 2, 0, null);

        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch let = new CountDownLatch(1);
        final CountDownLatch stopped = new CountDownLatch(1);
        volatile TurnStatus ends = TurnStatus.FINISHED;

        @Override
        public void run(
                WorkOrder order, List<WorkEntry> earlier, WorkReport report, Approvals approvals, CancelSignal cancel) {
            report.complete(ends, null, new Usage(7, 5, 0, null));
        }

        @Override
        public Optional<Title> title(WorkOrder order, Usage used, CancelSignal cancel) {
            asked.countDown();
            cancel.onCancel(() -> {
                stopped.countDown();
                let.countDown();
            });
            try {
                return let.await(60, TimeUnit.SECONDS)
                        ? Optional.of(new Title("After " + used.outputTokens(), TITLE_USAGE))
                        : Optional.empty();
            } catch (InterruptedException e) {
                return Optional.empty();
            }
        }
    }

    @Test
    @DisplayName(
            "a title is asked for when the turn is released and the drone is free; one that did not finish gives none")
    void titles() throws Exception {
        var titles = new Titles();
        titles.ends = TurnStatus.CANCELLED;
        try (var drone = RunningDrone.in(directory, service, titles)) {
            var peer = service.welcome();
            WorkOrder cancelled = give(peer, drone.workspace.state().workspaceId());
            toTheEnd(peer);
            peer.send(new DroneCommand.ReleaseWorkOrder(cancelled.workOrderId()));
            titles.ends = TurnStatus.FINISHED;
            WorkOrder order = give(peer, drone.workspace.state().workspaceId());
            toTheEnd(peer);
            assertThat(titles.asked.getCount()).isOne();
            peer.send(new DroneCommand.ReleaseWorkOrder(order.workOrderId()));
            assertThat(titles.asked.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(drone.holdsOrder()).isFalse();
            titles.let.countDown();
            assertThat(peer.await(DroneEvent.SessionTitled.class))
                    .isEqualTo(new DroneEvent.SessionTitled(order.chatSessionId(), "After 5", Titles.TITLE_USAGE));
        }
    }

    @Test
    @DisplayName(
            "a deleted session is forgotten when no turn runs, and that is answered; the next order is taken all the same")
    void forgets() throws Exception {
        var titles = new Titles();
        try (var drone = RunningDrone.in(directory, service, titles)) {
            var peer = service.welcome();
            WorkOrder order = give(peer, drone.workspace.state().workspaceId());
            var project = new ProjectRef(new ProjectId("p-1"), "shop", null, true);
            var gone = List.of("gone-1", "gone-2", "gone-3");
            var grants = new SessionGrants(() -> directory);
            grants.allow(new SessionId("gone-2"), "run_command", "make");
            grants.allow(new SessionId("stays"), "run_command", "make");
            for (String session : gone) {
                peer.send(new DroneCommand.ForgetSession(new SessionId(session), project));
            }
            // What it forgets may be told before the end or after it.
            List<String> forgotten = new ArrayList<>();
            for (boolean ended = false; !ended || forgotten.size() < gone.size(); ) {
                switch (peer.await(DroneEvent.class)) {
                    case DroneEvent.SessionForgotten told ->
                        forgotten.add(told.sessionId().value());
                    case DroneEvent.WorkReported report
                    when report.entries().getLast() instanceof WorkEntry.WorkOrderComplete -> {
                        ended = true;
                        peer.send(new DroneCommand.ReleaseWorkOrder(order.workOrderId()));
                    }
                    default -> {}
                }
            }
            assertThat(forgotten).isEqualTo(gone);
            assertThat(grants.allowed(new SessionId("gone-2"), "run_command", "make"))
                    .isFalse();
            assertThat(grants.allowed(new SessionId("stays"), "run_command", "make"))
                    .isTrue();
            WorkOrder next = give(peer, drone.workspace.state().workspaceId());
            assertThat(next).isNotEqualTo(order);
            toTheEnd(peer);
        }
    }

    @Test
    @DisplayName("the next order ends the question for a title, and no title comes of it")
    void titleGivesWay() throws Exception {
        var titles = new Titles();
        try (var drone = RunningDrone.in(directory, service, titles)) {
            var peer = service.welcome();
            WorkOrder order = give(peer, drone.workspace.state().workspaceId());
            toTheEnd(peer);
            peer.send(new DroneCommand.ReleaseWorkOrder(order.workOrderId()));
            assertThat(titles.asked.await(60, TimeUnit.SECONDS)).isTrue();
            WorkOrder next = give(peer, drone.workspace.state().workspaceId());
            assertThat(titles.stopped.await(60, TimeUnit.SECONDS)).isTrue();
            toTheEnd(peer);
            peer.send(new DroneCommand.ReleaseWorkOrder(next.workOrderId()));
            assertThat(peer.await(DroneEvent.SessionTitled.class).sessionId()).isEqualTo(next.chatSessionId());
        }
    }

    @Test
    @DisplayName(
            "F16, F36: a socket that opens after its connect was given up is cut, and the drone comes on another one")
    void opensTooLate() throws Exception {
        var opens = new CompletableFuture<Boolean>();
        service.hesitate(opens);
        try (var drone = RunningDrone.in(directory, service, SAYS_HELLO)) {
            // The first attempt is given up, the second one gets through.
            service.welcome();

            opens.complete(true);

            var late = service.next();
            assertThat(late.closeCode()).isEqualTo(1006);
            assertThat(noted(drone, RunningNote::connected).lost()).isNull();
        }
    }

    @Test
    @DisplayName(
            "F17: a message that takes longer than the service may be silent is heard part by part, and taken at its end")
    void longMessage() throws Exception {
        try (var drone = RunningDrone.in(directory, service, SAYS_HELLO)) {
            var peer = service.welcome();
            WorkspaceId workspace = drone.workspace.state().workspaceId();
            peer.sendSlowly(
                    new DroneCommand.OfferWorkOrder(Samples.order(workspace), 1, 7),
                    Protocol.LEASE_SECONDS / 2 + 2,
                    Duration.ofSeconds(2));
            // On the same connection.
            peer.await(DroneEvent.WorkOrderAccepted.class);
        }
    }

    @Test
    @DisplayName("whenever the connection is cut, every number comes exactly once and in order")
    void survivesCuts() throws Exception {
        int tokens = 30_000;
        var expected = new StringBuilder();
        for (int i = 0; i < tokens; i++) {
            expected.append(i).append(' ');
        }
        WorkOrderRunner talks = (_, _, report, _, _) -> {
            for (int i = 0; i < tokens; i++) {
                report.response(i + " ");
                if (i % 10 == 0) {
                    // A model takes its time; otherwise all would be said before the first cut.
                    LockSupport.parkNanos(1_000_000);
                }
            }
            report.complete(TurnStatus.FINISHED, null, Usage.NONE);
        };
        var random = new Random(42);
        List<WorkEntry> applied = new ArrayList<>();
        try (var drone = RunningDrone.in(directory, service, talks)) {
            var peer = service.welcome();
            WorkOrder order = give(peer, drone.workspace.state().workspaceId());
            for (int cuts = 0; cuts < 6; cuts++) {
                apply(peer, applied, 1 + random.nextInt(40));
                peer.cut();
                peer = service.next();
                DroneEvent.Hello hello = peer.welcome();
                assertThat(hello.held()).hasSize(1);
                assertThat(hello.held().getFirst().running()).isTrue();
                // A service that has nothing of it yet cannot know that it began.
                peer.send(new DroneCommand.StartWorkOrder(order.workOrderId(), 1, 7));
                peer.send(new DroneCommand.ResendWork(order.workOrderId(), 1, seq(applied) + 1));
            }
            apply(peer, applied, Integer.MAX_VALUE);
        }
        assertThat(Samples.text(applied)).isEqualTo(expected.toString());
        assertThat(seq(applied)).isEqualTo(tokens + 1);
    }

    @Test
    @DisplayName("S4: a service that takes nothing more does not hold up the agent, and gets all when it does")
    void doesNotWaitForTheService() throws Exception {
        int pieces = 1500;
        String piece = "x".repeat(16 << 10);
        var saidAll = new CompletableFuture<Boolean>();
        WorkOrderRunner talks = (_, _, report, _, _) -> {
            for (int i = 0; i < pieces; i++) {
                report.response(piece);
            }
            saidAll.complete(true);
            report.complete(TurnStatus.FINISHED, null, Usage.NONE);
        };
        try (var drone = RunningDrone.in(directory, service, talks)) {
            var peer = service.welcome();
            peer.deafen();
            WorkOrder order = Samples.order(drone.workspace.state().workspaceId());
            peer.send(new DroneCommand.OfferWorkOrder(order, 1, 7));
            peer.send(new DroneCommand.StartWorkOrder(order.workOrderId(), 1, 7));

            assertThat(saidAll.get(60, TimeUnit.SECONDS)).isTrue();
            peer.hearAgain();
            assertThat(Samples.text(toTheEnd(peer))).isEqualTo(piece.repeat(pieces));
        }
    }

    private static long seq(List<WorkEntry> applied) {
        return applied.isEmpty() ? 0 : applied.getLast().seq();
    }

    private static void apply(FakeCodeService.Peer peer, List<WorkEntry> applied, int frames)
            throws InterruptedException {
        for (int i = 0; i < frames; i++) {
            for (WorkEntry entry : peer.await(DroneEvent.WorkReported.class).entries()) {
                assertThat(entry.firstSeq()).isEqualTo(seq(applied) + 1);
                applied.add(entry);
                if (entry instanceof WorkEntry.WorkOrderComplete) {
                    return;
                }
            }
        }
    }

    @Test
    @DisplayName("what a gap swallowed is sent again from where the service says")
    void resends() throws Exception {
        try (var drone = RunningDrone.in(directory, service, SAYS_HELLO)) {
            var peer = service.welcome();
            WorkOrder order = give(peer, drone.workspace.state().workspaceId());
            toTheEnd(peer);
            peer.send(new DroneCommand.ResendWork(order.workOrderId(), 1, 2));
            List<WorkEntry> again = toTheEnd(peer);
            assertThat(again.getFirst().seq()).isEqualTo(2);
            assertThat(again).hasSize(2);
        }
    }

    @Test
    @DisplayName("a cancelled turn ends as cancelled, also when it had not begun")
    void cancels() throws Exception {
        try (var drone = RunningDrone.in(directory, service, WAITS)) {
            var peer = service.welcome();
            WorkspaceId workspace = drone.workspace.state().workspaceId();
            WorkOrder order = give(peer, workspace);
            peer.await(DroneEvent.WorkReported.class);
            peer.send(new DroneCommand.CancelWorkOrder(order.workOrderId()));
            var end = (WorkEntry.WorkOrderComplete) toTheEnd(peer).getLast();
            assertThat(end.status()).isEqualTo(TurnStatus.CANCELLED);
            peer.send(new DroneCommand.ReleaseWorkOrder(order.workOrderId()));
            WorkOrder second = Samples.order(workspace);
            peer.send(new DroneCommand.OfferWorkOrder(second, 1, 9));
            peer.await(DroneEvent.WorkOrderAccepted.class);
            peer.send(new DroneCommand.CancelWorkOrder(second.workOrderId()));
            assertThat(((WorkEntry.WorkOrderComplete) toTheEnd(peer).getLast()).status())
                    .isEqualTo(TurnStatus.CANCELLED);
        }
    }

    @Test
    @DisplayName("decisions reach the call that waits for them, also when they are faster than it")
    void approvals() throws Exception {
        WorkOrderRunner asks = (_, _, report, approvals, cancel) -> {
            try {
                for (String call : List.of("early", "late")) {
                    report.toolAwaitsApproval(call, "it writes", null, "h", null);
                    report.response(call + ":"
                            + Objects.requireNonNull(approvals.await(call, cancel, Duration.ofMinutes(1)))
                                    .decision() + " ");
                }
                report.complete(TurnStatus.FINISHED, null, Usage.NONE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        try (var drone = RunningDrone.in(directory, service, asks)) {
            var peer = service.welcome();
            WorkOrder order = Samples.order(drone.workspace.state().workspaceId());
            peer.send(new DroneCommand.OfferWorkOrder(order, 1, 1));
            peer.await(DroneEvent.WorkOrderAccepted.class);
            peer.send(new DroneCommand.DecideApproval(
                    order.workOrderId(), "early", ApprovalDecision.APPROVE, null, null, null, null));
            peer.send(new DroneCommand.DecideApproval(
                    order.workOrderId(), "nobody", ApprovalDecision.APPROVE, null, null, null, null));
            peer.send(new DroneCommand.StartWorkOrder(order.workOrderId(), 1, 1));
            WorkEntry last = null;
            while (!(last instanceof WorkEntry.ToolAwaitsApproval asked && "late".equals(asked.callId()))) {
                last = peer.await(DroneEvent.WorkReported.class).entries().getLast();
            }
            peer.send(new DroneCommand.DecideApproval(
                    order.workOrderId(), "late", ApprovalDecision.DENY, "no", null, null, null));
            toTheEnd(peer);
            peer.send(new DroneCommand.ResendWork(order.workOrderId(), 1, 1));
            assertThat(Samples.text(toTheEnd(peer))).isEqualTo("early:APPROVE late:DENY ");
        }
    }

    @Test
    @DisplayName("a second order, and one of another workspace, are rejected; the lock names its holder")
    void rejects() throws Exception {
        try (var drone = RunningDrone.in(directory, service, WAITS)) {
            var peer = service.welcome();
            WorkspaceId workspace = drone.workspace.state().workspaceId();
            peer.send(new DroneCommand.OfferWorkOrder(Samples.order(WorkspaceId.random()), 1, 1));
            assertThat(peer.await(DroneEvent.WorkOrderRejected.class).failure().code())
                    .isEqualTo(FailureCode.DRONE_REJECTED);
            WorkOrder order = give(peer, workspace);
            peer.send(new DroneCommand.OfferWorkOrder(Samples.order(workspace), 1, 8));
            assertThat(peer.await(DroneEvent.WorkOrderRejected.class).failure().code())
                    .isEqualTo(FailureCode.DRONE_BUSY);
            peer.send(new DroneCommand.RequestSessionLock("r1", SessionId.random(), "another"));
            assertThat(peer.await(DroneEvent.SessionLockAnswered.class))
                    .isEqualTo(new DroneEvent.SessionLockAnswered("r1", false, order.chatSessionId()));
            peer.send(new DroneCommand.RequestSessionLock("r2", order.chatSessionId(), "the same"));
            assertThat(peer.await(DroneEvent.SessionLockAnswered.class).granted())
                    .isTrue();
        }
    }

    @Test
    @DisplayName("what a turn did to files is put back when its end is said, also before the service has released it")
    void undoesAtTheEnd() throws Exception {
        try (var drone = RunningDrone.in(directory, service, WAITS)) {
            var peer = service.welcome();
            WorkOrder order = give(peer, drone.workspace.state().workspaceId());
            assertThat(undo(peer, order)).isEqualTo(FailureCode.DRONE_BUSY);
            peer.send(new DroneCommand.CancelWorkOrder(order.workOrderId()));
            toTheEnd(peer);
            assertThat(undo(peer, order)).as("this turn changed nothing").isEqualTo(FailureCode.NOT_FOUND);
        }
    }

    private static FailureCode undo(FakeCodeService.Peer peer, WorkOrder order) throws Exception {
        peer.send(new DroneCommand.RequestTurnFiles("undo", order.turnId(), TurnFilesAction.UNDO, false));
        return Objects.requireNonNull(
                        peer.await(DroneEvent.TurnFilesAnswered.class).failure())
                .code();
    }

    @Test
    @DisplayName("S1-34: a person or the agent writes, never both; a person's lease ends by itself, or by a prompt")
    void workspaceModes() throws Exception {
        try (var drone = RunningDrone.in(directory, service, WAITS)) {
            var peer = service.welcome();
            assertThat(peer.await(DroneEvent.WorkspaceModeChanged.class).mode()).isEqualTo(WorkspaceMode.IDLE);
            assertThat(ask(peer, WorkspaceMode.USER, 5).granted()).isTrue();
            assertThat(peer.await(DroneEvent.WorkspaceModeChanged.class).mode())
                    .as("nobody asked again")
                    .isEqualTo(WorkspaceMode.IDLE);
            assertThat(ask(peer, WorkspaceMode.AGENT, 30).granted()).isFalse();
            assertThat(ask(peer, WorkspaceMode.USER, 30).mode()).isEqualTo(WorkspaceMode.USER);
            WorkOrder order = give(peer, drone.workspace.state().workspaceId());
            assertThat(ask(peer, WorkspaceMode.USER, 30))
                    .isEqualTo(new DroneEvent.WorkspaceModeAnswered("r", false, WorkspaceMode.AGENT));
            peer.send(new DroneCommand.ReleaseWorkOrder(order.workOrderId()));
            assertThat(peer.await(DroneEvent.WorkspaceModeChanged.class).mode()).isEqualTo(WorkspaceMode.IDLE);
        }
    }

    private static DroneEvent.WorkspaceModeAnswered ask(FakeCodeService.Peer peer, WorkspaceMode mode, int seconds)
            throws Exception {
        peer.send(new DroneCommand.RequestWorkspaceMode("r", mode, seconds));
        return peer.await(DroneEvent.WorkspaceModeAnswered.class);
    }

    @Test
    @DisplayName("an order that is offered again under a newer lease is reported under it")
    void offeredAgain() throws Exception {
        try (var drone = RunningDrone.in(directory, service, SAYS_HELLO)) {
            var peer = service.welcome();
            WorkOrder order = Samples.order(drone.workspace.state().workspaceId());
            peer.send(new DroneCommand.OfferWorkOrder(order, 1, 5));
            peer.await(DroneEvent.WorkOrderAccepted.class);
            peer.send(new DroneCommand.OfferWorkOrder(order, 2, 6));
            assertThat(peer.await(DroneEvent.WorkOrderAccepted.class).fence()).isEqualTo(6);
            peer.send(new DroneCommand.OfferWorkOrder(order, 1, 5));
            assertThat(peer.await(DroneEvent.WorkOrderRejected.class).fence()).isEqualTo(5);
            peer.send(new DroneCommand.StartWorkOrder(order.workOrderId(), 2, 6));
            var report = peer.await(DroneEvent.WorkReported.class);
            assertThat(report.fence()).isEqualTo(6);
            assertThat(report.attempt()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("a credential that is not accepted ends the drone with one line, without another attempt")
    void unauthorized() throws Exception {
        service.refuse(401);
        try (var drone = RunningDrone.in(directory, service, SAYS_HELLO)) {
            assertThat(drone.failure())
                    .isInstanceOf(LinkEndedException.class)
                    .hasMessageContaining("does not accept this drone's credential")
                    .hasMessageNotContaining("the-credential");
        }
    }

    @Test
    @DisplayName(
            "once it was welcome, only a refusal in the service's own words ends it, not one of something in between")
    void unauthorizedLater() throws Exception {
        try (var drone = RunningDrone.in(directory, service, SAYS_HELLO)) {
            var peer = service.welcome();
            for (String portal : List.of("", "<h1>Sign in to the network</h1>", "{\"code\":\"captive\"}")) {
                service.refuse(403, portal);
                peer.cut();
                service.next();
                service.refuse(0);
                peer = service.welcome();
            }
            service.refuse(401, "{\"title\":\"Sign in\",\"code\":\"unauthenticated\"}");
            peer.cut();
            assertThat(drone.failure())
                    .isInstanceOf(LinkEndedException.class)
                    .hasMessageContaining("does not accept this drone's credential");
        }
    }

    @Test
    @DisplayName("a workspace that another drone holds ends the drone; any other loss does not")
    void closesForGood() throws Exception {
        service.refuseOnce(503);
        try (var drone = RunningDrone.in(directory, service, SAYS_HELLO)) {
            service.next();
            var peer = service.welcome();
            peer.close(1012);
            peer = service.next();
            peer.await(DroneEvent.Hello.class);
            peer.send(new DroneCommand.Refused(
                    new Failure(FailureCode.WORKSPACE_LOCKED, "Another drone holds this workspace.")));
            peer.close(4502);
            assertThat(drone.failure())
                    .isInstanceOf(LinkEndedException.class)
                    .hasMessageContaining("Another drone holds this workspace.");
        }
    }

    @Test
    @DisplayName("a drone that is stopped says goodbye, and leaves what it works on in its files")
    void leaves() throws Exception {
        try (var drone = RunningDrone.in(directory, service, WAITS)) {
            var peer = service.welcome();
            give(peer, drone.workspace.state().workspaceId());
            peer.await(DroneEvent.WorkReported.class);
            long began = System.nanoTime();
            drone.stop();
            drone.awaitEnd();
            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began))
                    .isLessThan(30);
            assertThat(peer.closeCode()).isEqualTo(1001);
            assertThat(drone.holdsOrder()).isTrue();
            assertThat(drone.journals()).isEqualTo(1);
            assertThat(drone.registered()).isEqualTo(DroneStatus.OFFLINE);
        }
    }

    @Test
    @DisplayName("an agent that breaks, or returns without an end, has its turn fail")
    void agentBreaks() throws Exception {
        for (WorkOrderRunner broken : List.<WorkOrderRunner>of(
                (_, _, _, _, _) -> {
                    throw new IllegalStateException("a bug");
                },
                (_, _, report, _, _) -> report.response("and then nothing"))) {
            Path own = Files.createTempDirectory(directory, "w");
            try (var drone = RunningDrone.in(own, service, broken)) {
                var peer = service.welcome();
                give(peer, drone.workspace.state().workspaceId());
                var end = (WorkEntry.WorkOrderComplete) toTheEnd(peer).getLast();
                assertThat(end.status()).isEqualTo(TurnStatus.FAILED);
                assertThat(end.failure()).extracting(Failure::code).isEqualTo(FailureCode.INTERNAL);
            }
        }
    }

    @Test
    @DisplayName(
            "an order that could not be kept as a whole is not held: the next one is taken as soon as there is room")
    void notKept() throws Exception {
        try (var drone = RunningDrone.in(directory, service, SAYS_HELLO)) {
            var peer = service.next();
            DroneEvent.Hello hello = peer.welcome();
            Path file = directory.resolve(".gadget/workspace.json");
            peer.await(DroneEvent.WorkspaceModeChanged.class);
            peer.send(new DroneCommand.RequestSessionLock("q", SessionId.random(), "s"));
            peer.await(DroneEvent.SessionLockAnswered.class);
            // As a disk that is full: the file of the workspace cannot be written.
            Files.delete(file);
            Files.createDirectories(file.resolve("in-the-way"));
            peer.send(new DroneCommand.OfferWorkOrder(Samples.order(hello.workspaceId()), 1, 7));
            assertThat(peer.await(DroneEvent.WorkOrderRejected.class).failure().code())
                    .isEqualTo(FailureCode.JOURNAL_FAILED);
            assertThat(drone.holdsOrder()).isFalse();
            assertThat(drone.journals()).isZero();

            Files.delete(file.resolve("in-the-way"));
            Files.delete(file);
            give(peer, hello.workspaceId());
            assertThat(Samples.text(toTheEnd(peer))).isEqualTo("hello");
        }
    }
}
