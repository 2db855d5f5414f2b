package dev.gadget.drone.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.git.Git;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Of the owner's git settings the sandbox learns")
class GitSettingsTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName("who commits, here, and what is ignored, and nothing that lets somebody in")
    void settings() throws Exception {
        Path home = Files.createDirectory(directory.toRealPath().resolve("home"));
        Path work = Files.createDirectory(directory.toRealPath().resolve("work"));
        Git.in(work).ask("init", "--quiet");
        Files.writeString(home.resolve(".gitconfig"), """
                [user]
                    name = Ada \\"the\\" first \\\\ # of them
                    email = ada@home
                [includeIf "gitdir:%s/"]
                    path = work.config
                [filter "a.b \\"c"]
                    clean = run-me
                [log]
                    follow
                [http "https://host"]
                    extraHeader = secret
                [credential]
                    helper = store
                [core]
                    excludesFile = ~/ignored
                """.formatted(work));
        Files.writeString(home.resolve("work.config"), "[user]\n\temail = ada@work\n");
        Files.writeString(home.resolve("ignored"), "*.log\n");
        GitSettings here = GitSettings.read(work, home, home.resolve(".config/git"));
        assertThat(here.text()).doesNotContain("secret", "helper", "include");
        assertThat(here.files()).isEqualTo(Map.of(Path.of("/run/gadget-git-ignore"), home.resolve("ignored")));
        Path read = Files.writeString(directory.resolve("read"), here.text());
        Git git = Git.in(directory).with("GIT_CONFIG_GLOBAL", read.toString());
        assertThat(git.ask("config", "user.name").text()).isEqualTo("Ada \"the\" first \\\n");
        assertThat(git.ask("config", "user.email").text()).isEqualTo("ada@work\n");
        assertThat(git.filters()).containsExactly("filter.a.b \"c.clean");
        assertThat(git.ask("config", "--bool", "log.follow").text()).isEqualTo("true\n");
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        assertThat(GitSettings.read(elsewhere, home, home.resolve(".config/git"))
                        .text())
                .contains("ada@home")
                .doesNotContain("ada@work");
    }
}
