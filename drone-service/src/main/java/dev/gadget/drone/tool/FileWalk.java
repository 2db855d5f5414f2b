package dev.gadget.drone.tool;

import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/** Goes over the files below a directory; links are not followed, and what no one wants to see is left out. */
public final class FileWalk {
    static final Set<String> SKIPPED = Set.of(".git", ".gadget", "node_modules", "target");

    private static final Duration MAX_TIME = Duration.ofSeconds(60);

    /** Takes what is found. */
    public interface Visitor {
        /** False to stop. */
        boolean found(Path path, boolean directory) throws IOException;
    }

    private FileWalk() {}

    /** Goes over them until a visitor, a cancel or the time says that it is enough. */
    public static void over(Workspace workspace, Path start, CancelSignal cancel, Visitor visitor) throws IOException {
        Deque<IgnoreRules> rules = new ArrayDeque<>();
        Path above = workspace.root();
        rules.push(IgnoreRules.of(null, above));
        for (Path name : workspace.root().relativize(start)) {
            if (!name.toString().isEmpty()) {
                above = above.resolve(name);
                rules.push(IgnoreRules.of(rules.peek(), above));
            }
        }
        long end = System.nanoTime() + MAX_TIME.toNanos();
        Files.walkFileTree(start, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (directory.equals(start)) {
                    return FileVisitResult.CONTINUE;
                }
                if (stops()) {
                    return FileVisitResult.TERMINATE;
                }
                if (SKIPPED.contains(String.valueOf(directory.getFileName()))
                        || rules.element().ignored(directory, true)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                rules.push(IgnoreRules.of(rules.peek(), directory));
                return go(visitor.found(directory, true));
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (stops()) {
                    return FileVisitResult.TERMINATE;
                }
                return rules.element().ignored(file, false) ? FileVisitResult.CONTINUE : go(visitor.found(file, false));
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(
                    Path directory, @org.jspecify.annotations.Nullable IOException e) {
                if (!directory.equals(start)) {
                    rules.pop();
                }
                return FileVisitResult.CONTINUE;
            }

            private FileVisitResult go(boolean on) {
                return on ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
            }

            /** Asked of each file, also of one that is ignored: there may be very many, and rules of a repository that take long. */
            private boolean stops() {
                if (System.nanoTime() > end) {
                    throw new ToolFailedException("Going over the files took longer than " + MAX_TIME.toSeconds()
                            + " seconds. Use a narrower path.");
                }
                return cancel.cancelled();
            }
        });
    }

    /** The start of a walk that a tool was asked for. */
    static Path start(ToolInvocation call) {
        String asked = call.find("path").filter(path -> !path.isBlank()).orElse(".");
        Path start = call.workspace().toRead(asked);
        if (!Files.exists(start)) {
            throw new ToolFailedException(NearMisses.missing(call.workspace(), asked));
        }
        return start;
    }
}
