package dev.gadget.drone.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.workspace.HeldOrder;
import dev.gadget.drone.workspace.RunningNote;
import dev.gadget.drone.workspace.WorkspaceLock;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.drone.workspace.WorkspaceUnusableException;
import dev.gadget.model.OneLine;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what is known of a workspace on this machine, and how the drone is that runs there. */
@Command(
        name = "status",
        description =
                "Says whether a drone is enrolled and runs in this workspace, whether it is connected, and what it works"
                        + " on.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public class StatusCommand implements Callable<Integer> {
    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final ObjectMapper mapper;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    WorkspaceOption workspace = new WorkspaceOption();

    @Option(names = "--json", description = "print it as JSON")
    boolean json;

    StatusCommand(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public Integer call() {
        if (!Files.exists(workspace.path().resolve(".gadget"))) {
            return Failing.with(spec, workspace.path() + " is no workspace yet: gadget-drone enroll makes it one.");
        }
        try {
            WorkspaceStore store = WorkspaceStore.open(workspace.path(), mapper, Clock.systemUTC());
            PrintWriter out = spec.commandLine().getOut();
            // What a drone noted that does not run any more is no news.
            RunningNote note =
                    WorkspaceLock.isTaken(store.folder()) ? store.note().orElse(null) : null;
            if (json) {
                out.println(asJson(store, note));
            } else {
                print(store, note, out);
            }
            out.flush();
            return 0;
        } catch (WorkspaceUnusableException e) {
            return Failing.with(spec, String.valueOf(e.getMessage()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what is known cannot be written as JSON", e);
        }
    }

    private static void print(WorkspaceStore store, @Nullable RunningNote note, PrintWriter out)
            throws WorkspaceUnusableException {
        boolean running = WorkspaceLock.isTaken(store.folder());
        out.println("workspace  " + store.state().workspaceId() + " in "
                + store.folder().workspace());
        out.println("enrolled   "
                + store.credential()
                        .map(one -> "at " + one.server() + " as " + one.droneId())
                        .orElse("no"));
        out.println("running    " + (running ? "yes" + (note == null ? "" : ", " + runs(note)) : "no"));
        if (note != null) {
            out.println("connected  " + connection(note));
            out.println("sandbox    " + note.sandbox());
            out.println("terminals  " + note.terminals());
        }
        Optional<HeldOrder> held = store.heldOrder();
        out.println("holds      " + held.map(one -> holds(one, note)).orElse("nothing"));
        out.println("log        " + store.folder().logFile());
    }

    private static String runs(RunningNote note) {
        return "since " + moment(note.startedAt()) + ", process " + note.pid() + ", version " + note.version();
    }

    private static String connection(RunningNote note) {
        String where = note.server() + (note.connected() ? " since " : ", not since ") + moment(note.since());
        return note.connected()
                ? "to " + where + ", version " + OneLine.of(String.valueOf(note.serviceVersion()))
                : "no: to " + where + ": " + OneLine.of(String.valueOf(note.lost()));
    }

    private static String holds(HeldOrder held, @Nullable RunningNote note) {
        String turn = "turn " + held.turnId() + " of session " + held.chatSessionId() + " since "
                + moment(held.receivedAt()) + (held.error() == null ? "" : ", lost: " + OneLine.of(held.error()));
        return turn
                + entriesOf(held, note)
                        .map(of -> ", " + of.lastSeq() + " entries"
                                + notStored(of)
                                        .map(many -> ", " + many + " of them not stored by the service")
                                        .orElse(""))
                        .orElse("");
    }

    /** The note, when it is about the order that is held. */
    private static Optional<RunningNote> entriesOf(HeldOrder held, @Nullable RunningNote note) {
        return Optional.ofNullable(note)
                .filter(of -> held.workOrderId().equals(of.workOrderId()) && of.lastSeq() != null);
    }

    /** Empty while nobody knows. */
    private static Optional<Long> notStored(RunningNote note) {
        Long last = note.lastSeq();
        Long stored = note.storedSeq();
        return last == null || stored == null ? Optional.empty() : Optional.of(last - Math.min(stored, last));
    }

    private String asJson(WorkspaceStore store, @Nullable RunningNote note)
            throws WorkspaceUnusableException, JsonProcessingException {
        ObjectNode said = mapper.createObjectNode();
        said.put("workspaceId", store.state().workspaceId().value());
        said.put("workspaceDir", store.folder().workspace().toString());
        store.credential()
                .ifPresent(one -> said.putObject("enrolled")
                        .put("server", one.server())
                        .put("droneId", one.droneId().value()));
        said.put("running", WorkspaceLock.isTaken(store.folder()));
        if (note != null) {
            said.putObject("drone")
                    .put("version", note.version())
                    .put("pid", note.pid())
                    .put("startedAt", note.startedAt().toString())
                    .put("sandbox", note.sandbox())
                    .put("terminals", note.terminals())
                    .putObject("connection")
                    .put("server", note.server())
                    .put("connected", note.connected())
                    .put("since", note.since().toString())
                    .put("serviceVersion", note.serviceVersion())
                    .put("lost", note.lost());
        }
        store.heldOrder().ifPresent(held -> hold(said.putObject("holds"), held, note));
        said.put("log", store.folder().logFile().toString());
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(said);
    }

    private static void hold(ObjectNode said, HeldOrder held, @Nullable RunningNote note) {
        said.put("turnId", held.turnId().value())
                .put("sessionId", held.chatSessionId().value())
                .put("workOrderId", held.workOrderId().value())
                .put("receivedAt", held.receivedAt().toString())
                .put("status", held.status());
        entriesOf(held, note).ifPresent(of -> {
            said.put("entries", of.lastSeq());
            notStored(of).ifPresent(many -> said.put("notStored", many));
        });
    }

    private static String moment(Instant when) {
        return MOMENT.format(when.atZone(ZoneId.systemDefault()));
    }
}
