package dev.gadget.drone.policy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Opens and replaces files of a workspace. Directories are opened one below the other and no link is followed on the way, so a link
 * that somebody puts there between the check of a path and its use leads nowhere.
 */
public final class SafeFiles {
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> CREATE =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private static final Set<PosixFilePermission> EXECUTE = Set.of(
            PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);
    private static final Set<PosixFilePermission> USUAL = PosixFilePermissions.fromString("rw-r--r--");

    private static final String TEMPORARY = ".gadget-";
    private static final Pattern UNFINISHED = Pattern.compile(Pattern.quote(TEMPORARY) + "[0-9a-f-]{36}\\.tmp");
    /** What this process writes at the moment: what else is called like that was left by one that was killed. */
    private static final Set<String> WRITING = ConcurrentHashMap.newKeySet();

    private SafeFiles() {}

    /** Opens a regular file that {@link Workspace#toRead} gave. */
    public static SeekableByteChannel open(Workspace workspace, Path file) throws IOException {
        try (Folder folder = parent(workspace, file, false)) {
            Path name = name(file);
            BasicFileAttributes attributes =
                    folder.attributes(name).orElseThrow(() -> new NoSuchFileException(workspace.show(file)));
            requireRegular(workspace, file, attributes);
            return folder.channel(name, READ);
        }
    }

    /** All bytes of a file, up to a bound; a longer one is refused. */
    public static byte[] read(Workspace workspace, Path file, int max) throws IOException {
        try (SeekableByteChannel channel = open(workspace, file)) {
            if (channel.size() > max) {
                throw new PathRefusedException("`" + workspace.show(file) + "` is too large for this: " + channel.size()
                        + " bytes, and at most " + max + " are taken.");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
            byte[] read = new byte[bytes.position()];
            bytes.flip().get(read);
            return read;
        }
    }

    /**
     * Replaces or creates a file that {@link Workspace#toWrite} gave: at every moment either the old or the new content is there.
     * The mode of an old file is kept; missing directories are made.
     *
     * @return whether there was a file before
     */
    public static boolean write(Workspace workspace, Path file, byte[] content) throws IOException {
        return replace(workspace, file, content, null);
    }

    /** The same, with the owner's right to execute it given or taken. */
    public static boolean write(Workspace workspace, Path file, byte[] content, boolean executable) throws IOException {
        return replace(workspace, file, content, executable);
    }

    /** Creates a link where nothing stands; missing directories are made. */
    public static void link(Workspace workspace, Path file, Path target) throws IOException {
        try (Folder folder = parent(workspace, file, true)) {
            folder.link(name(file), target);
        }
    }

    /** Removes a file or a link; a directory, or nothing at all, stays as it is. True when something was removed. */
    public static boolean delete(Workspace workspace, Path file) throws IOException {
        try (Folder folder = parent(workspace, file, false)) {
            Path name = name(file);
            Optional<BasicFileAttributes> there = folder.attributes(name);
            if (there.isEmpty() || there.get().isDirectory()) {
                return false;
            }
            folder.delete(name);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Removes what a drone that was killed left beside this file while it wrote. */
    public static void clearUnfinished(Workspace workspace, Path file) throws IOException {
        try (Folder folder = parent(workspace, file, false)) {
            for (Iterator<Path> names = folder.names(); names.hasNext(); ) {
                Path name = names.next();
                if (UNFINISHED.matcher(name.toString()).matches() && !WRITING.contains(name.toString())) {
                    folder.delete(name);
                }
            }
        } catch (NoSuchFileException e) {
            // Not even its folder was made.
            return;
        }
    }

    private static boolean replace(Workspace workspace, Path file, byte[] content, @Nullable Boolean executable)
            throws IOException {
        try (Folder folder = parent(workspace, file, true)) {
            Path name = name(file);
            Optional<BasicFileAttributes> before = folder.attributes(name);
            if (before.isPresent()) {
                requireRegular(workspace, file, before.get());
            }
            Optional<Set<PosixFilePermission>> mode = before.isPresent() ? folder.permissions(name) : Optional.empty();
            if (executable != null) {
                mode = Optional.of(executable(mode.orElse(USUAL), executable));
            }
            Path temporary = Path.of(TEMPORARY + UUID.randomUUID() + ".tmp");
            WRITING.add(temporary.toString());
            try {
                fill(folder, temporary, content, mode);
                folder.rename(temporary, name);
            } catch (IOException e) {
                deleteQuietly(folder, temporary, e);
                throw e;
            } finally {
                WRITING.remove(temporary.toString());
            }
            RunsLaterGuard.allowed(file, content);
            return before.isPresent();
        }
    }

    private static Set<PosixFilePermission> executable(Set<PosixFilePermission> mode, boolean executable) {
        Set<PosixFilePermission> changed = EnumSet.noneOf(PosixFilePermission.class);
        changed.addAll(mode);
        if (!executable) {
            changed.removeAll(EXECUTE);
            return changed;
        }
        changed.add(PosixFilePermission.OWNER_EXECUTE);
        if (mode.contains(PosixFilePermission.GROUP_READ)) {
            changed.add(PosixFilePermission.GROUP_EXECUTE);
        }
        if (mode.contains(PosixFilePermission.OTHERS_READ)) {
            changed.add(PosixFilePermission.OTHERS_EXECUTE);
        }
        return changed;
    }

    private static void fill(Folder folder, Path temporary, byte[] content, Optional<Set<PosixFilePermission>> mode)
            throws IOException {
        try (SeekableByteChannel channel = folder.channel(temporary, CREATE)) {
            if (mode.isPresent()) {
                folder.permit(temporary, mode.get());
            }
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            if (channel instanceof FileChannel file) {
                file.force(true);
            }
        }
    }

    private static void deleteQuietly(Folder folder, Path name, IOException cause) {
        try {
            folder.delete(name);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    static Folder parent(Workspace workspace, Path file, boolean create) throws IOException {
        if (file.equals(workspace.root())) {
            throw new PathRefusedException("`.` is the workspace directory, not a file.");
        }
        Path relative = workspace.root().relativize(file);
        Folder at = Folder.open(workspace.root());
        for (int i = 0; i < relative.getNameCount() - 1; i++) {
            try (Folder above = at) {
                at = above.open(relative.getName(i), create);
            } catch (NoSuchFileException e) {
                throw new NoSuchFileException(workspace.show(file));
            } catch (FileSystemLoopException | NotDirectoryException e) {
                throw moved(workspace, file);
            } catch (FileSystemException e) {
                // ELOOP and ENOTDIR come without a class of their own: a link stands where the check saw a directory.
                if (String.valueOf(e.getReason()).matches("(?i).*(symbolic|not a directory).*")) {
                    throw moved(workspace, file);
                }
                throw e;
            }
        }
        return at;
    }

    private static PathRefusedException moved(Workspace workspace, Path file) {
        return new PathRefusedException("outside the workspace: a directory of `" + workspace.show(file)
                + "` is a file or became a link meanwhile. List the directory and try again.");
    }

    private static void requireRegular(Workspace workspace, Path file, BasicFileAttributes attributes) {
        String shown = "`" + workspace.show(file) + "`";
        if (attributes.isDirectory()) {
            throw new PathRefusedException(shown + " is a directory. Use list_files to see what is in it.");
        }
        if (attributes.isSymbolicLink()) {
            throw new PathRefusedException("outside the workspace: " + shown + " became a link meanwhile.");
        }
        if (!attributes.isRegularFile()) {
            throw new PathRefusedException(shown + " is a device, a pipe or a socket, not a file.");
        }
    }

    static Path name(Path file) {
        Path name = file.getFileName();
        if (name == null) {
            throw new PathRefusedException("`" + file + "` has no name.");
        }
        return name;
    }
}
