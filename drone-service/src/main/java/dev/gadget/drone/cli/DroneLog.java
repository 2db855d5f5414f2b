package dev.gadget.drone.cli;

import dev.gadget.drone.workspace.GadgetFolder;
import dev.gadget.drone.workspace.WorkspaceUnusableException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import org.jboss.logmanager.LogContext;
import org.jboss.logmanager.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jboss.logmanager.handlers.SizeRotatingFileHandler;

/** The drone's log file, kept small: three files of 5 MiB. */
final class DroneLog {
    private static final long MAX_BYTES = 5L << 20;
    private static final int OLD_FILES = 2;

    /** Of libraries: all of them, and those that have a level of their own in application.properties. */
    private static final List<String> OTHERS = List.of("", "io.quarkus", "org.jboss.threads");

    private DroneLog() {}

    /** How much is told; {@code IllegalArgumentException} when it is none of the words for it. */
    static Level level(String word) {
        return switch (word.strip().toLowerCase(Locale.ROOT)) {
            case "error" -> org.jboss.logmanager.Level.ERROR;
            case "warn" -> org.jboss.logmanager.Level.WARN;
            case "info" -> org.jboss.logmanager.Level.INFO;
            case "debug" -> org.jboss.logmanager.Level.DEBUG;
            default ->
                throw new IllegalArgumentException("--log-level (or GADGET_LOG_LEVEL) is '" + word
                        + "', and has to be one of error, warn, info, debug.");
        };
    }

    /** What libraries tell grows by no level, but is held to it. */
    private static void tellNoMore(String category, Level level) {
        Logger logger = LogContext.getLogContext().getLogger(category);
        Level now = logger.getLevel();
        if (now == null || now.intValue() < level.intValue()) {
            logger.setLevel(level);
        }
    }

    static void openIn(GadgetFolder folder, Level level) throws WorkspaceUnusableException {
        LogContext.getLogContext().getLogger("dev.gadget").setLevel(level);
        OTHERS.forEach(category -> tellNoMore(category, level));
        try {
            var handler = new SizeRotatingFileHandler(folder.logFile().toFile(), true, MAX_BYTES, OLD_FILES);
            handler.setFormatter(new PatternFormatter("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5p [%c{1}] %s%e%n"));
            handler.setLevel(level);
            handler.setAutoFlush(true);
            LogContext.getLogContext().getLogger("").addHandler(handler);
        } catch (IOException e) {
            throw new WorkspaceUnusableException(
                    "The log in " + folder.logs() + " cannot be written: " + e.getMessage(), e);
        }
    }
}
