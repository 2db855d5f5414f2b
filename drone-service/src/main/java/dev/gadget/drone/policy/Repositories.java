package dev.gadget.drone.policy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds the git repositories of a workspace; links are not followed. */
public final class Repositories {
    private static final int DEEPEST = 2;
    private static final int MOST = 50;

    private Repositories() {}

    /** The workspace, be it one or not, and the repositories not far below it. */
    public static List<Path> tops(Path workspace) {
        List<Path> tops = new ArrayList<>(List.of(workspace));
        tops.addAll(below(workspace, DEEPEST, MOST - 1, name -> !name.startsWith(".git")));
        return tops;
    }

    /**
     * The repositories below a directory.
     *
     * @param depth how many directories deep
     * @param most so many at most
     * @param enters whether directories of this name are looked at
     */
    public static List<Path> below(Path directory, int depth, int most, Predicate<String> enters) {
        List<Path> found = new ArrayList<>();
        collect(directory, depth, most, enters, found);
        return found;
    }

    private static void collect(Path directory, int depth, int most, Predicate<String> enters, List<Path> found) {
        try (Stream<Path> entries = Files.list(directory)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                if (found.size() >= most) {
                    return;
                }
                if (!enters.test(String.valueOf(entry.getFileName()))
                        || !Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    continue;
                }
                if (Files.exists(entry.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
                    found.add(entry);
                }
                if (depth > 1) {
                    collect(entry, depth - 1, most, enters, found);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // What cannot be listed holds nothing that could be run or kept from here.
            return;
        }
    }
}
