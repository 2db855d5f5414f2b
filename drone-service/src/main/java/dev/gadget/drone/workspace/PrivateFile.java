package dev.gadget.drone.workspace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that only their owner can read, and that are whole or not there. */
public final class PrivateFile {
    private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-------");

    private PrivateFile() {}

    /** Writes a file so that a crash leaves the old one or the new one, and it is on the disk when this returns. */
    public static void write(Path file, byte[] content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        FileAttribute<?> mode = PosixFilePermissions.asFileAttribute(MODE);
        try (FileChannel channel =
                FileChannel.open(fresh, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        settle(file);
    }

    /** A name that was made or removed is on the disk when its directory is. */
    public static void settle(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            return;
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
