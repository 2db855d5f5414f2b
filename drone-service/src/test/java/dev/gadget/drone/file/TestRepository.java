package dev.gadget.drone.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real git repository in a directory of a test. */
public record TestRepository(Path directory) {
    /** Runs git there; it has to succeed. */
    public void git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=t", "-c", "user.email=t@example.org"));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor())
                .as(String.join(" ", command))
                .isZero();
    }

    /** A repository in which all that is there is committed. */
    public static TestRepository of(Path directory) throws Exception {
        var repository = new TestRepository(directory);
        repository.git("init", "-q", "-b", "trunk");
        repository.git("add", "--all");
        repository.git("commit", "-q", "--allow-empty", "-m", "first");
        return repository;
    }
}
