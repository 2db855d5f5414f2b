package dev.gadget.drone.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Stream;

/** The folder {@code .gadget} of a workspace: readable by its owner only, each file in it whole or not there. */
public final class GadgetFolder {
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    private final Path workspace;
    private final Path folder;

    private GadgetFolder(Path workspace) {
        this.workspace = workspace;
        this.folder = workspace.resolve(".gadget");
    }

    /** The folder of this workspace, made when it is missing; {@code IOException} when it cannot be written. */
    public static GadgetFolder open(Path workspace) throws IOException {
        var gadget = new GadgetFolder(workspace.toRealPath());
        gadget.makeFolder(gadget.folder);
        gadget.makeFolder(gadget.journals());
        gadget.makeFolder(gadget.logs());
        Path ignore = gadget.folder.resolve(".gitignore");
        if (!Files.exists(ignore)) {
            gadget.write(ignore, "*\n".getBytes(StandardCharsets.UTF_8));
        }
        return gadget;
    }

    /** The folder of this workspace when there is one already; nothing is made. */
    public static GadgetFolder existing(Path workspace) throws IOException {
        return new GadgetFolder(workspace.toRealPath());
    }

    public Path workspace() {
        return workspace;
    }

    Path workspaceFile() {
        return folder.resolve("workspace.json");
    }

    Path credentialFile() {
        return folder.resolve("credential.json");
    }

    Path workOrderFile() {
        return folder.resolve("work-order.json");
    }

    Path runningFile() {
        return folder.resolve("running.json");
    }

    /** What the drone logs. */
    public Path logFile() {
        return logs().resolve("drone.log");
    }

    /** What people allowed for the rest of a session. */
    public Path grantsFile() {
        return folder.resolve("grants.json");
    }

    /** Where the owner names MCP servers. */
    public Path mcpFile() {
        return folder.resolve("mcp.json");
    }

    /** The filter of system calls that commands are started with, as the kernel takes it. */
    public Path systemCallsFile() {
        return folder.resolve("system-calls.bpf");
    }

    Path lockFile() {
        return folder.resolve("lock");
    }

    public Path journals() {
        return folder.resolve("journal");
    }

    public Path logs() {
        return folder.resolve("logs");
    }

    /** Writes a file so that a crash leaves the old one or the new one, and it is on the disk when this returns. */
    void write(Path file, byte[] content) throws IOException {
        PrivateFile.write(file, content);
    }

    /** Removes a file for good; nothing happens when it is not there. */
    public void remove(Path file) throws IOException {
        if (Files.deleteIfExists(file)) {
            PrivateFile.settle(file);
        }
    }

    /** Removes a directory of the drone's own with all below it; nothing happens when it is not there. */
    public static void removeAll(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> found = Files.walk(directory)) {
            for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Keeps a file that cannot be read under another name beside it, so that nothing overwrites it; the new place. */
    public Path setAside(Path file) throws IOException {
        String moment = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS")
                .withZone(ZoneOffset.UTC)
                .format(Instant.now());
        Path aside = moved(file, file.getFileName() + ".damaged-" + moment);
        PrivateFile.settle(file);
        return aside;
    }

    /** Two may be damaged in one moment: neither takes the place of the other. */
    private static Path moved(Path file, String name) throws IOException {
        for (int more = 1; ; more++) {
            try {
                return Files.move(file, file.resolveSibling(more == 1 ? name : name + "-" + more));
            } catch (FileAlreadyExistsException e) {
                // The next name is tried.
            }
        }
    }

    private void makeFolder(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(FOLDER));
        }
    }
}
