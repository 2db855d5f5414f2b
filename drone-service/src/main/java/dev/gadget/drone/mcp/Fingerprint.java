package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.model.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The SHA-256 of all that an owner trusts in a server. */
public final class Fingerprint {
    private Fingerprint() {}

    /**
     * Of the configuration, and of the files of the workspace that its command line names: the agent may write these, and a
     * server runs outside its sandbox.
     */
    public static String of(ServerConfig config, Path workspace) throws McpException {
        ObjectNode all = Json.object();
        all.set("config", config.common().written());
        ObjectNode files = all.putObject("files");
        try {
            for (Path file : workspaceFiles(config, workspace)) {
                files.put(file.toString(), sha256(file));
            }
        } catch (IOException e) {
            throw new McpException(
                    McpException.Kind.UNUSABLE,
                    "a file of the workspace that its command line names cannot be read: " + e.getMessage(),
                    e);
        }
        return Sha256.of(Json.canonical(all));
    }

    /** The files of the workspace that its command line names, but for those that may change. */
    public static List<Path> workspaceFiles(ServerConfig config, Path workspace) throws IOException {
        return switch (config) {
            case ServerConfig.Http http -> List.of();
            case ServerConfig.Stdio stdio -> workspaceFiles(stdio, workspace);
        };
    }

    private static List<Path> workspaceFiles(ServerConfig.Stdio config, Path workspace) throws IOException {
        List<String> words = new ArrayList<>(config.args());
        if (config.command().indexOf('/') >= 0) {
            words.add(config.command());
        }
        SortedMap<String, Path> files = new TreeMap<>();
        for (String word : words) {
            if (!config.mayChange().contains(word)) {
                add(word, config.directory(workspace), workspace, files);
                // As in --config=server.js.
                add(word.substring(word.indexOf('=') + 1), config.directory(workspace), workspace, files);
            }
        }
        return List.copyOf(files.values());
    }

    private static void add(String word, Path directory, Path workspace, SortedMap<String, Path> files)
            throws IOException {
        Path path;
        try {
            path = directory.resolve(word);
        } catch (InvalidPathException e) {
            return;
        }
        if (Files.isRegularFile(path)) {
            Path real = path.toRealPath();
            if (real.startsWith(workspace.toRealPath())) {
                files.put(real.toString(), real);
            }
        }
    }

    private static String sha256(Path file) throws IOException {
        MessageDigest digest = Sha256.digest();
        byte[] buffer = new byte[64 << 10];
        try (InputStream input = Files.newInputStream(file)) {
            for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
                digest.update(buffer, 0, count);
            }
        }
        return Sha256.end(digest);
    }
}
