package dev.gadget.drone.terminal;

import dev.gadget.model.Protocol;
import dev.gadget.model.TerminalId;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.terminal.TerminalEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One shell on one pseudo-terminal. Its output waits in a ring for whoever looks; a reader that does not keep up makes the programs
 * wait, and while nobody looks they go on.
 */
final class Terminal {
    static final int MAX_UNACKNOWLEDGED = 512 << 10;

    private static final Logger LOG = Logger.getLogger(Terminal.class);
    private static final int CHUNK = 16 << 10;
    private static final int READ_MILLIS = 100;
    private static final int MAX_INPUT = 1 << 20;
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final TerminalId id;
    private final Libc libc;
    private final PseudoTerminal device;
    private final Shell shell;
    private final Runnable news;
    private final Thread reader;
    private final OutputRing ring = new OutputRing();
    private final Utf8Stream text = new Utf8Stream();
    private final Deque<byte[]> input = new ArrayDeque<>();

    private @Nullable String view;
    private boolean greeting;
    private boolean fresh = true;
    private int waits;
    private long sent;
    private long acknowledged;
    private long endingSince;
    private boolean ending;
    private boolean over;
    private boolean told;
    private @Nullable Integer exitCode;
    private int left;

    private Terminal(TerminalId id, Libc libc, PseudoTerminal device, Shell shell, Runnable news) {
        this.id = id;
        this.libc = libc;
        this.device = device;
        this.shell = shell;
        this.news = news;
        // Platform threads: what waits inside the C library would hold one of the few that carry the virtual ones.
        this.reader =
                Thread.ofPlatform().daemon().name("terminal-" + id + "-output").unstarted(this::read);
    }

    /** How a shell is started on a device. */
    @FunctionalInterface
    interface Starter {
        Shell on(String device) throws IOException;
    }

    static Terminal start(TerminalId id, Libc libc, int columns, int rows, Starter starter, Runnable news)
            throws IOException {
        PseudoTerminal device = PseudoTerminal.open(libc, columns, rows);
        try {
            Terminal terminal = new Terminal(id, libc, device, starter.on(device.otherSide()), news);
            terminal.reader.start();
            Thread.ofPlatform().daemon().name("terminal-" + id + "-input").start(terminal::write);
            return terminal;
        } catch (IOException | RuntimeException e) {
            device.close();
            throw e;
        }
    }

    TerminalId id() {
        return id;
    }

    /** Tells this view from now on, from so far on; the one that it was told before, if there was another. */
    synchronized Optional<String> attach(String to, long from, int columns, int rows) {
        Optional<String> before = Optional.ofNullable(view).filter(one -> !one.equals(to));
        view = to;
        greeting = true;
        sent = ring.from(from);
        acknowledged = sent;
        notifyAll();
        resize(columns, rows);
        news.run();
        return before;
    }

    synchronized boolean shownBy(String one) {
        return one.equals(view);
    }

    synchronized boolean watched() {
        return view != null;
    }

    /** Nobody looks any more. */
    synchronized void leave() {
        view = null;
        left++;
        notifyAll();
    }

    /** How often it was left, which tells one time from another. */
    synchronized int left() {
        return left;
    }

    synchronized boolean over() {
        return over;
    }

    /** Whether its end was told, after which it can be forgotten. */
    synchronized boolean told() {
        return told;
    }

    synchronized void type(String typed) {
        byte[] bytes = typed.getBytes(StandardCharsets.UTF_8);
        if (waits + bytes.length > MAX_INPUT) {
            LOG.warnf("terminal %s takes no input, and %d bytes of it are left out", id, bytes.length);
            return;
        }
        waits += bytes.length;
        input.add(bytes);
        notifyAll();
    }

    synchronized void acknowledge(long offset) {
        if (offset > acknowledged && offset <= sent) {
            acknowledged = offset;
            notifyAll();
        }
    }

    void resize(int columns, int rows) {
        try {
            device.resize(columns, rows);
        } catch (IOException e) {
            LOG.warnf("terminal %s keeps its size: %s", id, e.getMessage());
        }
    }

    /** Hangs up; what does not take that for its end is killed soon. */
    void end() {
        synchronized (this) {
            if (ending || over) {
                return;
            }
            ending = true;
            endingSince = System.nanoTime();
            notifyAll();
        }
        libc.hangUp(shell.pid());
    }

    /** Returns when nothing of it is left, or that takes too long. */
    void awaitEnd(long millis) throws InterruptedException {
        reader.join(millis);
    }

    /** The next thing to say of it; null when there is none now. */
    synchronized @Nullable DroneEvent next() {
        if (told) {
            return null;
        }
        if (view != null && greeting) {
            greeting = false;
            var opened = new TerminalEvent.Opened(fresh, sent, fresh ? sent : ring.end());
            fresh = false;
            return said(opened);
        }
        if (view != null && sent < ring.end()) {
            OutputRing.Part part = ring.since(sent, Protocol.TEXT_PART_CHARS);
            sent += part.text().length();
            notifyAll();
            return said(new TerminalEvent.Output(part.offset(), part.text()));
        }
        if (over) {
            told = true;
            return said(new TerminalEvent.Closed(ending ? null : exitCode));
        }
        return null;
    }

    private DroneEvent said(TerminalEvent event) {
        return new DroneEvent.TerminalSaid(view, id, event);
    }

    private void read() {
        byte[] bytes = new byte[CHUNK];
        boolean killed = false;
        try {
            while (true) {
                awaitRoom();
                int count = device.read(bytes, READ_MILLIS);
                if (count > 0) {
                    printed(text.take(bytes, count));
                } else if (count < 0 || killed) {
                    break;
                }
                if (!killed && (!shell.alive() || graceIsOver())) {
                    killed = true;
                    shell.kill();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            shell.kill();
            device.close();
            ended(exit());
        }
    }

    private @Nullable Integer exit() {
        try {
            return shell.exitCode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private synchronized void printed(String piece) {
        ring.append(piece);
        if (view != null) {
            news.run();
        }
    }

    /** What was printed and not sent must stay in the ring; a page that does not keep up is not to be flooded. */
    private synchronized void awaitRoom() throws InterruptedException {
        while (!ending
                && view != null
                && (ring.end() - sent > OutputRing.CAPACITY - CHUNK
                        || ring.end() - acknowledged > MAX_UNACKNOWLEDGED)) {
            wait();
        }
    }

    private synchronized boolean graceIsOver() {
        return ending && System.nanoTime() - endingSince > GRACE_NANOS;
    }

    private synchronized void ended(@Nullable Integer with) {
        exitCode = with;
        over = true;
        notifyAll();
        LOG.infof("terminal %s is closed", id);
        news.run();
    }

    private void write() {
        try {
            for (byte[] bytes = nextInput(); bytes != null; bytes = nextInput()) {
                for (int from = 0; from < bytes.length; ) {
                    int count = device.write(bytes, from);
                    if (count < 0) {
                        return;
                    }
                    from += count;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized byte @Nullable [] nextInput() throws InterruptedException {
        while (input.isEmpty() && !over) {
            wait();
        }
        byte[] bytes = input.poll();
        if (bytes != null) {
            waits -= bytes.length;
        }
        return bytes;
    }
}
