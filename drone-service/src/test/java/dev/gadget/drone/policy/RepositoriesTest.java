package dev.gadget.drone.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which repositories commands could have made, A11. */
@DisplayName("Repositories of a workspace")
class RepositoriesTest {
    @TempDir
    Path workspace;

    private List<Path> found() {
        return Repositories.all(workspace, List.of());
    }

    @Test
    @DisplayName("that come and go are seen where nothing was changed for long, and where it was changed a moment ago")
    void seen() throws IOException, InterruptedException {
        Path one = Files.createDirectories(workspace.resolve("a/one/.git")).getParent();
        Path deep = Files.createDirectories(workspace.resolve("b/c/d"));
        Files.createDirectories(workspace.resolve("node_modules/other/.git"));
        assertThat(found()).containsExactly(one);
        // Until what was listed is taken as known: entries that come in the same moment have the same time.
        Thread.sleep(3100);
        assertThat(found()).containsExactly(one);
        assertThat(found()).containsExactly(one);

        Path other = Files.createDirectory(deep.resolve(".git")).getParent();
        assertThat(found()).containsExactly(one, other);
        Path two = Files.createDirectories(deep.resolve("two/.git")).getParent();
        assertThat(found()).containsExactly(one, other, two);

        Files.move(workspace.resolve("a"), workspace.resolve("b/a"));
        assertThat(found()).containsExactly(workspace.resolve("b/a/one"), other, two);
        Files.delete(deep.resolve(".git"));
        Files.createSymbolicLink(workspace.resolve("link"), deep);
        assertThat(found()).containsExactly(workspace.resolve("b/a/one"), two);
    }
}
