package dev.gadget.drone.project;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.workspace.GadgetFolder;
import dev.gadget.model.FailureCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Clones a project into a workspace. The clone grows in the drone's own folder and takes its place when it is whole, so that
 * whatever ends the drone leaves nothing half.
 */
final class ProjectClone {
    private static final Logger LOG = Logger.getLogger(ProjectClone.class);
    private static final String FOLDER = ".gadget/clones";

    private final Path root;
    private final boolean files;
    private final Duration limit;

    ProjectClone(Path root, boolean files, Duration limit) {
        this.root = root;
        this.files = files;
        this.limit = limit;
    }

    /** Clones it to this place, where nothing is yet. */
    void run(String address, Path place, Consumer<String> lines, CancelSignal cancel)
            throws IOException, ProjectFailedException {
        String url = GitAddress.checked(address, files);
        removeLeftOvers();
        Path own = Files.createDirectories(
                root.resolve(FOLDER).resolve(UUID.randomUUID().toString()));
        try {
            Path fresh = own.resolve("clone");
            var progress = new ProgressText(lines, System::nanoTime);
            long end = System.nanoTime() + limit.toNanos();
            Git.Answer cloned = RemoteGit.in(own, files)
                    .within(limit)
                    .heardBy(progress, cancel)
                    .run(
                            "clone",
                            "--progress",
                            "--no-checkout",
                            "--no-recurse-submodules",
                            "--origin",
                            "origin",
                            "--",
                            url,
                            fresh.toString());
            require(cloned, url, cancel);
            // Its files come by another git, in which the content filters of the repository do nothing.
            // It needs no sandbox: no command sees this folder, and git itself wrote the settings.
            Git git = Git.in(fresh).fixed();
            git = git.without(git.filters());
            if (git.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}").ok()) {
                require(
                        git.within(Duration.ofNanos(Math.max(1, end - System.nanoTime())))
                                .heardBy(progress, cancel)
                                .run("checkout", "--progress", "--force", "--no-recurse-submodules"),
                        url,
                        cancel);
            }
            Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (GitFailedException e) {
            throw new ProjectFailedException(FailureCode.GIT_FAILED, "The project cannot be cloned: " + e.getMessage());
        } finally {
            remove(own);
        }
    }

    private void require(Git.Answer answer, String url, CancelSignal cancel) throws ProjectFailedException {
        if (cancel.cancelled()) {
            throw new ProjectFailedException(FailureCode.CANCELLED, "The clone was stopped; nothing of it is left.");
        }
        if (answer.status() == Git.TOO_LONG) {
            throw new ProjectFailedException(
                    FailureCode.GIT_FAILED,
                    "The clone of " + url + " took longer than " + limit.toMinutes()
                            + " minutes and was ended. Clone it by hand into the workspace, and prompt again.");
        }
        if (!answer.ok()) {
            throw new ProjectFailedException(
                    FailureCode.GIT_FAILED,
                    "The project cannot be cloned. Git says:\n" + RemoteGit.reason(answer.errors())
                            + "\nSee whether `git clone "
                            + url + "` works on the drone's machine as the user of the drone: its keys and credential"
                            + " helpers are used, and nobody is asked for a password or a host key. Or correct the"
                            + " project's git address in the settings.");
        }
    }

    /** Of a clone that a crash ended; one drone works in a workspace, so that nobody else is at it. */
    private void removeLeftOvers() throws IOException {
        Path folder = root.resolve(FOLDER);
        if (Files.isDirectory(folder)) {
            try (Stream<Path> left = Files.list(folder)) {
                left.forEach(ProjectClone::remove);
            }
        }
    }

    private static void remove(Path directory) {
        try {
            GadgetFolder.removeAll(directory);
        } catch (IOException e) {
            LOG.warnf("%s could not be removed, and is with the next clone: %s", directory, e.getMessage());
        }
    }
}
