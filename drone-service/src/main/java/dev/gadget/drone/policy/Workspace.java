package dev.gadget.drone.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The directory that tools are confined to, and the one in it where they work: relative paths begin there. A path is followed name
 * by name, links included, also where its end does not exist yet; what leads outside is refused.
 */
public final class Workspace {
    /** The folder of it that holds the working trees which sessions have of their own. */
    public static final String WORKTREES = ".worktrees";

    private static final int MAX_LINKS = 40;

    private final Path root;
    private final Path given;
    private final Path home;
    private final Path base;
    private final Sandbox sandbox;

    /** The workspace at this existing directory, for what runs no program there. */
    public Workspace(Path directory) throws IOException {
        this(directory, Sandbox.off());
    }

    /** The workspace at this existing directory, where programs run in this sandbox. */
    public Workspace(Path directory, Sandbox sandbox) throws IOException {
        this.sandbox = sandbox;
        given = directory.toAbsolutePath().normalize();
        root = directory.toRealPath();
        if (!Files.isDirectory(root)) {
            throw new IOException("the workspace " + directory + " is not a directory");
        }
        home = root;
        base = root;
    }

    private Workspace(Workspace whole, Path home, Path base) {
        root = whole.root;
        sandbox = whole.sandbox;
        given = base;
        this.home = home;
        this.base = base;
    }

    /**
     * The same workspace, with work in a directory below it.
     *
     * @param home the project's directory, which {@code toRead} gave
     * @param base where the work is: the same, or a working tree of the project's repository
     */
    public Workspace at(Path home, Path base) {
        return new Workspace(this, home, base);
    }

    /** Its real path: no link is in it. */
    public Path root() {
        return root;
    }

    /** Where relative paths and commands begin. */
    public Path base() {
        return base;
    }

    /** Where the project is; the workspace itself when there is none of its own. */
    public Path home() {
        return home;
    }

    /** What the drone's own git runs in here. */
    Sandbox sandbox() {
        return sandbox;
    }

    /** A file as rules about the project's paths see it: relative to where it is worked on. */
    public Path inProject(Path file) {
        for (Path above : List.of(base, home)) {
            if (file.startsWith(above)) {
                return above.relativize(file);
            }
        }
        return root.relativize(file);
    }

    /** A file as rules about the workspace's paths see it: in a working tree, the file of the project that it stands for. */
    public Path inWorkspace(Path file) {
        return root.relativize(file.startsWith(base) ? home.resolve(base.relativize(file)) : file);
    }

    /** The real place of a path that a tool wants to read; it need not exist. */
    public Path toRead(String path) {
        return readable(path, resolve(path));
    }

    /** The real place of a file that a tool wants to write; it need not exist. */
    public Path toWrite(String path) {
        return writable(path, toRead(path));
    }

    /**
     * The place of a name that a tool wants to move or remove: links on the way are followed, one at its end is meant itself, as in
     * {@link #toChange}; but a link that leads outside is refused.
     */
    public Path toMove(String path) {
        resolve(path);
        return writable(path, readable(path, named(path)));
    }

    /** The place of a name that a person wants to make, rename or remove: links on the way are followed, one at its end is meant itself. */
    public Path toChange(String path) {
        Path place = named(path);
        Path relative = root.relativize(place);
        if (ProtectedNames.isPrivate(relative) || ProtectedNames.isGitInternal(relative)) {
            throw new PathRefusedException(
                    "`" + path + "` is not for people: .git belongs to git, and .gadget to this drone.");
        }
        return place;
    }

    private Path named(String path) {
        Path asked = parse(path);
        Path name = asked.getFileName();
        if (name == null || name.toString().matches("\\.{0,2}")) {
            throw new PathRefusedException(
                    "`" + path + "` has no name at its end. Give the path of a file or a folder.");
        }
        Path parent = asked.getParent();
        return (parent == null ? base : toRead(parent.toString())).resolve(name);
    }

    private Path readable(String path, Path place) {
        if (ProtectedNames.isPrivate(root.relativize(place))) {
            throw new PathRefusedException(
                    "`" + path + "` is not for tools: .gadget holds the state of this drone. Work on other files.");
        }
        return place;
    }

    private Path writable(String path, Path place) {
        if (place.equals(root)) {
            throw new PathRefusedException("`" + path + "` is the workspace itself. Give the path of a file in it.");
        }
        if (ProtectedNames.isGitInternal(root.relativize(place))) {
            throw new PathRefusedException(
                    "`" + path + "` is inside .git, which file tools never write. Use git commands instead.");
        }
        return place;
    }

    /** How a path is shown: as it could be asked for, relative to where the work is, with forward slashes. */
    public String show(Path path) {
        String shown = base.relativize(path).toString().replace('\\', '/');
        return shown.isEmpty() ? "." : shown;
    }

    /** The real place of a path, wherever inside the workspace. */
    Path resolve(String path) {
        Path asked = parse(path);
        Path real;
        try {
            real = follow(base.resolve(asked));
        } catch (IOException e) {
            throw new PathRefusedException("`" + path + "` cannot be followed: " + e.getMessage());
        }
        if (!real.startsWith(root)) {
            throw new PathRefusedException("outside the workspace: `" + path + "`. Use paths relative to " + given
                    + ", for example `src/Main.java`.");
        }
        return real;
    }

    private static Path parse(String path) {
        if (path.isBlank()) {
            throw new PathRefusedException(
                    "the path is empty. Give one relative to the working directory, or `.` for all of it.");
        }
        if (path.equals("~") || path.startsWith("~/")) {
            throw new PathRefusedException("outside the workspace: `" + path + "` is in a home directory.");
        }
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw new PathRefusedException("`" + path.replace('\0', '?') + "` is not a path: " + e.getReason());
        }
    }

    /** As the kernel would go: a {@code ..} after a link leaves the link's target, not the link. */
    private static Path follow(Path path) throws IOException {
        Deque<Path> ahead = new ArrayDeque<>();
        path.forEach(ahead::add);
        Path at = path.getRoot();
        int links = 0;
        while (!ahead.isEmpty()) {
            Path name = ahead.removeFirst();
            if (name.toString().isEmpty() || name.toString().equals(".")) {
                continue;
            }
            if (name.toString().equals("..")) {
                at = at.getParent() == null ? at : at.getParent();
                continue;
            }
            Path next = at.resolve(name);
            if (!Files.isSymbolicLink(next)) {
                requireDirectoryInBetween(at, path);
                at = next;
                continue;
            }
            if (++links > MAX_LINKS) {
                throw new IOException("too many symbolic links");
            }
            Path target = Files.readSymbolicLink(next);
            at = target.isAbsolute() ? target.getRoot() : at;
            prepend(ahead, target);
        }
        return at;
    }

    private static void requireDirectoryInBetween(Path at, Path path) throws IOException {
        if (Files.isRegularFile(at, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("`" + at.getFileName() + "` in `" + path + "` is a file, not a directory");
        }
    }

    private static void prepend(Deque<Path> ahead, Path target) {
        for (int i = target.getNameCount() - 1; i >= 0; i--) {
            ahead.addFirst(target.getName(i));
        }
    }
}
