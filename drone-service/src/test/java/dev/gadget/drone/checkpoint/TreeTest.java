package dev.gadget.drone.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.gadget.drone.checkpoint.Tree.Changed;
import dev.gadget.drone.checkpoint.Tree.Moment;
import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import dev.gadget.model.TurnId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A20: a state that is not known as a whole is none. */
class TreeTest {
    private static final int FILES = 30;

    @TempDir
    Path directory;

    private final TurnId turn = TurnId.random();

    private Path store() {
        return directory.resolve(".gadget/checkpoints/workspace.git");
    }

    private Tree whole() {
        return new Tree(directory, store());
    }

    /** To which git can say no more than this. */
    private Tree bounded() {
        return new Tree(directory, store(), Git.in(directory).atMost(200));
    }

    private void writeFiles() throws IOException {
        for (int i = 0; i < FILES; i++) {
            Files.writeString(directory.resolve("a-file-" + i), "1\n");
        }
    }

    @Test
    @DisplayName("files whose names are more than git can list are refused, and none of them is kept as if it were all")
    void moreThanIsListed() throws Exception {
        writeFiles();
        assertThatThrownBy(() -> bounded().takeIn(List.of()))
                .isInstanceOf(GitFailedException.class)
                .hasMessage("there are more files than can be kept");
        assertThatCode(() -> whole().takeIn(List.of())).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("changes that are more than git can list are refused, and not told in part")
    void moreThanIsTold() throws Exception {
        whole().takeIn(List.of());
        whole().keep(turn, Moment.BEFORE);
        writeFiles();
        whole().takeIn(List.of());
        whole().keep(turn, Moment.AFTER);
        assertThat(whole().changes(turn)).hasSize(FILES);
        assertThat(whole().counts(turn)).hasSize(FILES);
        assertThatThrownBy(() -> bounded().changes(turn))
                .isInstanceOf(GitFailedException.class)
                .hasMessage("there are more files than can be kept");
        assertThatThrownBy(() -> bounded().counts(turn))
                .isInstanceOf(GitFailedException.class)
                .hasMessage("there are more files than can be kept");
    }

    @Test
    @DisplayName("a file that the drone may not read is left out, and the others are kept")
    void unreadable() throws Exception {
        Path theirs = Files.writeString(directory.resolve("theirs"), "secret\n");
        Files.setPosixFilePermissions(theirs, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(theirs), "root reads everything");
        Files.writeString(directory.resolve("ours"), "1\n");
        whole().takeIn(List.of());
        whole().keep(turn, Moment.BEFORE);
        Files.writeString(directory.resolve("ours"), "2\n2\n");
        whole().takeIn(List.of());
        whole().keep(turn, Moment.AFTER);
        assertThat(whole().changes(turn)).extracting(Changed::path).containsExactly("ours");
    }
}
