package dev.gadget.drone.link;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.exam.ModelExam;
import dev.gadget.drone.file.WorkspaceFiles;
import dev.gadget.drone.policy.Sandbox;
import dev.gadget.drone.terminal.TerminalAccess;
import dev.gadget.drone.terminal.Terminals;
import dev.gadget.drone.tool.BackgroundProcesses;
import dev.gadget.drone.workspace.HeldOrder;
import dev.gadget.drone.workspace.WorkspaceState;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.drone.workspace.WorkspaceUnusableException;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.HeldWork;
import dev.gadget.model.drone.MachineLoad;
import dev.gadget.model.drone.ProjectAction;
import dev.gadget.model.drone.TurnFilesAction;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.WorkOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What the drone does about each thing that the code service says: one order at a time, and nothing forgotten before it is told. */
final class LinkState {
    private static final Logger LOG = Logger.getLogger(LinkState.class);
    private static final long CHANGE_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LEAVES_WITHIN_MILLIS = 3000;

    private final WorkspaceStore workspace;
    private final WorkOrderRunner agent;
    private final ObjectMapper mapper;
    private final String version;
    private final Consumer<DroneEvent> say;
    private final News news;
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().name("report-timer-", 0).daemon(true).factory());

    /** One after the other, and none in the way of what runs. */
    private final ExecutorService forgets = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("session-forgotten").factory());

    private final WorkspaceModes modes;
    private final FileDesk files;
    private final ExamDesk exams;
    private final TitleDesk titles;
    private final ProjectDesk projects;
    private final ProcessDesk processes;
    private final Terminals terminals;

    private @Nullable WorkInProgress work;
    private boolean recovering;
    private boolean leaving;
    private boolean changing;
    private boolean offerWaits;

    LinkState(
            WorkspaceStore workspace,
            WorkOrderRunner agent,
            Sandbox sandbox,
            ModelExam exam,
            TerminalAccess terminalAccess,
            BackgroundProcesses processes,
            ObjectMapper mapper,
            String version,
            Consumer<DroneEvent> say,
            News news) {
        this.workspace = workspace;
        this.agent = agent;
        this.mapper = mapper;
        this.version = version;
        this.say = say;
        this.news = news;
        this.modes = new WorkspaceModes(timer, mode -> say.accept(new DroneEvent.WorkspaceModeChanged(mode)));
        this.exams = new ExamDesk(exam, say);
        this.titles = new TitleDesk(agent, say);
        this.projects = new ProjectDesk(workspace, sandbox, say);
        this.files = new FileDesk(new WorkspaceFiles(modes::mode), projects, say, news::wake);
        this.processes = new ProcessDesk(processes, say);
        this.terminals = new Terminals(terminalAccess, timer, news::wake);
    }

    /** Looks for an order that was being worked on when the drone stopped. */
    synchronized void findHeld() throws WorkspaceUnusableException {
        Optional<HeldOrder> held = workspace.heldOrder();
        note(workspace::started);
        tell(DroneStatus.STARTING);
        if (held.isEmpty()) {
            // A kill between letting go of an order and this left them.
            note(() -> workspace.lock(null, null));
            removeStrays();
            return;
        }
        try {
            work = WorkInProgress.found(workspace, held.get(), mapper, timer, news);
            recovering = true;
            modes.agent(true);
            LOG.warnf(
                    "turn %s was not over when this drone stopped; the code service is asked what to do",
                    held.get().turnId());
        } catch (IOException e) {
            throw new WorkspaceUnusableException("The journal of the work order cannot be read: " + e.getMessage(), e);
        }
    }

    /** A journal without its order was let go of already, or never begun. */
    private void removeStrays() {
        try (var files = Files.newDirectoryStream(workspace.folder().journals(), "*.{journal,worked}")) {
            for (Path stray : files) {
                workspace.folder().remove(stray);
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warnf("old journals could not be removed: %s", e.getMessage());
        }
    }

    synchronized DroneEvent hello() {
        WorkspaceState state = workspace.state();
        return new DroneEvent.Hello(
                Protocol.VERSION,
                version,
                state.workspaceId(),
                WorkspaceStore.hostname(),
                workspace.folder().workspace().toString(),
                platform(),
                status(),
                held());
    }

    private static String platform() {
        return System.getProperty("os.name", "unknown").toLowerCase(Locale.ROOT) + "/"
                + System.getProperty("os.arch", "unknown");
    }

    synchronized DroneEvent heartbeat() {
        return new DroneEvent.Heartbeat(status(), held(), MachineLoad.now());
    }

    private DroneStatus status() {
        if (recovering) {
            return DroneStatus.STARTING;
        }
        return work == null ? DroneStatus.AVAILABLE : DroneStatus.BUSY;
    }

    /** What is in hand. */
    synchronized List<HeldWork> holds() {
        return held();
    }

    private List<HeldWork> held() {
        WorkInProgress current = work;
        return current == null ? List.of() : List.of(current.held());
    }

    synchronized void welcomed(DroneCommand.Welcome welcome) {
        WorkInProgress current = work;
        if (current != null && recovering) {
            say.accept(new DroneEvent.CrashRecoveryRequested(current.held()));
        }
        say.accept(new DroneEvent.WorkspaceModeChanged(modes.mode()));
        note(() -> workspace.registered(welcome.droneId(), status()));
    }

    /** Nothing is sent until the service says again from where on. */
    synchronized void disconnected() {
        WorkInProgress current = work;
        if (current != null) {
            current.holdBack();
        }
        files.disconnected();
        exams.disconnected();
        terminals.disconnected();
        tell(DroneStatus.OFFLINE);
    }

    /** Others on this machine read in workspace.json what the drone is. */
    private void tell(DroneStatus status) {
        note(() -> workspace.status(status));
    }

    /** What is noted in workspace.json. */
    private interface Note {
        void write() throws IOException;
    }

    /** No work waits for a note. */
    private static void note(Note note) {
        try {
            note.write();
        } catch (IOException e) {
            LOG.warnf("workspace.json cannot be written: %s", e.getMessage());
        }
    }

    void heard(DroneCommand command) {
        switch (command) {
            case DroneCommand.Welcome welcome -> welcomed(welcome);
            case DroneCommand.Refused refused -> LOG.warn(refused.failure().message());
            case DroneCommand.Heartbeat _ -> LOG.trace("heartbeat");
            case DroneCommand.OfferWorkOrder offer -> offered(offer);
            case DroneCommand.StartWorkOrder start -> start(start);
            // The journal keeps everything until the release, because a restart needs it; an ack only says that all is
            // well.
            case DroneCommand.AcknowledgeWork ack -> LOG.tracef("stored up to %d", ack.ackedSeq());
            case DroneCommand.ResendWork resend ->
                of(resend.workOrderId()).ifPresent(one -> one.sendFrom(resend.fromSeq()));
            case DroneCommand.ReleaseWorkOrder release -> release(release.workOrderId());
            case DroneCommand.CancelWorkOrder cancel -> cancel(cancel.workOrderId());
            case DroneCommand.StopCall stop -> of(stop.workOrderId()).ifPresent(one -> one.stopCall(stop.callId()));
            case DroneCommand.DecideApproval decide ->
                of(decide.workOrderId())
                        .ifPresent(one -> one.decide(
                                decide.callId(),
                                new WorkOrderRunner.Decision(
                                        decide.decision(),
                                        decide.reason(),
                                        decide.shown(),
                                        decide.parameters(),
                                        decide.patterns())));
            case DroneCommand.SteerTurn said -> of(said.workOrderId()).ifPresent(one -> one.steer(said));
            case DroneCommand.RecoverWorkOrder recover -> recover(recover);
            case DroneCommand.RequestSessionLock lock -> lock(lock);
            case DroneCommand.RequestWorkspaceMode mode -> mode(mode);
            case DroneCommand.RequestTurnFiles files ->
                Thread.ofVirtual().name("turn-files").start(() -> turnFiles(files));
            case DroneCommand.FileText part -> files.heard(part);
            case DroneCommand.AskFiles question -> files.ask(question);
            case DroneCommand.ExamineModel asked -> {
                titles.stop();
                exams.examine(asked, busy());
            }
            case DroneCommand.CancelExam cancel -> exams.cancel(cancel.requestId());
            case DroneCommand.RequestProject wanted -> project(wanted);
            case DroneCommand.RequestProcesses wanted -> processes.asked(wanted);
            case DroneCommand.ForgetSession gone -> {
                Thread.ofVirtual().name("processes-forgotten").start(() -> processes.forget(gone.sessionId()));
                forgets.execute(() -> forget(gone));
            }
            case DroneCommand.TellTerminal told ->
                terminals.heard(
                        told.viewId(), told.command(), open -> projects.directory(told.project(), open.sessionId()));
            case DroneCommand.LeaveTerminal gone -> terminals.left(gone.viewId());
        }
    }

    private void mode(DroneCommand.RequestWorkspaceMode wanted) {
        boolean granted = modes.request(wanted.mode(), wanted.leaseSeconds());
        say.accept(new DroneEvent.WorkspaceModeAnswered(wanted.requestId(), granted, modes.mode()));
    }

    private void turnFiles(DroneCommand.RequestTurnFiles wanted) {
        boolean writes = wanted.action() != TurnFilesAction.DIFF;
        if (writes && !beginsChange()) {
            say.accept(new DroneEvent.TurnFilesAnswered(wanted.requestId(), busyFailure(), List.of(), null));
            return;
        }
        DroneEvent.TurnFilesAnswered answer =
                TurnFilesDesk.answer(workspace.folder().workspace(), wanted);
        if (writes) {
            changeIsOver();
        }
        say.accept(answer);
    }

    private void project(DroneCommand.RequestProject wanted) {
        if (wanted.action() == ProjectAction.LOOK) {
            projects.look(wanted);
        } else if (beginsChange()) {
            projects.sync(wanted, this::changeIsOver);
        } else {
            say.accept(new DroneEvent.ProjectAnswered(wanted.requestId(), busyFailure(), null));
        }
    }

    /** As soon as nothing else is at work: its turn may still be about to stop. Until it is answered, it is said again with each connection. */
    private void forget(DroneCommand.ForgetSession gone) {
        try {
            while (!leaving()) {
                if (beginsChange()) {
                    try {
                        // Once more: what its turn had begun to start then.
                        processes.forget(gone.sessionId());
                        projects.forget(gone);
                    } finally {
                        changeIsOver();
                    }
                    say.accept(new DroneEvent.SessionForgotten(gone.sessionId()));
                    return;
                }
                TimeUnit.SECONDS.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean leaving() {
        return leaving;
    }

    /** Whether files may be changed for a person, or for a session that is gone, now; an order that comes while it lasts waits for its end. */
    private synchronized boolean beginsChange() {
        if (isWorking() || changing || offerWaits || leaving) {
            return false;
        }
        changing = true;
        return true;
    }

    private synchronized boolean isWorking() {
        return work != null && !work.isOver();
    }

    private synchronized void changeIsOver() {
        changing = false;
        notifyAll();
    }

    /** Most changes take a moment; an order is refused when one takes longer, because it would write in the same place. */
    private synchronized void awaitChange() {
        long end = System.nanoTime() + CHANGE_WITHIN_NANOS;
        offerWaits = true;
        try {
            for (long left = CHANGE_WITHIN_NANOS; changing && !leaving && left > 0; left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            offerWaits = false;
        }
    }

    private synchronized Failure busyFailure() {
        return new Failure(
                FailureCode.DRONE_BUSY,
                isWorking()
                        ? "The drone works on a turn. Wait for its end, or cancel it."
                        : "The drone changes files of this workspace just now: a sync, or what a turn did is put back. Try again in a moment.");
    }

    private synchronized Optional<WorkInProgress> of(WorkOrderId id) {
        return Optional.ofNullable(work).filter(one -> one.id().equals(id));
    }

    private synchronized void offered(DroneCommand.OfferWorkOrder offer) {
        WorkOrder order = offer.workOrder();
        WorkInProgress current = work;
        if (current != null && !recovering && !leaving && current.id().equals(order.workOrderId())) {
            offeredAgain(offer, current);
            return;
        }
        awaitChange();
        if (current != null || recovering || leaving || changing) {
            reject(
                    offer,
                    FailureCode.DRONE_BUSY,
                    changing
                            ? "A project of the drone's workspace is synced, or what a turn did is put back. Prompt again in a moment."
                            : "The drone works on another turn.");
            return;
        }
        if (!order.workspaceId().equals(workspace.state().workspaceId())) {
            reject(offer, FailureCode.DRONE_REJECTED, "The turn belongs to another workspace.");
            return;
        }
        try {
            work = kept(offer);
        } catch (IOException e) {
            LOG.errorf(e, "work order %s cannot be kept", order.workOrderId());
            reject(offer, FailureCode.JOURNAL_FAILED, "The drone cannot write its recovery files: " + e.getMessage());
            return;
        }
        LOG.infof("turn %s is accepted", order.turnId());
        exams.turnBegins();
        titles.stop();
        modes.agent(true);
        accept(offer);
        tell(DroneStatus.BUSY);
    }

    /** Keeps all of it or nothing: an order that is rejected must not be in the way of the next one. */
    private WorkInProgress kept(DroneCommand.OfferWorkOrder offer) throws IOException {
        WorkOrder order = offer.workOrder();
        WorkInProgress fresh = WorkInProgress.accept(
                workspace,
                HeldOrder.received(order, offer.attempt(), offer.fence(), Instant.now()),
                mapper,
                timer,
                news);
        try {
            workspace.lock(
                    new WorkspaceState.SessionLock(order.chatSessionId(), order.sessionName(), Instant.now()),
                    lock(order.project()));
            return fresh;
        } catch (IOException e) {
            drop(fresh);
            throw e;
        }
    }

    private static void drop(WorkInProgress fresh) {
        try {
            fresh.release();
        } catch (IOException e) {
            LOG.warnf("the files of work order %s could not be removed: %s", fresh.id(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static WorkspaceState.@Nullable ProjectLock lock(@Nullable ProjectRef project) {
        return project == null
                ? null
                : new WorkspaceState.ProjectLock(project.id(), project.slug(), project.gitUrl(), Instant.now());
    }

    /** The answer to the first offer may have been lost; under a newer lease it is still the same work. */
    private void offeredAgain(DroneCommand.OfferWorkOrder offer, WorkInProgress current) {
        if (offer.fence() < current.order().fence()) {
            reject(offer, FailureCode.DRONE_BUSY, "The drone works on this turn under a newer lease.");
            return;
        }
        try {
            current.under(offer.attempt(), offer.fence());
            accept(offer);
        } catch (IOException e) {
            reject(offer, FailureCode.JOURNAL_FAILED, "The drone cannot write its recovery files: " + e.getMessage());
        }
    }

    private void accept(DroneCommand.OfferWorkOrder offer) {
        say.accept(new DroneEvent.WorkOrderAccepted(offer.workOrder().workOrderId(), offer.attempt(), offer.fence()));
    }

    private void reject(DroneCommand.OfferWorkOrder offer, FailureCode code, String why) {
        say.accept(new DroneEvent.WorkOrderRejected(
                offer.workOrder().workOrderId(), offer.attempt(), offer.fence(), new Failure(code, why)));
    }

    private void start(DroneCommand.StartWorkOrder start) {
        of(start.workOrderId()).filter(_ -> works()).ifPresent(one -> one.start(agent));
    }

    private synchronized boolean busy() {
        return work != null || leaving;
    }

    private synchronized boolean works() {
        return !recovering && !leaving;
    }

    private void cancel(WorkOrderId id) {
        of(id).ifPresent(one -> {
            // One that was accepted and not started yet starts, and ends at once: its end is told like any other.
            one.cancel();
            if (works()) {
                one.start(agent);
            }
        });
    }

    private void recover(DroneCommand.RecoverWorkOrder recover) {
        Optional<WorkInProgress> current = of(recover.workOrderId());
        if (current.isEmpty()) {
            return;
        }
        LOG.infof("the code service says: %s", recover.action());
        switch (recover.action()) {
            case DISCARD -> release(recover.workOrderId());
            case RESUME, RETRY -> {
                try {
                    current.get().under(recover.attempt(), recover.fence());
                    current.get().takeUp(recover.fromSeq());
                } catch (IOException | JournaledReport.JournalFailedException e) {
                    LOG.errorf(e, "turn %s cannot go on", current.get().order().turnId());
                    current.get()
                            .giveUpUnder(
                                    recover.attempt(),
                                    recover.fence(),
                                    recover.fromSeq(),
                                    String.valueOf(e.getMessage()));
                }
                current.get().start(agent);
                recovered();
            }
        }
    }

    private void release(WorkOrderId id) {
        Optional<WorkInProgress> current = of(id);
        if (current.isEmpty()) {
            return;
        }
        try {
            current.get().release();
            workspace.lock(null, null);
        } catch (IOException e) {
            LOG.warnf("the files of work order %s could not be removed: %s", id, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            work = null;
        }
        modes.agent(false);
        LOG.infof("work order %s is done with", id);
        recovered();
        Usage used = current.get().finishedWith();
        if (used != null && !leaving()) {
            titles.ask(current.get().order().order(), used);
        }
    }

    /** Whatever was found at the start is settled, and the drone can be given work. */
    private synchronized void recovered() {
        recovering = false;
        tell(status());
        say.accept(new DroneEvent.StatusChanged(status()));
    }

    private synchronized void lock(DroneCommand.RequestSessionLock lock) {
        WorkInProgress current = work;
        SessionId holder = current == null ? null : current.order().chatSessionId();
        boolean granted = holder == null || holder.equals(lock.sessionId());
        say.accept(new DroneEvent.SessionLockAnswered(lock.requestId(), granted, granted ? null : holder));
    }

    /** The next part of an answer about files; null when all is sent. */
    @Nullable
    DroneEvent nextOfFiles() {
        return files.next();
    }

    /** The next thing that a terminal says; null when there is none. */
    @Nullable
    DroneEvent nextOfTerminals() {
        return terminals.next();
    }

    /** The next part of what the agent said, as a whole message; null when all is sent. */
    @Nullable
    String nextReport(int bytes) throws IOException {
        WorkInProgress current;
        synchronized (this) {
            current = recovering || leaving ? null : work;
        }
        if (current == null) {
            return null;
        }
        HeldOrder order = current.order();
        Journal.Batch batch = current.next(bytes);
        return batch == null ? null : message(order, batch);
    }

    /** The same as a written {@code DroneEvent.WorkReported}, around entries that the journal holds as JSON already. */
    private static String message(HeldOrder order, Journal.Batch batch) {
        var text = new StringBuilder("{\"type\":\"work_reported\",\"workOrderId\":\"")
                .append(order.workOrderId())
                .append("\",\"attempt\":")
                .append(order.attempt())
                .append(",\"fence\":")
                .append(order.fence())
                .append(",\"entries\":[");
        for (int i = 0; i < batch.entries().size(); i++) {
            text.append(i == 0 ? "" : ",").append(new String(batch.entries().get(i), StandardCharsets.UTF_8));
        }
        return text.append("]}").toString();
    }

    /** The drone stops: what runs is stopped with it, and left in the files. */
    void leave() {
        WorkInProgress current;
        synchronized (this) {
            if (leaving) {
                return;
            }
            leaving = true;
            current = work;
        }
        projects.leave();
        titles.stop();
        tell(DroneStatus.OFFLINE);
        terminals.stop();
        if (current == null) {
            return;
        }
        try {
            current.leave(LEAVES_WITHIN_MILLIS);
        } catch (IOException e) {
            LOG.warnf("the journal could not be closed: %s", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
