package dev.gadget.drone.link;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.exam.ModelExam;
import dev.gadget.drone.policy.Sandbox;
import dev.gadget.drone.terminal.TerminalAccess;
import dev.gadget.drone.tool.BackgroundProcesses;
import dev.gadget.drone.workspace.Credential;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.drone.workspace.WorkspaceUnusableException;
import dev.gadget.memory.SpareMemory;
import dev.gadget.model.FailureCode;
import dev.gadget.model.OneLine;
import dev.gadget.model.Protocol;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.HeldWork;
import dev.gadget.thread.VirtualThreadPulse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The drone's line to the code service. It dials, and dials again for as long as it is wanted; while there is no connection the
 * agent works on, and its journal is sent afterwards from where the service says.
 */
public final class DroneLink {
    private static final Logger LOG = Logger.getLogger(DroneLink.class);
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(Protocol.LEASE_SECONDS);
    private static final int MAX_WAITING = 1024;
    /** Files, terminals, and what the agent says. */
    private static final int SOURCES = 3;

    private final SpareMemory spare = new SpareMemory();
    private final WorkspaceStore workspace;
    private final Credential credential;
    private final LinkState state;
    private final RunningNotes notes;
    private final ObjectReader reader;
    private final ObjectReader problems;
    private final ObjectWriter writer;
    private final Backoff backoff =
            new Backoff(() -> ThreadLocalRandom.current().nextDouble());
    private final BlockingQueue<DroneEvent> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();

    private volatile @Nullable Channel channel;
    private volatile boolean greeted;
    private volatile boolean stopping;
    private volatile @Nullable String refusal;
    private volatile @Nullable Outbound outbound;
    private volatile boolean wasWelcome;
    private int turn;
    private @Nullable Thread runner;

    public DroneLink(
            WorkspaceStore workspace,
            Credential credential,
            WorkOrderRunner agent,
            Sandbox sandbox,
            ModelExam exam,
            TerminalAccess terminals,
            BackgroundProcesses processes,
            ObjectMapper mapper,
            String version) {
        this.workspace = workspace;
        this.credential = credential;
        this.state = new LinkState(
                workspace, agent, sandbox, exam, terminals, processes, mapper, version, this::say, news());
        this.notes = new RunningNotes(workspace, version, credential.server(), sandbox.report(), terminals.report());
        this.reader = mapper.readerFor(DroneCommand.class);
        this.problems = mapper.reader();
        this.writer = mapper.writerFor(DroneEvent.class);
    }

    /** Stays connected until {@link #stop}; thrown when the service does not want this drone. */
    public void run() throws LinkEndedException, WorkspaceUnusableException, InterruptedException {
        runner = Thread.currentThread();
        state.findHeld();
        notes.work(state.holds());
        ScheduledExecutorService pulse = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("link-pulse").daemon(true).factory());
        pulse.scheduleAtFixedRate(this::beat, Protocol.HEARTBEAT_SECONDS, Protocol.HEARTBEAT_SECONDS, TimeUnit.SECONDS);
        try (var _ = VirtualThreadPulse.start(pause ->
                LOG.infof("nothing ran for %d ms: the machine is overloaded, or was asleep", pause.toMillis()))) {
            while (!stopping) {
                connectOnce();
                if (!stopping) {
                    Duration pause = backoff.next();
                    LOG.infof("trying again waitMs=%d", pause.toMillis());
                    Thread.sleep(pause);
                }
            }
        } catch (InterruptedException e) {
            if (!stopping) {
                throw e;
            }
        } finally {
            pulse.shutdownNow();
            notes.over();
            state.leave();
        }
    }

    /** Ends the connection and leaves what is worked on for later; returns within a few seconds. */
    public void stop() {
        LOG.info("the drone stops");
        stopping = true;
        state.leave();
        Channel open = channel;
        if (open != null) {
            open.close(1001, "the drone stops");
            try {
                open.awaitEnd(Duration.ofSeconds(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            open.abort("the drone stops");
        }
        Thread waits = runner;
        if (waits != null) {
            waits.interrupt();
        }
    }

    private void connectOnce() throws LinkEndedException, InterruptedException {
        Channel opened;
        try {
            opened = Channel.connect(client, address(), credential.credential(), this::heard);
        } catch (Channel.NotConnectedException e) {
            refuseForGood(e);
            LOG.infof("%s does not answer (%s)", credential.server(), e.getMessage());
            notes.lost("it does not answer (" + e.getMessage() + ")");
            return;
        }
        refusal = null;
        waiting.clear();
        channel = opened;
        ended(talk(opened));
    }

    /** From the hello to the end of the connection; when this returns nobody sends on it any more. */
    private Channel.End talk(Channel opened) throws InterruptedException {
        var sends = new Outbound(opened, this::nextFrame);
        try {
            opened.send(json(state.hello()));
            outbound = sends;
            sends.start();
        } catch (IllegalStateException lost) {
            LOG.debug("the connection was lost before the hello was out");
        }
        Channel.End end = null;
        try {
            while (end == null) {
                end = opened.awaitEnd(Duration.ofSeconds(1));
                if (end == null && opened.silentNanos() > SILENT_NANOS) {
                    opened.abort("nothing was heard for " + Protocol.LEASE_SECONDS + " s");
                }
            }
        } finally {
            greeted = false;
            channel = null;
            opened.abort("it is over");
            outbound = null;
            sends.join();
            state.disconnected();
        }
        return end;
    }

    private void refuseForGood(Channel.NotConnectedException e) throws LinkEndedException {
        // Once it was let in, a proxy or a captive portal may say so as well.
        if ((e.status() == 401 || e.status() == 403) && (!wasWelcome || isProblem(e.body()))) {
            throw new LinkEndedException("The code service at " + credential.server()
                    + " does not accept this drone's credential: it was revoked, or belongs to another service."
                    + " Enrol again with 'gadget-drone enroll'.");
        }
        // Later on it may be a proxy that answers while the service is replaced.
        if (e.status() == 404 && !wasWelcome) {
            throw new LinkEndedException(
                    credential.server() + " answers, but is no Gadget code service (no /ws/drone). Check the address.");
        }
    }

    /** Whether a Gadget code service says it: its problems have a code, others' seldom and not these. */
    private boolean isProblem(String body) {
        try {
            String code = problems.readTree(body).path("code").asText();
            return Stream.of(FailureCode.values())
                    .anyMatch(known -> known.wireName().equals(code));
        } catch (JsonProcessingException e) {
            LOG.debug("it was refused by something that is no code service");
            return false;
        }
    }

    private void ended(Channel.End end) throws LinkEndedException {
        if (stopping) {
            return;
        }
        String said = OneLine.of(refusal == null ? end.reason() : refusal);
        if (end.forGood()) {
            throw new LinkEndedException("The code service ended the connection for good: " + said);
        }
        LOG.infof("the connection was lost (%d %s)", end.code(), said);
        notes.lost("the connection was lost (" + end.code() + " " + said + ")");
    }

    private URI address() {
        String base = credential.server().endsWith("/")
                ? credential.server().substring(0, credential.server().length() - 1)
                : credential.server();
        return URI.create(base.replaceFirst("^http", "ws") + "/ws/drone");
    }

    private void heard(String text) {
        DroneCommand command;
        try {
            command = reader.readValue(text);
        } catch (JsonProcessingException e) {
            LOG.warnf(
                    "a message of the code service is not one of protocol %d: %s",
                    Protocol.VERSION, e.getOriginalMessage());
            return;
        }
        if (command instanceof DroneCommand.Refused refused) {
            refusal = refused.failure().message();
        } else if (command instanceof DroneCommand.Welcome welcome) {
            LOG.infof(
                    "connected to %s (version %s) as drone %s",
                    credential.server(), OneLine.of(welcome.serviceVersion()), welcome.droneId());
            backoff.connected();
            greeted = true;
            wasWelcome = true;
            state.welcomed(welcome);
            notes.connected(OneLine.of(welcome.serviceVersion()));
            wake();
        } else {
            if (command instanceof DroneCommand.AcknowledgeWork ack) {
                notes.stored(ack.workOrderId(), ack.ackedSeq());
            }
            state.heard(command);
        }
    }

    /** The heartbeat first: the note is written to a disk, which may be slow or full. No exception may end the pulse. */
    private void beat() {
        try {
            if (greeted) {
                say(state.heartbeat());
            }
            List<HeldWork> held = state.holds();
            notes.work(held);
            if (held.isEmpty()) {
                spare.giveBack();
            }
        } catch (RuntimeException failure) {
            LOG.errorf(failure, "a heartbeat failed; the next one comes in %d s", Protocol.HEARTBEAT_SECONDS);
        }
    }

    /** Sends it in its turn; what does not fit any more is not worth a dead connection's memory. */
    private void say(DroneEvent event) {
        if (!waiting.offer(event)) {
            Channel open = channel;
            if (open != null) {
                open.abort("the code service takes nothing");
            }
        }
        wake();
    }

    private void wake() {
        Outbound open = outbound;
        if (open != null) {
            open.wake();
        }
    }

    /** Goes to the connection that is open, if there is one; each begins with all that there is. */
    private News news() {
        return new News() {
            @Override
            public void wake() {
                DroneLink.this.wake();
            }

            @Override
            public void send() {
                Outbound open = outbound;
                if (open != null) {
                    open.send();
                }
            }
        };
    }

    private @Nullable String nextFrame() throws IOException {
        if (!greeted) {
            return null;
        }
        DroneEvent event = waiting.poll();
        if (event != null) {
            return json(event);
        }
        // By turns, so that neither the agent nor a person who reads files or types waits for the end of the others.
        for (int tries = 0; tries < SOURCES; tries++) {
            turn = (turn + 1) % SOURCES;
            String frame = switch (turn) {
                case 0 -> frame(state.nextOfFiles());
                case 1 -> frame(state.nextOfTerminals());
                default -> state.nextReport(Protocol.BATCH_BYTES);
            };
            if (frame != null) {
                return frame;
            }
        }
        return null;
    }

    private @Nullable String frame(@Nullable DroneEvent part) {
        return part == null ? null : json(part);
    }

    private String json(DroneEvent event) {
        try {
            return writer.writeValueAsString(event);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a message that cannot be written: " + event.getClass(), e);
        }
    }
}
