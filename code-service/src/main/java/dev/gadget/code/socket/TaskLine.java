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
    private static final int MOST_CHARS_OF_A_PERSON = 4 << 20;

    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger undone = new AtomicInteger();
    private final AtomicInteger chars = new AtomicInteger();
    private final String name;
    private final int mostChars;

    private record Task(int chars, Runnable action) {}

    /**
     * For what a person types and asks for.
     *
     * @param name of the thread, for whoever looks at the log
     */
    public TaskLine(String name) {
        this(name, MOST_CHARS_OF_A_PERSON);
    }

    /**
     * @param name of the thread, for whoever looks at the log
     * @param mostChars how many characters of messages may wait: a few long ones fill the memory before there are many
     */
    public TaskLine(String name, int mostChars) {
        this.name = name;
        this.mostChars = mostChars;
    }

    /** Whether nothing that was handed on is still being done, so that what comes now is not out of its turn. */
    public boolean idle() {
        return undone.get() == 0;
    }

    /**
     * Does it after what was handed on before; false when too much waits already.
     *
     * @param length of the message that it is about, in characters
     */
    public boolean add(int length, Runnable task) {
        if (undone.get() >= MOST_WAITING || (long) chars.get() + length > mostChars) {
            return false;
        }
        add(new Task(length, task));
        return true;
    }

    /** Does it in any case: what has to be done when the connection is over. */
    public void addLast(Runnable task) {
        add(new Task(0, task));
    }

    private void add(Task task) {
        chars.addAndGet(task.chars());
        tasks.add(task);
        if (undone.getAndIncrement() == 0) {
            Thread.ofVirtual().name(name).start(this::work);
        }
    }

    private void work() {
        do {
            Task task = tasks.poll();
            try {
                if (task != null) {
                    chars.addAndGet(-task.chars());
                    task.action().run();
                }
            } catch (RuntimeException failure) {
                LOG.errorf(failure, "something that %s was to do failed", name);
            }
        } while (undone.decrementAndGet() > 0);
    }
}
