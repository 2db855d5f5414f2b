package dev.gadget.drone.policy;

import dev.gadget.drone.git.GitFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Where a repository says that its parts are: its folder, what it shares with other working trees, its objects. */
final class RepositoryParts {
    private static final int MAX_POINTER = 64 * 1024;
    private static final String POINTS = "gitdir: ";
    private static final int DEEPEST = 5;
    private static final int MOST_MODULES = 50;
    private static final int MOST_TREES = 200;

    private RepositoryParts() {}

    /** Throws {@link GitFailedException} unless all of the repository at this directory is below the root; a change meanwhile is not seen. */
    static void requireInside(Path root, Path directory) {
        try {
            Path folder = inside(root, folder(directory));
            requireEntries(root, folder);
            Path common = inside(root, common(folder));
            requireEntries(root, common);
            requireObjects(root, common.resolve("objects"), 0);
        } catch (IOException | UncheckedIOException | InvalidPathException e) {
            throw new GitFailedException("It cannot be seen where the repository at " + directory
                    + " keeps its parts, so that git does not look there: " + e.getMessage());
        }
    }

    /** Git's own folders below the root of the repository at this directory: its own, and the one that it shares. */
    static List<Path> own(Path root, Path directory) {
        Path git = directory.resolve(".git");
        if (!Files.exists(git, LinkOption.NOFOLLOW_LINKS) || Files.isSymbolicLink(git)) {
            return List.of();
        }
        Set<Path> found = new LinkedHashSet<>();
        try {
            Path folder = folder(directory).normalize();
            found.add(folder);
            found.add(common(folder).normalize());
        } catch (IOException | UncheckedIOException | InvalidPathException e) {
            found.add(git);
        }
        found.removeIf(folder -> !folder.startsWith(root));
        return List.copyOf(found);
    }

    /** Those of its submodules. */
    static List<Path> modules(Path root, Path directory) {
        Set<Path> found = new LinkedHashSet<>();
        for (Path folder : own(root, directory)) {
            try {
                addModules(folder.resolve("modules"), 0, found);
            } catch (IOException | UncheckedIOException e) {
                // What cannot be listed git cannot read either.
                continue;
            }
        }
        return List.copyOf(found);
    }

    /** Those of all its other working trees, wherever they are. */
    static List<Path> trees(Path root, Path directory) {
        List<Path> found = new ArrayList<>();
        for (Path folder : own(root, directory)) {
            Path trees = folder.resolve("worktrees");
            if (!Files.isDirectory(trees, LinkOption.NOFOLLOW_LINKS)) {
                continue;
            }
            try (Stream<Path> entries = Files.list(trees)) {
                entries.filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
                        .sorted()
                        .limit(MOST_TREES)
                        .forEach(found::add);
            } catch (IOException | UncheckedIOException e) {
                // What cannot be listed git cannot read either.
                continue;
            }
        }
        return found;
    }

    /** A module may have a name with slashes in it, and modules of its own. */
    private static void addModules(Path folder, int depth, Set<Path> found) throws IOException {
        if (depth > DEEPEST || found.size() > MOST_MODULES || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.sorted().toList()) {
                if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    continue;
                }
                boolean module = Files.exists(entry.resolve("HEAD"), LinkOption.NOFOLLOW_LINKS);
                if (module) {
                    found.add(entry);
                }
                addModules(module ? entry.resolve("modules") : entry, depth + 1, found);
            }
        }
    }

    /** The folder that {@code .git} is or names. */
    static Path folder(Path directory) throws IOException {
        Path git = directory.resolve(".git");
        if (!Files.isRegularFile(git)) {
            return git;
        }
        String text = pointer(git);
        if (!text.startsWith(POINTS)) {
            throw new IOException(git + " names no repository");
        }
        return directory.resolve(text.substring(POINTS.length()));
    }

    /** What it shares with the other working trees of its repository. */
    static Path common(Path folder) throws IOException {
        Path file = folder.resolve("commondir");
        return Files.exists(file) ? folder.resolve(pointer(file)) : folder;
    }

    private static String pointer(Path file) throws IOException {
        if (!Files.isRegularFile(file) || Files.size(file) > MAX_POINTER) {
            throw new IOException(file + " is no short file");
        }
        // As git takes it: a blank at the end belongs to the name.
        return Files.readString(file, StandardCharsets.UTF_8).replaceAll("[\\r\\n]+$", "");
    }

    private static void requireObjects(Path root, Path objects, int depth) throws IOException {
        if (!Files.exists(objects, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (depth > DEEPEST) {
            throw new IOException("its objects are in too many places");
        }
        Path real = inside(root, objects);
        requireEntries(root, real);
        for (String below : List.of("pack", "info")) {
            requireEntries(root, real.resolve(below));
        }
        Path alternates = real.resolve("info/alternates");
        if (Files.exists(alternates)) {
            for (String line : pointer(alternates).split("\n")) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    requireObjects(root, real.resolve(line), depth + 1);
                }
            }
        }
    }

    private static void requireEntries(Path root, Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                if (Files.isSymbolicLink(entry) && Files.exists(entry)) {
                    inside(root, entry);
                }
            }
        }
    }

    private static Path inside(Path root, Path part) throws IOException {
        Path real = part.toRealPath();
        if (!real.startsWith(root)) {
            throw new GitFailedException("A part of the repository, " + part.normalize()
                    + ", is outside the workspace, so that git does not look there. Use a repository that is whole below "
                    + root + ".");
        }
        return real;
    }
}
