package dev.gadget.code.socket;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * Does what a connection asks for apart from the event loop, one thing after the other. There is a thread only while there is something
 * to do: a connection that rests costs none.
 */
public final class TaskLine {
    private static final Logger LOG = Logger.getLogger(TaskLine.class);
    private static final int MOST_WAITING = 1024;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger undone = new AtomicInteger();
    private final String name;

    /** @param name of the thread, for whoever looks at the log */
    public TaskLine(String name) {
        this.name = name;
    }

    /** Whether nothing that was handed on is still being done, so that what comes now is not out of its turn. */
    public boolean idle() {
        return undone.get() == 0;
    }

    /** Does it after what was handed on before; false when too much waits already. */
    public boolean add(Runnable task) {
        if (undone.get() >= MOST_WAITING) {
            return false;
        }
        addLast(task);
        return true;
    }

    /** Does it in any case: what has to be done when the connection is over. */
    public void addLast(Runnable task) {
        tasks.add(task);
        if (undone.getAndIncrement() == 0) {
            Thread.ofVirtual().name(name).start(this::work);
        }
    }

    private void work() {
        do {
            Runnable task = tasks.poll();
            try {
                if (task != null) {
                    task.run();
                }
            } catch (RuntimeException failure) {
                LOG.errorf(failure, "something that %s was to do failed", name);
            }
        } while (undone.decrementAndGet() > 0);
    }
}
