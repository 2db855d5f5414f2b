package dev.gadget.drone.workspace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.model.DroneId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.work.ProjectRef;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The files by which a workspace remembers who it is, who may work in it, and what is being worked on. */
public final class WorkspaceStore implements ProjectBook {
    private static final Logger LOG = Logger.getLogger(WorkspaceStore.class);

    /** Found when it is asked for: a native program is built on another machine. */
    private static volatile @Nullable String hostname;

    private final GadgetFolder folder;
    private final ObjectMapper mapper;
    private final ObjectWriter writer;
    private final Clock clock;
    private WorkspaceState state;
    /** By this process. */
    private boolean registered;

    private WorkspaceStore(GadgetFolder folder, ObjectMapper mapper, Clock clock, WorkspaceState state) {
        this.folder = folder;
        this.mapper = mapper;
        this.writer = mapper.writerWithDefaultPrettyPrinter();
        this.clock = clock;
        this.state = state;
    }

    /** Opens a directory as a workspace, and makes it one when it is none yet. */
    public static WorkspaceStore open(Path directory, ObjectMapper mapper, Clock clock)
            throws WorkspaceUnusableException {
        try {
            GadgetFolder folder = GadgetFolder.open(directory);
            Optional<WorkspaceState> known = state(folder, mapper);
            WorkspaceState state = known.isPresent() ? known.get() : fresh(folder, mapper, clock);
            var store = new WorkspaceStore(folder, mapper, clock, state);
            if (known.isEmpty()) {
                store.save(folder.workspaceFile(), state);
            }
            return store;
        } catch (NoSuchFileException e) {
            throw new WorkspaceUnusableException(
                    "The workspace " + directory + " does not exist. Make it, or name another with --workspace.", e);
        } catch (AccessDeniedException e) {
            throw new WorkspaceUnusableException(
                    "The workspace " + directory + " cannot be written by this user. Choose another with --workspace.",
                    e);
        } catch (FileSystemException e) {
            throw new WorkspaceUnusableException(
                    "The workspace " + directory + " cannot be used: " + reason(e) + ".", e);
        } catch (IOException e) {
            throw new WorkspaceUnusableException(
                    "The workspace " + directory + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static String reason(FileSystemException failure) {
        String reason = failure.getReason();
        return reason == null ? failure.getClass().getSimpleName() + " at " + failure.getFile() : reason;
    }

    private static Optional<WorkspaceState> state(GadgetFolder folder, ObjectMapper mapper) throws IOException {
        try {
            return read(folder.workspaceFile(), WorkspaceState.class, mapper);
        } catch (DamagedException e) {
            LOG.warnf(
                    "%s is damaged; it is kept as %s, and a new one is made.",
                    folder.workspaceFile(),
                    folder.setAside(folder.workspaceFile()).getFileName());
            return Optional.empty();
        }
    }

    /** A workspace that was enrolled keeps its identity: its sessions are bound to it. */
    private static WorkspaceState fresh(GadgetFolder folder, ObjectMapper mapper, Clock clock) throws IOException {
        Optional<WorkspaceId> enrolled =
                read(folder.credentialFile(), Credential.class, mapper).map(Credential::workspaceId);
        return new WorkspaceState(
                enrolled.orElseGet(WorkspaceId::random),
                clock.instant(),
                hostname(),
                folder.workspace().toString(),
                null,
                null,
                List.of(),
                null);
    }

    /** The name of this machine, as people know it; of a laptop that changes its network the one that it had when this program began. */
    public static String hostname() {
        String known = hostname;
        if (known == null) {
            known = findHostname();
            hostname = known;
        }
        return known;
    }

    private static String findHostname() {
        String name = System.getenv("HOSTNAME");
        if (name != null && !name.isBlank()) {
            return name;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    public GadgetFolder folder() {
        return folder;
    }

    public synchronized WorkspaceState state() {
        return state;
    }

    /** Who the drone of this workspace is, when it was enrolled. */
    public Optional<Credential> credential() throws WorkspaceUnusableException {
        try {
            return read(folder.credentialFile(), Credential.class, mapper);
        } catch (IOException e) {
            throw damaged(folder.credentialFile(), "Remove it and enrol the drone again.", e);
        }
    }

    public void enrolled(Credential credential) throws IOException {
        save(folder.credentialFile(), credential);
    }

    /** Brings up to date what may have changed while no drone ran here: the machine, the place, the projects that are there. */
    public synchronized void started() throws IOException {
        List<WorkspaceState.ClonedProject> there = state.projects().stream()
                .filter(project -> Files.isDirectory(folder.workspace().resolve(project.slug())))
                .toList();
        change(state.at(hostname(), folder.workspace().toString()).with(there));
    }

    /** Notes that the service knows the drone, since its first welcome to this process, and what it is now. */
    public synchronized void registered(DroneId drone, DroneStatus status) throws IOException {
        WorkspaceState.Registration old = state.registration();
        Instant since = registered && old != null && old.id().equals(drone) ? old.registeredAt() : clock.instant();
        change(state.with(new WorkspaceState.Registration(drone, status, since)));
        registered = true;
    }

    /** Notes what the drone is now, once it has been registered. */
    public synchronized void status(DroneStatus status) throws IOException {
        WorkspaceState.Registration old = state.registration();
        if (old != null) {
            change(state.with(new WorkspaceState.Registration(old.id(), status, old.registeredAt())));
        }
    }

    /** Notes which session has the workspace, and which project it works on; null for none. */
    public synchronized void lock(
            WorkspaceState.@Nullable SessionLock session, WorkspaceState.@Nullable ProjectLock project)
            throws IOException {
        change(state.with(session, project));
    }

    @Override
    public synchronized Optional<WorkspaceState.ClonedProject> find(String slug) {
        return state.projects().stream()
                .filter(project -> project.slug().equals(slug))
                .findFirst();
    }

    @Override
    public synchronized void cloned(ProjectRef project) throws IOException {
        note(new WorkspaceState.ClonedProject(project.id(), project.slug(), project.gitUrl(), clock.instant(), null));
    }

    @Override
    public synchronized void synced(ProjectRef project) throws IOException {
        Instant now = clock.instant();
        Instant since =
                find(project.slug()).map(WorkspaceState.ClonedProject::clonedAt).orElse(now);
        note(new WorkspaceState.ClonedProject(project.id(), project.slug(), project.gitUrl(), since, now));
    }

    /** A directory holds one project. */
    private void note(WorkspaceState.ClonedProject project) throws IOException {
        List<WorkspaceState.ClonedProject> projects = new ArrayList<>(state.projects());
        projects.removeIf(known -> known.slug().equals(project.slug()));
        projects.add(project);
        change(state.with(projects));
    }

    /** The order that is worked on, or was when the drone stopped. */
    public Optional<HeldOrder> heldOrder() throws WorkspaceUnusableException {
        try {
            return read(folder.workOrderFile(), HeldOrder.class, mapper);
        } catch (DamagedException e) {
            setOrderAside();
            return Optional.empty();
        } catch (IOException e) {
            throw new WorkspaceUnusableException(folder.workOrderFile() + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Whatever it was cannot go on from here; the service hears that it is not held any more. */
    private void setOrderAside() throws WorkspaceUnusableException {
        try {
            LOG.warnf(
                    "%s is damaged; it is kept as %s, its journal beside it, and its turn ends.",
                    folder.workOrderFile(),
                    folder.setAside(folder.workOrderFile()).getFileName());
            try (var journals = Files.newDirectoryStream(folder.journals(), "*.journal")) {
                for (Path journal : journals) {
                    folder.setAside(journal);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw new WorkspaceUnusableException(
                    folder.workOrderFile() + " is damaged, and cannot be moved aside: " + e.getMessage(), e);
        }
    }

    /** How the drone that runs here is; empty before the first note, and when it cannot be read. */
    public Optional<RunningNote> note() {
        try {
            return read(folder.runningFile(), RunningNote.class, mapper);
        } catch (IOException e) {
            LOG.debugf("%s cannot be read: %s", folder.runningFile(), e.getMessage());
            return Optional.empty();
        }
    }

    public void note(RunningNote note) throws IOException {
        save(folder.runningFile(), note);
    }

    /** Of the run before; whoever asks is told of the one that has the workspace now. */
    public void forgetNote() throws WorkspaceUnusableException {
        try {
            folder.remove(folder.runningFile());
        } catch (IOException e) {
            throw new WorkspaceUnusableException(folder.runningFile() + " cannot be removed: " + e.getMessage(), e);
        }
    }

    public void hold(HeldOrder order) throws IOException {
        save(folder.workOrderFile(), order);
    }

    public void letGo() throws IOException {
        folder.remove(folder.workOrderFile());
    }

    private void change(WorkspaceState next) throws IOException {
        if (!next.equals(state)) {
            save(folder.workspaceFile(), next);
            state = next;
        }
    }

    private void save(Path file, Object content) throws IOException {
        folder.write(file, writer.writeValueAsBytes(content));
    }

    private static WorkspaceUnusableException damaged(Path file, String what, IOException cause) {
        return new WorkspaceUnusableException(file + " cannot be read as what it should be. " + what, cause);
    }

    private static <T> Optional<T> read(Path file, Class<T> type, ObjectMapper mapper) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            T value = mapper.readValue(Files.readAllBytes(file), type);
            if (value == null) {
                throw new DamagedException(file, null);
            }
            return Optional.of(value);
        } catch (JsonProcessingException e) {
            throw new DamagedException(file, e);
        }
    }

    /** The file is not what this program writes. */
    private static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1L;

        DamagedException(Path file, @Nullable Exception cause) {
            super(file + " is damaged", cause);
        }
    }
}
