package dev.gadget.drone.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, found by what they carry. */
@Timeout(120)
class ProcessTreeTest {
    @TempDir
    Path directory;

    private final List<ProcessHandle> started = new ArrayList<>();

    @BeforeEach
    void needsProc() {
        assumeTrue(Files.isDirectory(Path.of("/proc/self")));
    }

    @AfterEach
    void end() {
        started.forEach(ProcessHandle::destroyForcibly);
    }

    /** A shell that carries this, in a session of its own, and what it started without any environment. */
    private List<ProcessHandle> start(String workspaceMark) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("setsid", "sh", "-c", "env -i sleep 600 & sleep 600 & wait")
                .redirectInput(new File("/dev/null"));
        String[] assignment = ProcessMarks.assignment(workspaceMark).split("=", 2);
        builder.environment().put(assignment[0], assignment[1]);
        ProcessHandle shell = builder.start().toHandle();
        started.add(shell);
        List<ProcessHandle> all = new ArrayList<>();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (all.size() < 2 && System.nanoTime() < until) {
            Thread.sleep(10);
            all = new ArrayList<>(shell.children()
                    .filter(child -> child.info().command().orElse("").endsWith("sleep"))
                    .toList());
        }
        started.addAll(all);
        all.add(shell);
        assertThat(all).hasSize(3);
        return all;
    }

    @Test
    @DisplayName(
            "F2: what carries a workspace is ended with what it started, and nothing of another workspace or of a copy")
    void endsWhatCarriesTheWorkspace() throws Exception {
        String id = UUID.randomUUID().toString();
        Path copy = Files.createDirectory(directory.resolve("café copy"));
        String here = ProcessMarks.ofWorkspace(id, directory);
        List<ProcessHandle> ours = start(here);
        List<ProcessHandle> ofCopy = start(ProcessMarks.ofWorkspace(id, copy));
        List<ProcessHandle> ofOther =
                start(ProcessMarks.ofWorkspace(UUID.randomUUID().toString(), directory));

        var ended = ProcessTree.killMarked(ProcessMarks.assignment(here));

        assertThat(ended).containsExactlyInAnyOrderElementsOf(ours);
        for (ProcessHandle process : ours) {
            process.onExit().get(60, TimeUnit.SECONDS);
        }
        assertThat(ofCopy).allMatch(ProcessHandle::isAlive);
        assertThat(ofOther).allMatch(ProcessHandle::isAlive);
        assertThat(ProcessTree.killMarked(ProcessMarks.assignment(ProcessMarks.ofWorkspace(id, copy))))
                .as("also where the path has other letters")
                .containsExactlyInAnyOrderElementsOf(ofCopy);
    }

    /** Started in a shell that carries the workspace: its own line is left alone, and its neighbour is not. */
    static final class StartedAmongThem {
        public static void main(String... arguments) {
            long ended = ProcessTree.killMarked(arguments[0]).size();
            System.out.println("went on, ended " + ended);
        }
    }

    @Test
    @DisplayName("F2: a drone that is started from among them goes on, and so does the shell that it is started in")
    void leavesAloneWhereItRuns() throws Exception {
        String assignment = ProcessMarks.assignment(ProcessMarks.ofWorkspace("w", directory));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(
                        "env",
                        assignment,
                        "sh",
                        "-c",
                        "sleep 600 & \"$@\"; echo and so did the shell",
                        "sh",
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartedAmongThem.class.getName(),
                        assignment)
                .redirectErrorStream(true);

        Process shell = builder.start();
        started.add(shell.toHandle());
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said).contains("went on, ended 1", "and so did the shell");
    }
}
