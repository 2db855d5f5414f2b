package dev.gadget.drone.policy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Lists, makes, moves and removes names of a workspace, in open directories as {@link SafeFiles} does. */
public final class SafeEntries {
    /** Each level holds a directory open. */
    private static final int DEEPEST = 200;

    private SafeEntries() {}

    /** A name in a folder, and what it stands for; of a link, the link. */
    public record Entry(String name, BasicFileAttributes attributes) {}

    /** The names in a folder that {@link Workspace#toRead} gave, in no order, at most so many. */
    public static List<Entry> list(Workspace workspace, Path place, int max) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (Folder folder = open(workspace, place)) {
            Iterator<Path> names = folder.names();
            while (names.hasNext() && entries.size() < max) {
                Path name = names.next();
                folder.attributes(name).ifPresent(attributes -> entries.add(new Entry(name.toString(), attributes)));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return entries;
    }

    private static Folder open(Workspace workspace, Path place) throws IOException {
        if (place.equals(workspace.root())) {
            return Folder.open(place);
        }
        try (Folder above = SafeFiles.parent(workspace, place, false)) {
            return above.open(SafeFiles.name(place), false);
        }
    }

    /** Makes a file where there is nothing; missing folders are made. */
    public static void createFile(Workspace workspace, Path place, byte[] content) throws IOException {
        try (Folder folder = SafeFiles.parent(workspace, place, true);
                SeekableByteChannel channel = folder.channel(
                        SafeFiles.name(place),
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
        RunsLaterGuard.allowed(place, content);
    }

    /** Makes a folder where there is nothing, with those above it. */
    public static void createFolder(Workspace workspace, Path place) throws IOException {
        try (Folder folder = SafeFiles.parent(workspace, place, true)) {
            requireNothing(workspace, place, folder);
            folder.open(SafeFiles.name(place), true).close();
        }
    }

    /** Gives it another place where there is nothing yet; missing folders are made. */
    public static void move(Workspace workspace, Path from, Path to) throws IOException {
        if (to.startsWith(from)) {
            throw new PathRefusedException("`" + workspace.show(from) + "` cannot be moved to `" + workspace.show(to)
                    + "`, which is itself or inside of it.");
        }
        try (Folder source = SafeFiles.parent(workspace, from, false)) {
            require(workspace, from, source);
            try (Folder target = SafeFiles.parent(workspace, to, true)) {
                // Between this and the move somebody else may make one; the system offers nothing that would notice.
                requireNothing(workspace, to, target);
                source.move(SafeFiles.name(from), target, SafeFiles.name(to));
            }
        }
    }

    /** Removes a file or a link, or a folder with all that is in it; what a link leads to stays. */
    public static void delete(Workspace workspace, Path place) throws IOException {
        try (Folder folder = SafeFiles.parent(workspace, place, false)) {
            require(workspace, place, folder);
            delete(folder, SafeFiles.name(place), 0);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void delete(Folder folder, Path name, int depth) throws IOException {
        Optional<BasicFileAttributes> attributes = folder.attributes(name);
        if (attributes.isEmpty()) {
            return;
        }
        if (!attributes.get().isDirectory()) {
            folder.delete(name);
            return;
        }
        if (depth == DEEPEST) {
            throw new PathRefusedException(
                    "`" + name + "` lies more than " + DEEPEST + " folders deep. Remove it with a command.");
        }
        try (Folder inner = folder.open(name, false)) {
            for (Iterator<Path> names = inner.names(); names.hasNext(); ) {
                delete(inner, names.next(), depth + 1);
            }
        }
        folder.deleteFolder(name);
    }

    private static void require(Workspace workspace, Path place, Folder folder) throws IOException {
        if (folder.attributes(SafeFiles.name(place)).isEmpty()) {
            throw new NoSuchFileException(workspace.show(place));
        }
    }

    private static void requireNothing(Workspace workspace, Path place, Folder folder) throws IOException {
        if (folder.attributes(SafeFiles.name(place)).isPresent()) {
            throw new FileAlreadyExistsException(workspace.show(place));
        }
    }
}
