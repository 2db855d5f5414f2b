package dev.gadget.code.ide;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.code.account.Caller;
import dev.gadget.code.feed.ChangeJson;
import dev.gadget.code.socket.Goodbye;
import dev.gadget.code.turn.TurnFeed;
import dev.gadget.code.turn.TurnUpdate;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.ide.IdeEvent;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.TurnStatus;
import io.quarkus.websockets.next.CloseReason;
import io.quarkus.websockets.next.WebSocketConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One page that is connected. A thread of its own sends: first what is said once (answers, news), then of each followed turn what
 * is missing since the page's cursor. While one send is on its way everything later waits in the document, not in a queue.
 */
final class IdeConnection {
    private static final Logger LOG = Logger.getLogger(IdeConnection.class);
    private static final int MAX_ANSWERS = 256;
    /** Of news that replace each other, one for each thing: more things than anybody has. */
    private static final int MAX_NEWS = 10_000;

    private static final int MAX_FOLLOWED = 16;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long GREETS_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** A screen shows no more, and many pages of a fast turn cost less. The first step after a pause is never held back. */
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(16);

    private final WebSocketConnection socket;
    private final Caller caller;
    private final ObjectWriter writer;
    private final ChangeJson json;
    private final Queue<IdeEvent> answers = new ArrayDeque<>();
    private final LinkedHashMap<Object, IdeEvent> news = new LinkedHashMap<>();
    private final Map<TurnId, FollowedTurn> followed = new LinkedHashMap<>();
    private final Thread sender;
    private final long openedAt = System.nanoTime();

    private volatile boolean greeted;
    private volatile boolean over;
    private volatile long sendingSince;
    private volatile @Nullable SessionId open;
    private volatile boolean due;
    private volatile boolean resting;

    IdeConnection(WebSocketConnection socket, Caller caller, ObjectWriter writer, ChangeJson json) {
        this.socket = socket;
        this.caller = caller;
        this.writer = writer;
        this.json = json;
        this.sender = Thread.ofVirtual().name("ide-" + socket.id()).unstarted(this::sendAll);
        sender.start();
    }

    UserId user() {
        return caller.userId();
    }

    Caller caller() {
        return caller;
    }

    boolean greeted() {
        return greeted;
    }

    void greet(IdeEvent.Welcome welcome) {
        // In this order: nothing is told before the welcome.
        tell(welcome);
        greeted = true;
    }

    boolean shows(SessionId session) {
        return session.equals(open);
    }

    /** Shows this session from now on, and the turns of the last one no more. */
    void open(SessionId session) {
        if (!session.equals(open)) {
            unfollowAll();
        }
        open = session;
    }

    void closeSession(SessionId session) {
        if (session.equals(open)) {
            open = null;
            unfollowAll();
        }
    }

    /** Says it once; of news about one thing only the latest, when the page has not taken the one before yet. */
    void tell(IdeEvent event) {
        if (over) {
            return;
        }
        Object about = subject(event);
        boolean slow;
        synchronized (this) {
            slow = about == null ? answers.size() >= MAX_ANSWERS : news.size() >= MAX_NEWS;
            if (!slow && about == null) {
                answers.add(event);
            } else if (!slow) {
                news.put(about, event);
            }
        }
        if (slow) {
            close(IdeClose.SLOW);
        } else {
            wake();
        }
    }

    /** What an event is the latest news about; null for what has to be said each time. */
    private static @Nullable Object subject(IdeEvent event) {
        return switch (event) {
            case IdeEvent.SessionChanged changed -> changed.sessionId();
            case IdeEvent.DroneChanged changed -> changed.droneId();
            case IdeEvent.DurabilityChanged _ -> IdeEvent.DurabilityChanged.class;
            case IdeEvent.WorkspaceModeChanged changed ->
                List.of(IdeEvent.WorkspaceModeChanged.class, changed.workspaceId());
            case IdeEvent.Welcome _,
                    IdeEvent.Refused _,
                    IdeEvent.Pong _,
                    IdeEvent.Answer _,
                    IdeEvent.TurnStarted _,
                    IdeEvent.TurnChanged _ -> null;
        };
    }

    /** Sends what is missing of this turn since the cursor, now and from now on; following it again moves the cursor. */
    void follow(TurnFeed feed, @Nullable Cursor from) {
        synchronized (this) {
            unfollow(feed.id());
            if (followed.size() >= MAX_FOLLOWED) {
                unfollow(followed.keySet().iterator().next());
            }
            followed.put(feed.id(), new FollowedTurn(feed, from, this::changed));
        }
        wake();
    }

    private synchronized void unfollow(TurnId turn) {
        FollowedTurn before = followed.remove(turn);
        if (before != null) {
            before.watch.close();
        }
    }

    /** The turn goes on: whoever follows it already keeps its cursor. */
    void followNew(TurnFeed feed) {
        boolean known;
        synchronized (this) {
            FollowedTurn current = followed.get(feed.id());
            known = current != null && current.feed == feed;
        }
        if (!known) {
            follow(feed, null);
        }
    }

    private synchronized void unfollowAll() {
        followed.values().forEach(one -> one.watch.close());
        followed.clear();
    }

    void close(IdeClose why) {
        if (over) {
            return;
        }
        over = true;
        sender.interrupt();
        Goodbye.say(socket, new CloseReason(why.code(), why.reason()));
    }

    void closeAfterLast(IdeEvent last, IdeClose why) {
        over = true;
        sender.interrupt();
        Goodbye.say(socket, write(last), new CloseReason(why.code(), why.reason()));
    }

    void closed() {
        over = true;
        unfollowAll();
        sender.interrupt();
    }

    boolean saysNothing(long now) {
        return !greeted && now - openedAt > GREETS_WITHIN_NANOS;
    }

    boolean stalled(long now) {
        long since = sendingSince;
        return since != 0 && now - since > PATIENCE_NANOS;
    }

    /** Runs for every token of a turn and every page: a thread that has been told, or rests anyway, is not disturbed again. */
    private void changed() {
        if (!due) {
            due = true;
            if (!resting) {
                LockSupport.unpark(sender);
            }
        }
    }

    private void wake() {
        due = true;
        LockSupport.unpark(sender);
    }

    private void sendAll() {
        try {
            while (!over) {
                while (!due && !over) {
                    LockSupport.park(this);
                }
                due = false;
                sendNews();
                boolean sent = false;
                for (FollowedTurn one : current()) {
                    sent |= sendMissing(one);
                }
                if (sent) {
                    rest();
                }
            }
        } catch (RuntimeException gone) {
            LOG.debugf(gone, "page %s went away while it was sent something", socket.id());
        } finally {
            unfollowAll();
        }
    }

    /** Lets steps of turns gather for a moment; what is said once goes out meanwhile. */
    private void rest() {
        resting = true;
        long until = System.nanoTime() + PACE_NANOS;
        for (long left = PACE_NANOS; left > 0 && !over; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            sendNews();
        }
        resting = false;
    }

    private void sendNews() {
        for (String frame = nextNews(); frame != null; frame = nextNews()) {
            send(frame);
        }
    }

    private synchronized @Nullable String nextNews() {
        IdeEvent event = answers.poll();
        if (event == null && !news.isEmpty()) {
            event = news.pollFirstEntry().getValue();
        }
        return event == null ? null : write(event);
    }

    private synchronized List<FollowedTurn> current() {
        return new ArrayList<>(followed.values());
    }

    private boolean sendMissing(FollowedTurn one) {
        TurnUpdate update = one.feed.since(one.cursor);
        one.cursor = update.cursor();
        if (!update.changes().isEmpty()) {
            send(frame(one.feed.id(), update));
        }
        if (one.feed.gone() || (update.status().ended() && update.status() != TurnStatus.INTERRUPTED)) {
            synchronized (this) {
                if (followed.remove(one.feed.id(), one)) {
                    one.watch.close();
                }
            }
        }
        return !update.changes().isEmpty();
    }

    /** The same as a written {@code IdeEvent.TurnChanged}, around steps that other readers got as well. */
    private String frame(TurnId turn, TurnUpdate update) {
        return "{\"type\":\"turn_changed\",\"turnId\":\"" + turn + "\",\"cursor\":\"" + update.cursor()
                + "\",\"changes\":[" + String.join(",", json.of(update)) + "]}";
    }

    private void send(String frame) {
        if (over) {
            return;
        }
        sendingSince = System.nanoTime();
        socket.sendTextAndAwait(frame);
        sendingSince = 0;
    }

    private String write(IdeEvent event) {
        try {
            return writer.writeValueAsString(event);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a message that cannot be written: " + event.getClass(), e);
        }
    }
}
