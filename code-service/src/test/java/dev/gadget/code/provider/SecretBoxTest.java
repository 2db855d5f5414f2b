package dev.gadget.code.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.code.config.TestSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Secrets at rest")
class SecretBoxTest {
    @TempDir
    Path dir;

    private SecretBox box(Map<String, String> settings) {
        return new SecretBox(TestSettings.of(dir.resolve("data"), settings));
    }

    private static String key(int length) {
        return Base64.getEncoder().encodeToString(new byte[length]);
    }

    @Test
    @DisplayName("the first start makes a key file of 0600, and the next one opens with it what the first sealed")
    void keyFile() throws IOException {
        String sealed = box(Map.of()).seal("secret", "purpose");
        Path file = dir.resolve("data/secret.key");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(sealed).doesNotContain("secret");
        assertThat(box(Map.of()).open(sealed, "purpose")).isEqualTo("secret");
        assertThat(box(Map.of()).seal("secret", "purpose")).isNotEqualTo(sealed);
    }

    @Test
    @DisplayName("a key file that others can read is refused, and how to mend it is said")
    void readableByOthers() throws IOException {
        box(Map.of());
        Path file = dir.resolve("data/secret.key");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        assertThatThrownBy(() -> box(Map.of()))
                .hasMessageContaining("chmod 600")
                .hasMessageContaining(file.toString());
    }

    @Test
    @DisplayName("what was sealed for one purpose or under one key does not open otherwise, nor when a bit was changed")
    void moved() {
        SecretBox box = box(Map.of());
        String sealed = box.seal("secret", "one");
        byte[] bytes = Base64.getDecoder().decode(sealed);
        bytes[bytes.length - 1] ^= 1;

        assertThatThrownBy(() -> box.open(sealed, "two")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> box.open(Base64.getEncoder().encodeToString(bytes), "one"))
                .isInstanceOf(IllegalStateException.class);
        SecretBox other = box(Map.of("gadget.secret-key", key(32)));
        assertThatThrownBy(() -> other.open(sealed, "one")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("a key in the settings that is not 32 bytes in Base64 is refused")
    void badKey() {
        assertThatThrownBy(() -> box(Map.of("gadget.secret-key", key(16)))).hasMessageContaining("16 bytes");
        assertThatThrownBy(() -> box(Map.of("gadget.secret-key", "!"))).hasMessageContaining("Base64");
    }
}
