package dev.gadget.drone.policy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open directory. Where the system can (Linux, macOS), names are looked up in the directory that was opened, whatever becomes
 * of its path meanwhile; no link is followed.
 */
final class Folder implements Closeable {
    private final Path path;
    private final DirectoryStream<Path> stream;
    private final @Nullable SecureDirectoryStream<Path> secure;

    private Folder(Path path, DirectoryStream<Path> stream) {
        this.path = path;
        this.stream = stream;
        secure = stream instanceof SecureDirectoryStream<Path> held ? held : null;
    }

    static Folder open(Path path) throws IOException {
        return new Folder(path, Files.newDirectoryStream(path));
    }

    Folder open(Path name, boolean create) throws IOException {
        try {
            return enter(name);
        } catch (NoSuchFileException e) {
            if (!create) {
                throw e;
            }
        }
        // There is no way to create it in the open directory; at worst an empty one is made elsewhere, and then not
        // opened.
        Files.createDirectory(path.resolve(name));
        return enter(name);
    }

    private Folder enter(Path name) throws IOException {
        Path there = path.resolve(name);
        return new Folder(
                there,
                secure == null
                        ? Files.newDirectoryStream(there)
                        : secure.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
    }

    Optional<BasicFileAttributes> attributes(Path name) throws IOException {
        try {
            BasicFileAttributeView view = secure == null
                    ? Files.getFileAttributeView(
                            path.resolve(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    : secure.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
            return Optional.of(view.readAttributes());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    Optional<Set<PosixFilePermission>> permissions(Path name) throws IOException {
        PosixFileAttributeView view = posix(name);
        try {
            return view == null
                    ? Optional.empty()
                    : Optional.of(view.readAttributes().permissions());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    void permit(Path name, Set<PosixFilePermission> permissions) throws IOException {
        // No link can be there: the name was created by this drone, and is not to be guessed.
        PosixFileAttributeView view =
                secure == null ? posix(name) : secure.getFileAttributeView(name, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(permissions);
        }
    }

    private @Nullable PosixFileAttributeView posix(Path name) {
        return secure == null
                ? Files.getFileAttributeView(
                        path.resolve(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                : secure.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    SeekableByteChannel channel(Path name, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        return secure == null
                ? Files.newByteChannel(path.resolve(name), options, attributes)
                : secure.newByteChannel(name, options, attributes);
    }

    void link(Path name, Path target) throws IOException {
        // There is no way to create it in the open directory; at worst one is made elsewhere, where nothing stood.
        Files.createSymbolicLink(path.resolve(name), target);
    }

    void rename(Path from, Path to) throws IOException {
        if (secure == null) {
            Files.move(path.resolve(from), path.resolve(to), StandardCopyOption.REPLACE_EXISTING);
        } else {
            secure.move(from, secure, to);
        }
    }

    /** Into another folder; what has that name there already is replaced. */
    void move(Path name, Folder target, Path to) throws IOException {
        if (secure == null || target.secure == null) {
            Files.move(path.resolve(name), target.path.resolve(to));
        } else {
            secure.move(name, target.secure, to);
        }
    }

    /** The names in it; can be asked once. */
    Iterator<Path> names() {
        Iterator<Path> entries = stream.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public Path next() {
                Path entry = entries.next();
                Path name = entry.getFileName();
                return name == null ? entry : name;
            }
        };
    }

    void deleteFolder(Path name) throws IOException {
        if (secure == null) {
            Files.delete(path.resolve(name));
        } else {
            secure.deleteDirectory(name);
        }
    }

    void delete(Path name) throws IOException {
        if (secure == null) {
            Files.deleteIfExists(path.resolve(name));
        } else {
            secure.deleteFile(name);
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
