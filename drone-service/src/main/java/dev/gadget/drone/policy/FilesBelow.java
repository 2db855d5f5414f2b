package dev.gadget.drone.policy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What changes its place with a directory: rules about paths are about each file in it. */
public final class FilesBelow {
    private static final int MOST = 50_000;

    private FilesBelow() {}

    /** What a move of a directory takes along: where each of it is, and where it comes to. */
    public static List<Path> moved(Workspace workspace, Path from, Path to) {
        return of(workspace, from).stream()
                .flatMap(file -> Stream.of(file, to.resolve(from.relativize(file))))
                .toList();
    }

    /**
     * All that is below a directory, links not followed; nothing for what is none.
     *
     * @throws PathRefusedException when there is too much to look through it
     */
    public static List<Path> of(Workspace workspace, Path directory) {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        List<Path> found;
        try (Stream<Path> below = Files.walk(directory)) {
            found = below.skip(1).limit(MOST + 1L).toList();
        } catch (IOException | UncheckedIOException e) {
            throw new PathRefusedException("What is in `" + workspace.show(directory)
                    + "` cannot be read, so that rules about paths cannot be checked: " + e.getMessage());
        }
        if (found.size() > MOST) {
            throw new PathRefusedException("There are more than " + MOST + " files in `" + workspace.show(directory)
                    + "`, and rules about paths hold here. Move what is in it in parts.");
        }
        return found;
    }
}
