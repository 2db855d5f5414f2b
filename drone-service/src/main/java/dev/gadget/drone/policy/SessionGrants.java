package dev.gadget.drone.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.workspace.GadgetFolder;
import dev.gadget.drone.workspace.PrivateFile;
import dev.gadget.model.SessionId;
import dev.gadget.model.Sha256;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What people allowed for the rest of a session, kept in {@code .gadget} where no tool reads or writes: an answer counts also after
 * the drone stopped. What a call is about is kept as a fingerprint, because commands may hold secrets.
 */
@ApplicationScoped
public class SessionGrants {
    private static final Logger LOG = Logger.getLogger(SessionGrants.class);
    private static final int MAX_SESSIONS = 200;
    private static final int MAX_OF_A_SESSION = 500;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<LinkedHashMap<String, List<String>>> TYPE = new TypeReference<>() {};

    /** Of all that look at one file. */
    private static final Object LOCK = new Object();

    private final @Nullable WorkspaceDirectory directory;
    private SequencedMap<String, List<String>> unkept = new LinkedHashMap<>();

    @Inject
    public SessionGrants(WorkspaceDirectory directory) {
        this.directory = directory;
    }

    /** Kept nowhere, and gone with this object. */
    public SessionGrants() {
        directory = null;
    }

    /** Lets calls of this tool in this scope through from now on. */
    public void allow(SessionId session, String tool, String scope) {
        synchronized (LOCK) {
            SequencedMap<String, List<String>> all = read();
            List<String> given = new ArrayList<>(all.getOrDefault(session.toString(), List.of()));
            String grant = grant(tool, scope);
            if (given.contains(grant)) {
                return;
            }
            given.add(grant);
            if (given.size() > MAX_OF_A_SESSION) {
                given.removeFirst();
            }
            all.putLast(session.toString(), given);
            if (all.size() > MAX_SESSIONS) {
                all.pollFirstEntry();
            }
            write(all);
        }
    }

    public boolean allowed(SessionId session, String tool, String scope) {
        synchronized (LOCK) {
            return read().getOrDefault(session.toString(), List.of()).contains(grant(tool, scope));
        }
    }

    /** Of a session that is gone nothing is kept. */
    public void forget(SessionId session) {
        synchronized (LOCK) {
            SequencedMap<String, List<String>> all = read();
            if (all.remove(session.toString()) != null) {
                write(all);
            }
        }
    }

    private static String grant(String tool, String scope) {
        return tool + " " + Sha256.of(scope);
    }

    /** What cannot be read allows nothing: people are asked again. */
    private SequencedMap<String, List<String>> read() {
        if (directory == null) {
            return unkept;
        }
        try {
            GadgetFolder folder = GadgetFolder.existing(directory.path());
            return read(folder, folder.grantsFile());
        } catch (NoSuchFileException e) {
            return new LinkedHashMap<>();
        } catch (IOException e) {
            LOG.warnf("What was allowed for sessions cannot be read, and is asked for again: %s", e.getMessage());
            return new LinkedHashMap<>();
        }
    }

    private static SequencedMap<String, List<String>> read(GadgetFolder folder, Path file) throws IOException {
        try {
            SequencedMap<String, List<String>> read = JSON.readValue(Files.readAllBytes(file), TYPE);
            if (read != null && read.values().stream().allMatch(given -> given != null)) {
                return read;
            }
        } catch (JsonProcessingException e) {
            LOG.debugf("%s is damaged: %s", file, e.getOriginalMessage());
        }
        LOG.warnf(
                "%s is damaged; it is kept as %s, and what it allowed is asked for again.",
                file, folder.setAside(file).getFileName());
        return new LinkedHashMap<>();
    }

    private void write(SequencedMap<String, List<String>> all) {
        if (directory == null) {
            unkept = all;
            return;
        }
        try {
            PrivateFile.write(GadgetFolder.existing(directory.path()).grantsFile(), JSON.writeValueAsBytes(all));
        } catch (IOException e) {
            LOG.warnf("What was allowed for sessions cannot be kept, and will be asked for again: %s", e.getMessage());
        }
    }
}
