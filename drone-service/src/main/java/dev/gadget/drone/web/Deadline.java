package dev.gadget.drone.web;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/** Closes a connection when its time is over, whatever waits for it: time limits of single reads are no limit to their sum. */
public final class Deadline implements AutoCloseable {
    private final Closeable connection;
    private final Thread timer;
    private volatile boolean passed;

    private Deadline(Closeable connection, Duration time) {
        this.connection = connection;
        timer = Thread.ofVirtual().name("deadline").unstarted(() -> expire(time));
    }

    /** From now on; closing it keeps the connection. */
    public static Deadline of(Closeable connection, Duration time) {
        Deadline deadline = new Deadline(connection, time);
        deadline.timer.start();
        return deadline;
    }

    private void expire(Duration time) {
        try {
            Thread.sleep(time);
            passed = true;
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // It is closed either way.
            return;
        }
    }

    /** Whether it closed the connection. */
    public boolean passed() {
        return passed;
    }

    @Override
    public void close() {
        timer.interrupt();
    }
}
