package dev.gadget.code.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.code.RefusedException;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.config.CodeConfig;
import dev.gadget.code.config.TestSettings;
import dev.gadget.code.project.Projects;
import dev.gadget.code.provider.Provider;
import dev.gadget.code.provider.Providers;
import dev.gadget.code.store.ProviderArchive;
import dev.gadget.model.ProviderType;
import dev.gadget.model.UserId;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@QuarkusTest
@DisplayName("What a start makes when it is missing")
class SetupTest {
    @Inject
    Setup setup;

    @Inject
    TestPeople people;

    @Inject
    Providers providers;

    @Inject
    ProviderArchive archive;

    @Inject
    Projects projects;

    @TempDir
    Path dir;

    private UserId owner;

    @BeforeEach
    void somebody() {
        owner = people.member().id();
    }

    private static CodeConfig.SetupProvider settings(Map<String, String> values) {
        return TestSettings.of(Path.of("unused"), values).setup().provider();
    }

    private Provider only() {
        List<Provider> all = providers.list(owner, Optional.empty(), 10).items();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    @Test
    @DisplayName("a provider is made once, changed when the settings say otherwise, and left alone when they do not")
    void provider() {
        CodeConfig.SetupProvider first = settings(Map.of(
                "gadget.setup.provider.name", "demo",
                "gadget.setup.provider.api-key", "one",
                "gadget.setup.provider.model", "m1"));
        setup.provider(owner, first, "http://127.0.0.1:1/v1");
        Provider made = only();
        assertThat(made.type()).isEqualTo(ProviderType.OPENAI);
        assertThat(made.defaultModel()).isEqualTo("m1");
        setup.provider(owner, first, "http://127.0.0.1:1/v1/");
        assertThat(only()).isEqualTo(made);

        CodeConfig.SetupProvider second =
                settings(Map.of("gadget.setup.provider.name", "demo", "gadget.setup.provider.api-key", "two"));
        setup.provider(owner, second, "http://127.0.0.1:2/v1");
        Provider changed = only();
        assertThat(changed.id()).isEqualTo(made.id());
        assertThat(changed.baseUrl()).isEqualTo("http://127.0.0.1:2/v1");
        assertThat(changed.defaultModel()).isEqualTo("m1");
        assertThat(providers.spec(owner, changed.id()).apiKey()).isEqualTo("two");

        // The key of one server is none for another, whoever names that; the start goes on all the same.
        setup.provider(owner, settings(Map.of("gadget.setup.provider.name", "demo")), "http://127.0.0.1:3/v1");
        assertThat(only()).isEqualTo(changed);
    }

    @Test
    @DisplayName("a key that was sealed under another gadget.secret-key is told in words, and set anew by the settings")
    void keyOfAnotherSecret() {
        CodeConfig.SetupProvider wanted =
                settings(Map.of("gadget.setup.provider.name", "demo", "gadget.setup.provider.api-key", "one"));
        setup.provider(owner, wanted, "http://127.0.0.1:1/v1");
        Provider made = only();
        archive.replace(new Provider(
                made.id(),
                owner,
                made.name(),
                made.type(),
                made.baseUrl(),
                Base64.getEncoder().encodeToString(new byte[40]),
                made.defaultModel(),
                made.disableStreaming(),
                made.prices(),
                made.createdAt(),
                made.version()));
        assertThatThrownBy(() -> providers.spec(owner, made.id()))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("sealed under another gadget.secret-key. Give it again");

        setup.provider(owner, wanted, "http://127.0.0.1:1/v1");
        assertThat(providers.spec(owner, made.id()).apiKey()).isEqualTo("one");
    }

    @Test
    @DisplayName("a project is made once")
    void project() {
        setup.project(owner, "workspace");
        setup.project(owner, "workspace");
        assertThat(projects.list(owner, Optional.empty(), 10).items())
                .singleElement()
                .satisfies(made -> assertThat(made.slug()).isEqualTo("workspace"));
    }

    @Test
    @DisplayName("every start writes a fresh enrolment code that only its owner can read")
    void code() throws IOException {
        Path file = dir.resolve("enrolment-code");
        setup.code(owner, file);
        String first = Files.readString(file);
        setup.code(owner, file);
        assertThat(Files.readString(file)).isNotEqualTo(first).hasSize(20);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (var files = Files.list(dir)) {
            assertThat(files).containsExactly(file);
        }
    }
}
