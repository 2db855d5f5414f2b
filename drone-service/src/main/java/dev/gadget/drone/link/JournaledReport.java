package dev.gadget.drone.link;

import dev.gadget.drone.agent.WorkReport;
import dev.gadget.model.Failure;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Numbers what the agent says and journals it before it is sent. Pieces of text that come in one burst are merged into one entry; the
 * first piece after a pause is not held up. Text that is written survives the drone, and nobody waits until it would survive the
 * machine: a round that was cut is said again. What tools do is forced to the disk.
 */
final class JournaledReport implements WorkReport {
    /** Long enough for what a model's server sends in one packet; a thousand pieces a second are a thousand entries. */
    private static final long MERGE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private static final int MERGE_CHARS = 16 << 10;

    private final Journal journal;
    private final ScheduledExecutorService timer;
    private final News news;
    private final StringBuilder text = new StringBuilder();
    private boolean thinking;
    private @Nullable String parent;
    private int pieces;
    private long flushedAt;
    private boolean timed;
    private boolean unsaid;
    private boolean over;
    private boolean ended;
    private @Nullable Usage finishedWith;
    private @Nullable JournalFailedException failed;

    /**
     * @param news told after something was journaled
     */
    JournaledReport(Journal journal, ScheduledExecutorService timer, News news) {
        this.journal = journal;
        this.timer = timer;
        this.news = news;
    }

    /** The journal cannot be written any more: the turn cannot go on, because nothing may be said that is not in it. */
    static final class JournalFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        JournalFailedException(IOException cause) {
            super("the journal of the turn cannot be written: " + cause.getMessage(), cause);
        }
    }

    /** Nothing more is taken: the drone stops, and the turn is taken up later from what is journaled. */
    synchronized void detach() {
        if (!over) {
            over = true;
            try {
                flush();
            } catch (JournalFailedException e) {
                // What is not in the journal was not said: it is said again when the turn is taken up.
                pieces = 0;
            }
        }
    }

    /** The journal failed for good: nothing more is taken, and what is not in it yet was not said. */
    synchronized void abandon() {
        over = true;
        pieces = 0;
    }

    /** Whether nothing more is taken, be it that the turn ended or that it is left for later. */
    synchronized boolean over() {
        return over;
    }

    /** Whether the end of the turn was reported. */
    synchronized boolean complete() {
        return ended;
    }

    /** What the turn used that finished; null of one that did not, or of which no end was reported. */
    synchronized @Nullable Usage finishedWith() {
        return finishedWith;
    }

    @Override
    public void thinking(@Nullable String of, String piece) {
        append(of, true, piece);
    }

    @Override
    public void response(@Nullable String of, String piece) {
        append(of, false, piece);
    }

    /** Text is sent by who says it: nobody else need be woken for each word. */
    private void append(@Nullable String of, boolean thinks, String piece) {
        synchronized (this) {
            refuseAfterEnd();
            parts(piece, part -> appendPart(of, thinks, part));
        }
        sendWritten();
    }

    private void sendWritten() {
        if (takeUnsaid()) {
            news.send();
        }
    }

    private synchronized boolean takeUnsaid() {
        boolean something = unsaid;
        unsaid = false;
        return something;
    }

    /** What comes in one piece may be longer than a frame. */
    private static void parts(String text, Consumer<String> each) {
        int from = 0;
        while (from < text.length()) {
            int to = Math.min(text.length(), from + MERGE_CHARS);
            if (to < text.length() && Character.isHighSurrogate(text.charAt(to - 1))) {
                to--;
            }
            each.accept(text.substring(from, to));
            from = to;
        }
    }

    private void appendPart(@Nullable String of, boolean thinks, String piece) {
        if (pieces > 0 && (thinking != thinks || !Objects.equals(parent, of))) {
            flush();
        }
        thinking = thinks;
        parent = of;
        text.append(piece);
        pieces++;
        long now = System.nanoTime();
        if (text.length() >= MERGE_CHARS || now - flushedAt >= MERGE_NANOS) {
            flush();
        } else if (!timed) {
            timed = true;
            timer.schedule(this::flushTimed, MERGE_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private void flushTimed() {
        synchronized (this) {
            timed = false;
            if (failed == null) {
                try {
                    flush();
                } catch (JournalFailedException e) {
                    // It is kept, and the agent's next word meets it on the agent's own thread.
                    pieces = 0;
                }
            }
        }
        sendWritten();
    }

    private void flush() {
        if (pieces == 0) {
            return;
        }
        long seq = journal.lastSeq() + pieces;
        Integer count = pieces == 1 ? null : pieces;
        write(
                thinking
                        ? new WorkEntry.Thinking(seq, count, text.toString(), parent)
                        : new WorkEntry.Response(seq, count, text.toString(), parent));
        text.setLength(0);
        pieces = 0;
        flushedAt = System.nanoTime();
    }

    private synchronized void say(LongFunction<WorkEntry> entry) {
        refuseAfterEnd();
        flush();
        write(entry.apply(journal.lastSeq() + 1));
        unsaid = false;
        news.wake();
    }

    /** When this returns it is on the disk. Others speak while the disk is waited for: of several subagents one has always something to keep. */
    private void sayForGood(LongFunction<WorkEntry> entry) {
        say(entry);
        try {
            journal.force();
        } catch (IOException e) {
            throw notForced(e);
        }
    }

    /** A journal that was left meanwhile did not fail. */
    private synchronized JournalFailedException notForced(IOException cause) {
        refuseAfterEnd();
        return failing(cause);
    }

    private void write(WorkEntry entry) {
        try {
            journal.append(entry);
        } catch (IOException e) {
            throw failing(e);
        }
        unsaid = true;
    }

    private JournalFailedException failing(IOException cause) {
        var first = failed;
        if (first == null) {
            first = new JournalFailedException(cause);
            failed = first;
        }
        return first;
    }

    private void refuseAfterEnd() {
        if (over) {
            throw new IllegalStateException("the turn has ended or is left for later; nothing more is reported of it");
        }
        // Once something could not be written, nothing that comes after it may be said, not even an end.
        if (failed != null) {
            throw failed;
        }
    }

    @Override
    public void roundStarted(@Nullable String of, int round) {
        say(seq -> new WorkEntry.RoundStarted(seq, round, of));
    }

    @Override
    public void roundSuperseded(@Nullable String of, int round) {
        say(seq -> new WorkEntry.RoundSuperseded(seq, round, of));
    }

    @Override
    public void prompted(TurnId promptId, String words) {
        sayForGood(seq -> new WorkEntry.Prompted(seq, promptId, words));
    }

    @Override
    public void callGrows(String name, int chars) {
        say(seq -> new WorkEntry.CallGrows(seq, name, chars));
    }

    @Override
    public void toolCalled(@Nullable String of, String callId, String name, Map<String, Object> parameters) {
        say(seq -> new WorkEntry.ToolCalled(seq, callId, name, parameters, of));
    }

    @Override
    public void toolAwaitsApproval(
            String callId, String reason, @Nullable String preview, String shown, @Nullable List<String> patterns) {
        say(seq -> new WorkEntry.ToolAwaitsApproval(seq, callId, reason, preview, shown, patterns));
    }

    @Override
    public void toolStarted(String callId, @Nullable Map<String, Object> changed) {
        sayForGood(seq -> new WorkEntry.ToolStarted(seq, callId, changed));
    }

    @Override
    public void toolOutput(String callId, String output) {
        parts(output, part -> say(seq -> new WorkEntry.ToolOutput(seq, callId, part)));
    }

    @Override
    public void toolEnded(String callId, ToolCallState state, String response, @Nullable String diff) {
        sayForGood(seq -> new WorkEntry.ToolEnded(seq, callId, state, response, diff));
    }

    @Override
    public void usage(Usage usage) {
        say(seq -> new WorkEntry.UsageReported(seq, usage));
    }

    @Override
    public void retrying(Failure failure, int attempt, long delayMillis) {
        say(seq -> new WorkEntry.Retrying(seq, failure, attempt, delayMillis));
    }

    @Override
    public void filesChanged(TurnFiles files) {
        say(seq -> new WorkEntry.FilesChanged(seq, files));
    }

    @Override
    public Duration workedBefore() {
        return journal.worked().before();
    }

    @Override
    public void worked(Duration soFar) {
        journal.worked().keep(soFar);
    }

    @Override
    public synchronized void complete(TurnStatus status, @Nullable Failure failure, Usage usage) {
        sayForGood(seq -> new WorkEntry.WorkOrderComplete(seq, status, failure, usage));
        over = true;
        ended = true;
        finishedWith = status == TurnStatus.FINISHED ? usage : null;
    }
}
