package dev.gadget.drone.policy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the git repositories of a workspace; links are not followed. */
public final class Repositories {
    private static final int DEEPEST = 2;
    private static final int MOST = 50;
    private static final int DEEPEST_OF_ALL = 4;
    private static final int MOST_OF_ALL = 500;
    private static final int MOST_LOOKED_AT = 2000;

    /** Much is in there, and nobody works there. */
    private static final Set<String> BUILT = Set.of(".gadget", "node_modules", "target");

    /** Those of the last look: a drone works in one workspace. */
    private static volatile Listings listings = new Listings(Path.of(""), Map.of());

    private Repositories() {}

    /** The workspace, be it one or not, and the repositories not far below it. */
    public static List<Path> tops(Path workspace) {
        List<Path> tops = new ArrayList<>(List.of(workspace));
        tops.addAll(below(workspace, DEEPEST, MOST - 1, name -> !name.startsWith(".git")));
        return tops;
    }

    /**
     * These directories, and then the repositories of the workspace, deeper than {@link #tops} and oldest first: what was there before
     * an agent made others comes before them. Where there are very many, the last are missing.
     */
    static List<Path> all(Path workspace, List<Path> first) {
        List<Path> found = new ArrayList<>();
        Map<Path, Listing> before = listings.of(workspace);
        Map<Path, Listing> now = new HashMap<>();
        Deque<Path> ahead = new ArrayDeque<>(List.of(workspace));
        for (int looked = 0; looked < MOST_LOOKED_AT && !ahead.isEmpty(); looked++) {
            Path directory = ahead.removeFirst();
            boolean enters = directory.getNameCount() - workspace.getNameCount() < DEEPEST_OF_ALL;
            try {
                Listing listing = Listing.of(directory, enters, before.get(directory));
                now.put(directory, listing);
                if (listing.repository()) {
                    found.add(directory);
                }
                ahead.addAll(listing.directories());
            } catch (IOException | UncheckedIOException e) {
                // What cannot be listed holds nothing that could be run or kept from here.
                continue;
            }
        }
        listings = new Listings(workspace, now);
        found.sort(Comparator.comparing(Repositories::made));
        Set<Path> all = new LinkedHashSet<>(first);
        found.stream().limit(MOST_OF_ALL).forEach(all::add);
        return List.copyOf(all);
    }

    /** When it was made, where the file system knows; no program can say otherwise. */
    private static FileTime made(Path repository) {
        try {
            return Files.readAttributes(
                            repository.resolve(".git"), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .creationTime();
        } catch (IOException e) {
            return FileTime.fromMillis(Long.MAX_VALUE);
        }
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

    private record Listings(Path workspace, Map<Path, Listing> byDirectory) {
        Map<Path, Listing> of(Path asked) {
            return asked.equals(workspace) ? byDirectory : Map.of();
        }
    }

    /**
     * What a directory was seen to hold. Every command looks at all directories twice, and to ask each of some thousand files what it
     * is takes longer than the sandbox does.
     *
     * @param stamp which directory it was and when its entries were last changed, which no program can set; empty where that cannot
     *     be told from a change that comes right after
     * @param directories those to be looked at
     */
    private record Listing(Map<String, Object> stamp, boolean repository, List<Path> directories) {
        /** A file system may count in steps of two seconds. */
        private static final long SETTLED_MILLIS = 3000;

        static Listing of(Path directory, boolean enters, @Nullable Listing before) throws IOException {
            Map<String, Object> stamp = stamp(directory);
            return before != null && !stamp.isEmpty() && stamp.equals(before.stamp)
                    ? before
                    : read(directory, enters, stamp);
        }

        private static Listing read(Path directory, boolean enters, Map<String, Object> stamp) throws IOException {
            boolean repository = false;
            List<Path> directories = new ArrayList<>();
            try (Stream<Path> entries = Files.list(directory)) {
                for (Path entry : entries.sorted().toList()) {
                    String name = String.valueOf(entry.getFileName());
                    if (name.equals(".git")) {
                        repository = true;
                    } else if (enters
                            && !name.startsWith(".git")
                            && !BUILT.contains(name)
                            && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                        directories.add(entry);
                    }
                }
            }
            return new Listing(stamp, repository, List.copyOf(directories));
        }

        private static Map<String, Object> stamp(Path directory) throws IOException {
            long now = System.currentTimeMillis();
            try {
                Map<String, Object> stamp =
                        Files.readAttributes(directory, "unix:dev,ino,ctime", LinkOption.NOFOLLOW_LINKS);
                return stamp.get("ctime") instanceof FileTime changed && now - changed.toMillis() > SETTLED_MILLIS
                        ? stamp
                        : Map.of();
            } catch (UnsupportedOperationException | IllegalArgumentException e) {
                // Not on Windows.
                return Map.of();
            }
        }
    }
}
