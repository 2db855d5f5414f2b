package dev.gadget.drone.workspace;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sees to it that one drone runs in a workspace. The system gives the lock back when the process ends, however it ends. */
public final class WorkspaceLock implements AutoCloseable {
    private final FileChannel channel;

    private WorkspaceLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Takes the lock, or says who has it. */
    public static WorkspaceLock take(GadgetFolder folder) throws WorkspaceUnusableException {
        FileChannel channel = open(folder.lockFile());
        if (locked(channel) == null) {
            close(channel);
            throw new WorkspaceInUseException(folder.workspace());
        }
        return new WorkspaceLock(channel);
    }

    /** Whether a drone runs there now. */
    public static boolean isTaken(GadgetFolder folder) throws WorkspaceUnusableException {
        if (!Files.exists(folder.lockFile())) {
            return false;
        }
        FileChannel channel = open(folder.lockFile());
        boolean free = locked(channel) != null;
        close(channel);
        return !free;
    }

    private static FileChannel open(Path file) throws WorkspaceUnusableException {
        try {
            return FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (IOException e) {
            throw new WorkspaceUnusableException("The lock file " + file + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static @Nullable FileLock locked(FileChannel channel) {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        } catch (IOException e) {
            return null;
        }
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing was written; there is nothing to lose.
        }
    }

    @Override
    public void close() {
        close(channel);
    }
}
