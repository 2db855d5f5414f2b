package dev.gadget.code;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;

/** Hears what is logged until it is closed. */
public final class LogLines extends Handler implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;

    private LogLines(Logger logger) {
        this.logger = logger;
        logger.addHandler(this);
    }

    /** @param category empty for all of them */
    public static LogLines of(String category) {
        return new LogLines(Logger.getLogger(category));
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord line) {
        String text = line instanceof ExtLogRecord known ? known.getFormattedMessage() : line.getMessage();
        lines.add(text + (line.getThrown() == null ? "" : " " + line.getThrown()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
