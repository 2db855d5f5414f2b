package dev.gadget.drone.terminal;

import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.TerminalId;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.terminal.TerminalEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The terminals of this drone, and which page's connection each is shown by: one at a time, the latest. */
public final class Terminals {
    private static final Logger LOG = Logger.getLogger(Terminals.class);
    private static final int MOST = 4;
    private static final int MOST_REFUSALS = 64;
    private static final Duration UNWATCHED = Duration.ofMinutes(5);
    private static final long STOPS_WITHIN_MILLIS = 2000;

    private final TerminalAccess access;
    private final List<String> program;
    private final Duration unwatched;
    private final ScheduledExecutorService timer;
    private final Runnable news;
    private final Map<TerminalId, Terminal> terminals = new LinkedHashMap<>();
    private final Deque<DroneEvent> refusals = new ArrayDeque<>();
    private @Nullable Libc libc;
    private boolean stopped;

    public Terminals(TerminalAccess access, ScheduledExecutorService timer, Runnable news) {
        this(access, Shell.ofOwner(), UNWATCHED, timer, news);
    }

    Terminals(
            TerminalAccess access,
            List<String> program,
            Duration unwatched,
            ScheduledExecutorService timer,
            Runnable news) {
        this.access = access;
        this.program = program;
        this.unwatched = unwatched;
        this.timer = timer;
        this.news = news;
    }

    /**
     * What a page says by this connection.
     *
     * @param directory where a terminal that it opens starts
     */
    public synchronized void heard(
            String view, TerminalCommand command, Function<TerminalCommand.Open, Path> directory) {
        switch (command) {
            case TerminalCommand.Open open -> open(view, open, directory);
            case TerminalCommand.Input input -> of(view).ifPresent(one -> one.type(input.text()));
            case TerminalCommand.Resize size -> of(view).ifPresent(one -> one.resize(size.columns(), size.rows()));
            case TerminalCommand.Acknowledge all -> of(view).ifPresent(one -> one.acknowledge(all.offset()));
            case TerminalCommand.Close _ -> of(view).ifPresent(Terminal::end);
            case TerminalCommand.TerminalPing _ -> LOG.trace("a ping is answered by the code service");
        }
    }

    /** This connection is gone; its terminal waits for another for a while. */
    public synchronized void left(String view) {
        of(view).ifPresent(this::unwatched);
    }

    /** All of them are gone. */
    public synchronized void disconnected() {
        terminals.values().stream().filter(Terminal::watched).forEach(this::unwatched);
        refusals.clear();
    }

    private void unwatched(Terminal terminal) {
        terminal.leave();
        int times = terminal.left();
        timer.schedule(() -> forget(terminal, times), unwatched.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void forget(Terminal terminal, int timesLeft) {
        if (!terminal.watched() && terminal.left() == timesLeft) {
            LOG.infof("terminal %s is ended: nobody looked at it for %d s", terminal.id(), unwatched.toSeconds());
            terminal.end();
        }
    }

    private Optional<Terminal> of(String view) {
        return terminals.values().stream().filter(one -> one.shownBy(view)).findFirst();
    }

    private void open(String view, TerminalCommand.Open open, Function<TerminalCommand.Open, Path> directory) {
        Failure none = access.refusal();
        if (none != null) {
            refuse(view, open.terminalId(), none);
            return;
        }
        try {
            Terminal known = terminals.get(open.terminalId());
            Terminal terminal = known == null ? start(open, directory.apply(open)) : known;
            terminal.attach(view, open.offset(), open.columns(), open.rows())
                    .ifPresent(before -> refuse(
                            before,
                            open.terminalId(),
                            new Failure(FailureCode.CONFLICT, "This terminal is shown in another tab now.")));
        } catch (IOException | RefusedStartException e) {
            LOG.warnf("terminal %s is not opened: %s", open.terminalId(), e.getMessage());
            FailureCode code =
                    e instanceof RefusedStartException ? FailureCode.LIMIT_REACHED : FailureCode.WORKSPACE_UNUSABLE;
            refuse(view, open.terminalId(), new Failure(code, String.valueOf(e.getMessage())));
        }
    }

    private Terminal start(TerminalCommand.Open open, Path directory) throws IOException, RefusedStartException {
        Path setsid = access.setsid();
        if (stopped || setsid == null) {
            throw new RefusedStartException("The drone stops.");
        }
        if (terminals.values().stream().filter(one -> !one.over()).count() >= MOST) {
            throw new RefusedStartException("This drone has " + MOST + " terminals already. Close one of them first.");
        }
        Libc calls = libc == null ? new Libc() : libc;
        libc = calls;
        Terminal started = Terminal.start(
                open.terminalId(),
                calls,
                open.columns(),
                open.rows(),
                device -> Shell.start(setsid, device, program, directory, System.getenv()),
                news);
        terminals.put(open.terminalId(), started);
        LOG.infof("terminal %s is opened for session %s", open.terminalId(), open.sessionId());
        return started;
    }

    private void refuse(String view, TerminalId terminal, Failure why) {
        if (refusals.size() < MOST_REFUSALS) {
            refusals.add(new DroneEvent.TerminalSaid(view, terminal, new TerminalEvent.TerminalRefused(why)));
            news.run();
        }
    }

    /** The next thing that one of them says, of each in turn; null when there is none now. */
    public synchronized @Nullable DroneEvent next() {
        DroneEvent refusal = refusals.poll();
        if (refusal != null) {
            return refusal;
        }
        for (Terminal one : List.copyOf(terminals.values())) {
            DroneEvent said = one.next();
            if (said != null) {
                // To the end, so that one that prints all the time does not silence the others.
                terminals.remove(one.id());
                if (!one.told()) {
                    terminals.put(one.id(), one);
                }
                return said;
            }
        }
        return null;
    }

    /** Ends all of them; returns when that is done. */
    public void stop() {
        List<Terminal> all;
        synchronized (this) {
            stopped = true;
            all = List.copyOf(terminals.values());
        }
        all.forEach(Terminal::end);
        try {
            for (Terminal one : all) {
                one.awaitEnd(STOPS_WITHIN_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Why none was started. */
    private static final class RefusedStartException extends Exception {
        private static final long serialVersionUID = 1L;

        private RefusedStartException(String message) {
            super(message);
        }
    }
}
