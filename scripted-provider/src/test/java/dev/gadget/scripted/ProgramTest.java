package dev.gadget.scripted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripted provider as a program of its own. */
class ProgramTest {
    private static final long SECONDS = 30;

    @TempDir
    private Path folder;

    private static Process program(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ScriptedProviderMain.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    @Test
    @DisplayName("serves on a free port that it writes into the port file and prints")
    void runs() throws Exception {
        Path portFile = folder.resolve("port");
        Process process = program("--port-file", portFile.toString(), "--model", "mine");
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            String ready = lines.readLine();
            String port = Files.readString(portFile).strip();
            assertThat(ready).contains("http://127.0.0.1:" + port + "/v1", "model mine");
            assertThat(RawResponse.get(Integer.parseInt(port), "/v1/models").text())
                    .contains("\"mine\"");
        } finally {
            process.destroy();
        }
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(folder).isDirectoryContaining(file -> file.equals(portFile)).isNotEmptyDirectory();
    }

    @Test
    @DisplayName("refuses what it does not know in one line, with a status that is not 0")
    void refuses() throws Exception {
        Process process = program("--port", "70000");
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("--port takes a number from 0 to 65535, not 70000\n");
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
    }
}
