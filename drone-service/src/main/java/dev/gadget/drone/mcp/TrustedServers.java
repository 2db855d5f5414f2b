package dev.gadget.drone.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.config.OwnersFolder;
import dev.gadget.drone.workspace.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * What the owner of this machine trusts, kept outside of every workspace: for a workspace and the name of a server, the fingerprint
 * of exactly the configuration that was looked at.
 */
public final class TrustedServers {
    private static final int MAX_BYTES = 4 << 20;

    private final Path file;

    TrustedServers(Path file) {
        this.file = file;
    }

    /** In the owner's configuration directory. */
    public static TrustedServers ofOwner(Map<String, String> environment, Path home) {
        return new TrustedServers(OwnersFolder.of(environment, home).resolve("trusted-mcp.json"));
    }

    public Path file() {
        return file;
    }

    /** Whether exactly this is trusted. */
    public boolean trusts(Path workspace, String server, String fingerprint) throws McpException {
        for (JsonNode entry : entries(workspace)) {
            if (isOf(entry, workspace, server) && entry.path("sha256").asText().equals(fingerprint)) {
                return true;
            }
        }
        return false;
    }

    /** Trusts this, and nothing any more that the server was before. */
    public void trust(Path workspace, String server, String fingerprint, Instant now) throws McpException {
        ArrayNode entries = without(workspace, server);
        entries.addObject()
                .put("workspace", workspace.toString())
                .put("server", server)
                .put("sha256", fingerprint)
                .put("since", now.toString());
        save(entries);
    }

    /** Takes the trust back; false when there was none. */
    public boolean untrust(Path workspace, String server) throws McpException {
        ArrayNode left = without(workspace, server);
        if (left.size() == entries(workspace).size()) {
            return false;
        }
        save(left);
        return true;
    }

    private ArrayNode without(Path workspace, String server) throws McpException {
        ArrayNode left = Json.MAPPER.createArrayNode();
        for (JsonNode entry : entries(workspace)) {
            if (!isOf(entry, workspace, server)) {
                left.add(entry);
            }
        }
        return left;
    }

    private static boolean isOf(JsonNode entry, Path workspace, String server) {
        return entry.path("workspace").asText().equals(workspace.toString())
                && entry.path("server").asText().equals(server);
    }

    private JsonNode entries(Path workspace) throws McpException {
        try {
            requireOutside(workspace);
            if (!Files.exists(file)) {
                return Json.MAPPER.createArrayNode();
            }
            requireOwn();
            if (Files.size(file) > MAX_BYTES) {
                throw unusable("is larger than it can have become", "Remove it and trust the servers again.");
            }
            JsonNode entries = Json.strict(Files.readAllBytes(file)).path("trusted");
            if (!entries.isArray()) {
                throw unusable("is not what this program writes", "Remove it and trust the servers again.");
            }
            return entries;
        } catch (JsonProcessingException e) {
            throw unusable("is damaged", "Remove it and trust the servers again.");
        } catch (McpException e) {
            throw e;
        } catch (IOException e) {
            throw unusable("cannot be read (" + e.getMessage() + ")", "Check it.");
        }
    }

    /** Where the agent writes it could trust what it likes. */
    private void requireOutside(Path workspace) throws IOException {
        Path place = file.toAbsolutePath().normalize();
        while (place.getParent() != null && !Files.exists(place)) {
            place = place.getParent();
        }
        if (place.toRealPath().startsWith(workspace.toRealPath())) {
            throw unusable(
                    "lies in the workspace " + workspace + ", where the agent may write",
                    "Set XDG_CONFIG_HOME to a directory outside, or choose a smaller workspace.");
        }
    }

    private void requireOwn() throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        for (Path path : directory == null ? Set.of(file) : Set.of(file, directory)) {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
            if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                    || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw unusable("is not trusted itself: others can write " + path, "Run: chmod go-w " + path);
            }
        }
    }

    private void save(ArrayNode entries) throws McpException {
        ObjectNode all = Json.object();
        all.set("trusted", entries);
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null && !Files.isDirectory(directory)) {
                Path above = directory.getParent();
                if (above != null) {
                    Files.createDirectories(above);
                }
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            PrivateFile.write(file, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(all));
        } catch (IOException e) {
            throw unusable("cannot be written (" + e.getMessage() + ")", "Check the directory.");
        }
    }

    private McpException unusable(String what, String advice) {
        return new McpException(McpException.Kind.UNUSABLE, file + " " + what + ". " + advice);
    }
}
