package dev.gadget.code.store.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** The directory of the store: for its owner only, and for one process at a time. */
final class StoreDirectory implements Closeable {
    private static final String OWNER_DIRECTORY = "rwx------";
    private static final String OWNER_FILE = "rw-------";

    private final FileChannel lockFile;

    private StoreDirectory(FileChannel lockFile) {
        this.lockFile = lockFile;
    }

    /** Makes it when it is missing, and takes it for this process. */
    static StoreDirectory take(Path directory) throws IOException {
        Files.createDirectories(directory);
        restrict(directory, OWNER_DIRECTORY);
        Path path = directory.resolve("lock");
        createPrivately(path);
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            String holder = Files.readString(path).strip();
            channel.close();
            throw new IOException("The store in " + directory + " is in use by another process"
                    + (holder.isEmpty() ? "" : " (pid " + holder + ")")
                    + ": stop that one, or set gadget.data-dir to another directory.");
        }
        channel.truncate(0);
        byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
        channel.write(ByteBuffer.wrap(pid));
        return new StoreDirectory(channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Makes an empty file for the owner only, when it is missing. */
    static void createPrivately(Path path) throws IOException {
        if (Files.notExists(path)) {
            Files.createFile(path);
        }
        restrict(path, OWNER_FILE);
    }

    private static void restrict(Path path, String permissions) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        }
    }

    /** Makes the names of new files survive a loss of power. */
    static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
