package dev.gadget.drone.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.TerminalId;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.terminal.TerminalEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real shells on real pseudo-terminals. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class TerminalsTest {
    private static final SessionId SESSION = new SessionId("s-1");

    @TempDir
    Path workspace;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Semaphore news = new Semaphore(0);
    private final Map<String, BlockingQueue<TerminalEvent>> said = new ConcurrentHashMap<>();
    private volatile boolean taking = true;
    private Terminals terminals = new Terminals(TerminalAccess.off(), timer, () -> {});

    @AfterEach
    void stop() {
        terminals.stop();
        taking = false;
        timer.shutdownNow();
    }

    private void heard(String view, TerminalCommand command) {
        terminals.heard(view, command, _ -> workspace);
    }

    private void begin(TerminalAccess access, Duration unwatched, String... program) {
        terminals = new Terminals(access, List.of(program), unwatched, timer, news::release);
        Thread.ofVirtual().start(this::take);
    }

    private void begin() {
        begin(TerminalAccess.find(true), Duration.ofMinutes(5), "/bin/sh");
    }

    /** What the link does: takes one thing after the other, when there is news. */
    private void take() {
        try {
            while (taking) {
                news.tryAcquire(100, TimeUnit.MILLISECONDS);
                for (DroneEvent event = terminals.next(); event != null; event = terminals.next()) {
                    var one = (DroneEvent.TerminalSaid) event;
                    of(String.valueOf(one.viewId())).add(one.event());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private BlockingQueue<TerminalEvent> of(String view) {
        return said.computeIfAbsent(view, _ -> new LinkedBlockingQueue<>());
    }

    private TerminalEvent.Opened open(String view, TerminalId id, long offset) throws InterruptedException {
        heard(view, new TerminalCommand.Open(Protocol.VERSION, SESSION, id, 80, 24, offset));
        return next(view, TerminalEvent.Opened.class);
    }

    private <E extends TerminalEvent> E next(String view, Class<E> kind) throws InterruptedException {
        while (true) {
            TerminalEvent event = of(view).poll(60, TimeUnit.SECONDS);
            assertThat(event).as("a %s for %s", kind.getSimpleName(), view).isNotNull();
            if (kind.isInstance(event)) {
                return kind.cast(event);
            }
        }
    }

    private void type(String view, String text) {
        heard(view, new TerminalCommand.Input(text));
    }

    /** Reads on, and acknowledges, until this was printed; all that was printed since the last time. */
    private String until(String view, String wanted) throws InterruptedException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(wanted) < 0) {
            TerminalEvent event = of(view).poll(60, TimeUnit.SECONDS);
            assertThat(event).as("'%s' after: %s", wanted, text).isInstanceOf(TerminalEvent.Output.class);
            var output = (TerminalEvent.Output) event;
            text.append(output.text());
            heard(
                    view,
                    new TerminalCommand.Acknowledge(
                            output.offset() + output.text().length()));
        }
        return text.toString();
    }

    private static void eventually(BooleanSupplier so) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!so.getAsBoolean()) {
            assertThat(System.nanoTime()).as("it came to be in time").isLessThan(end);
            Thread.sleep(20);
        }
    }

    private static boolean alive(String pid) {
        return ProcessHandle.of(Long.parseLong(pid))
                .filter(ProcessHandle::isAlive)
                .isPresent();
    }

    private String read(String file) throws Exception {
        Path path = workspace.resolve(file);
        eventually(() -> Files.exists(path) && path.toFile().length() > 1);
        return Files.readString(path).strip();
    }

    @Test
    @DisplayName("a shell runs in the workspace on a terminal of its own, and says with what it exited")
    void shell() throws Exception {
        begin();
        assertThat(open("v", TerminalId.random(), 0)).isEqualTo(new TerminalEvent.Opened(true, 0, 0));

        type("v", "echo $((40 + 2)) ä😀; tty; pwd; test -t 0 -a -t 1 -a -t 2 && echo is-a-tty-$((1 + 1))\r");
        assertThat(until("v", "is-a-tty-2"))
                .contains("42 ä😀")
                .contains("/dev/pts/")
                .contains(workspace.toRealPath().toString());
        type("v", "exit 7\r");

        assertThat(next("v", TerminalEvent.Closed.class).exitCode()).isEqualTo(7);
    }

    @Test
    @DisplayName("programs see its size, at the start and when it changes")
    void size() throws Exception {
        begin();
        open("v", TerminalId.random(), 0);
        // The signal goes to what runs in the foreground: a program that says so once it can hear it.
        type("v", "stty size; sh -c 'trap \"stty size\" WINCH; echo ready-$((1 + 1)); while :; do sleep 0.1; done'\r");
        assertThat(until("v", "ready-2")).contains("24 80");
        heard("v", new TerminalCommand.Resize(132, 43));
        until("v", "43 132");
    }

    @Test
    @DisplayName("Ctrl-C interrupts what runs, and the shell goes on")
    void interrupt() throws Exception {
        begin();
        open("v", TerminalId.random(), 0);
        // It says when it can hear the signal, and answers a little after it: the terminal throws away what is printed
        // in the moment of Ctrl-C.
        type(
                "v",
                "sh -c 'trap heard=yes INT; echo ready-$((1 + 1)); while [ -z \"$heard\" ]; do sleep 0.1; done; sleep 0.3;"
                        + " echo heard-$((1 + 1))'\r");
        until("v", "ready-2");
        type("v", "\u0003");
        until("v", "heard-2");
        type("v", "echo still-$((2 + 2))\r");
        until("v", "still-4");
    }

    @Test
    @DisplayName("what the drone alone is to know is not in its environment")
    void environment() throws Exception {
        begin();
        open("v", TerminalId.random(), 0);
        type("v", "env | grep -c ^GADGET_PASSWORD; echo term=$TERM done-$((1 + 1))\r");
        assertThat(until("v", "done-2")).contains("term=xterm-256color");
    }

    @Test
    @DisplayName("when it is closed all that it started is ended, also what left its session")
    void closes() throws Exception {
        begin();
        open("v", TerminalId.random(), 0);
        type(
                "v",
                "sh -c 'trap \"\" HUP TERM; echo $$ > stubborn; sleep 600' & setsid sh -c 'echo $$ > escaped; sleep 600' & \r");
        String stubborn = read("stubborn");
        String escaped = read("escaped");
        assertThat(alive(stubborn) && alive(escaped)).isTrue();

        heard("v", new TerminalCommand.Close());
        assertThat(next("v", TerminalEvent.Closed.class).exitCode()).isNull();

        eventually(() -> !alive(stubborn) && !alive(escaped));
    }

    @Test
    @DisplayName("all are ended with the drone")
    void stops() throws Exception {
        begin();
        for (String view : List.of("a", "b")) {
            open(view, TerminalId.random(), 0);
            type(view, "echo $$ > pid-" + view + "\r");
        }
        String first = read("pid-a");
        String second = read("pid-b");

        terminals.stop();

        eventually(() -> !alive(first) && !alive(second));
    }

    @Test
    @DisplayName("a page that comes back goes on where it was, and a new one gets what is kept")
    void comesBack() throws Exception {
        begin();
        TerminalId id = TerminalId.random();
        open("v", id, 0);
        type("v", "echo one-$((1 + 1)); read go; echo two-$((1 + 1))\r");
        String before = until("v", "one-2\r\n");
        terminals.left("v");
        said.remove("v");

        var again = open("w", id, before.length());
        assertThat(again.fresh()).isFalse();
        assertThat(again.offset()).isEqualTo(before.length());
        assertThat(again.end()).isGreaterThanOrEqualTo(before.length());
        type("w", "\r");
        assertThat(until("w", "two-2")).doesNotContain("one-2");
        var whole = open("x", id, 0);
        assertThat(whole.offset()).isZero();
        assertThat(whole.end()).isGreaterThan(before.length());
        assertThat(until("x", "two-2")).contains("one-2");
        assertThat(next("w", TerminalEvent.TerminalRefused.class).failure().code())
                .as("the one before is told")
                .isEqualTo(FailureCode.CONFLICT);
    }

    @Test
    @DisplayName("one that nobody looks at goes on for a while and is ended then")
    void forgotten() throws Exception {
        begin(TerminalAccess.find(true), Duration.ofSeconds(5), "/bin/sh");
        TerminalId id = TerminalId.random();
        open("v", id, 0);
        type("v", "echo $$ > pid\r");
        String pid = read("pid");
        terminals.left("v");
        assertThat(open("w", id, 0).fresh()).as("within the time").isFalse();
        type("w", "sleep 6; echo looked-$((1 + 1))\r");
        until("w", "looked-2");

        terminals.disconnected();

        assertThat(alive(pid)).isTrue();
        assertThat(next("null", TerminalEvent.Closed.class).exitCode()).isNull();
        eventually(() -> !alive(pid));
        assertThat(open("x", id, 100).fresh()).isTrue();
    }

    @Test
    @DisplayName("a page that acknowledges nothing makes the program wait, and loses nothing when it goes on")
    void backPressure() throws Exception {
        begin();
        open("v", TerminalId.random(), 0);
        type("v", "stty -echo\r");
        type(
                "v",
                "i=0; while [ $i -lt 40000 ]; do i=$((i+1)); echo \"line $i 0123456789012345678901234567890\"; done; echo all-$((1+1))\r");

        long end = 0;
        StringBuilder text = new StringBuilder();
        for (TerminalEvent event = of("v").poll(60, TimeUnit.SECONDS);
                event != null;
                event = of("v").poll(end < Terminal.MAX_UNACKNOWLEDGED ? 20 : 2, TimeUnit.SECONDS)) {
            var output = (TerminalEvent.Output) event;
            assertThat(output.offset()).isEqualTo(end);
            end += output.text().length();
            text.append(output.text());
        }
        assertThat(end).isBetween((long) Terminal.MAX_UNACKNOWLEDGED, Terminal.MAX_UNACKNOWLEDGED + 40_000L);

        heard("v", new TerminalCommand.Acknowledge(end));
        text.append(until("v", "all-2"));
        for (int line = 1; line <= 40_000; line += 999) {
            assertThat(text.indexOf("line " + line + " ")).as("line %d", line).isPositive();
        }
    }

    @Test
    @DisplayName("much that is pasted arrives whole")
    void pastes() throws Exception {
        begin();
        open("v", TerminalId.random(), 0);
        type("v", "stty -echo; cat > pasted; echo got-$((1 + 1))\r");
        String line = "0123456789".repeat(9) + "\n";
        for (int i = 0; i < 40; i++) {
            type("v", line.repeat(100));
        }
        type("v", "\u0004");
        until("v", "got-2");
        assertThat(Files.readString(workspace.resolve("pasted"))).isEqualTo(line.repeat(4000));
    }

    @Test
    @DisplayName("a drone has four at most")
    void four() throws Exception {
        begin();
        for (int i = 0; i < 4; i++) {
            open("v" + i, TerminalId.random(), 0);
        }
        heard("v4", new TerminalCommand.Open(Protocol.VERSION, SESSION, TerminalId.random(), 80, 24, 0));
        assertThat(next("v4", TerminalEvent.TerminalRefused.class).failure().code())
                .isEqualTo(FailureCode.LIMIT_REACHED);

        type("v0", "exit\r");
        next("v0", TerminalEvent.Closed.class);
        assertThat(open("v4", TerminalId.random(), 0).fresh()).isTrue();
    }

    @Test
    @DisplayName("without the owner's word, on another system, and without setsid there are none, and it is said why")
    void refused() throws Exception {
        begin(TerminalAccess.off(), Duration.ofMinutes(5), "/bin/sh");
        heard("v", new TerminalCommand.Open(Protocol.VERSION, SESSION, TerminalId.random(), 80, 24, 0));

        var refusal = next("v", TerminalEvent.TerminalRefused.class).failure();
        assertThat(refusal.code()).isEqualTo(FailureCode.FORBIDDEN);
        assertThat(refusal.message()).contains("gadget-drone run --terminal");
        assertThat(TerminalAccess.off().report()).isEqualTo("Terminals are off (--terminal allows them).");
        assertThat(TerminalAccess.find("Mac OS X", List.of()).report()).contains("on Linux only", "Mac OS X");
        assertThat(TerminalAccess.find("Linux", List.of(workspace.resolve("setsid")))
                        .report())
                .contains("util-linux");
        assertThat(TerminalAccess.find(true).report()).startsWith("Terminals are on");
    }
}
