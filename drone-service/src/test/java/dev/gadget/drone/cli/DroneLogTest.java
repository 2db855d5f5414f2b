package dev.gadget.drone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.workspace.GadgetFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import org.jboss.logmanager.LogContext;
import org.jboss.logmanager.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The drone's log")
class DroneLogTest {
    @TempDir
    Path directory;

    private final Map<String, Level> levels = new HashMap<>();
    private List<Handler> handlers = List.of();

    private static Logger logger(String category) {
        return LogContext.getLogContext().getLogger(category);
    }

    @BeforeEach
    void remember() {
        List.of("", "io.quarkus", "org.jboss.threads", "dev.gadget")
                .forEach(category -> levels.put(category, logger(category).getLevel()));
        handlers = Arrays.asList(logger("").getHandlers());
    }

    @AfterEach
    void asBefore() {
        levels.forEach((category, level) -> logger(category).setLevel(level));
        for (Handler handler : logger("").getHandlers()) {
            if (!handlers.contains(handler)) {
                logger("").removeHandler(handler);
                handler.close();
            }
        }
    }

    @Test
    @DisplayName("tells at the level error nothing less of anybody, in its file and on standard error")
    void errorsOnly() throws Exception {
        logger("").setLevel(org.jboss.logmanager.Level.INFO);
        logger("io.quarkus").setLevel(org.jboss.logmanager.Level.WARN);
        GadgetFolder folder = GadgetFolder.open(directory);

        DroneLog.openIn(folder, DroneLog.level("error"));
        logger("a.library").warning("a warning of a library");
        logger("dev.gadget.drone").warning("a warning");
        logger("dev.gadget.drone").severe("an error");

        assertThat(logger("a.library").isLoggable(Level.WARNING)).isFalse();
        assertThat(logger("io.quarkus.any").isLoggable(Level.WARNING)).isFalse();
        assertThat(Files.readString(folder.logFile())).contains("an error").doesNotContain("warning");
    }

    @Test
    @DisplayName("tells at the level debug no more of libraries than else")
    void ownDebugOnly() throws Exception {
        logger("").setLevel(org.jboss.logmanager.Level.INFO);
        logger("io.quarkus").setLevel(org.jboss.logmanager.Level.WARN);

        DroneLog.openIn(GadgetFolder.open(directory), DroneLog.level("debug"));

        assertThat(logger("dev.gadget.drone").isLoggable(org.jboss.logmanager.Level.DEBUG))
                .isTrue();
        assertThat(logger("a.library").isLoggable(org.jboss.logmanager.Level.DEBUG))
                .isFalse();
        assertThat(logger("io.quarkus.any").isLoggable(Level.INFO)).isFalse();
    }
}
