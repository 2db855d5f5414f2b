package dev.gadget.code.ide;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.code.account.Caller;
import dev.gadget.code.feed.ChangeJson;
import dev.gadget.code.socket.CloseReason;
import dev.gadget.code.socket.Outlet;
import dev.gadget.code.socket.Pace;
import dev.gadget.code.socket.SocketHandle;
import dev.gadget.code.turn.TurnFeed;
import dev.gadget.code.turn.TurnUpdate;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.ide.IdeEvent;
import dev.gadget.model.turn.Cursor;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One page that is connected. It is sent first what is said once (answers, news), then of each followed turn what is missing since the
 * page's cursor. While one frame is on its way everything later waits in the document, not in a queue. All sending happens on the
 * event loop of the socket, so that no thread has to be woken for a token.
 */
final class IdeConnection {
    private static final Logger LOG = Logger.getLogger(IdeConnection.class);
    private static final int MAX_FOLLOWED = 16;
    private static final long GREETS_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final SocketHandle socket;
    private final Caller caller;
    private final ObjectWriter writer;
    private final ChangeJson json;
    private final Pace pace;
    private final PageNews news = new PageNews(System::nanoTime);
    private final Map<TurnId, FollowedTurn> followed = new LinkedHashMap<>();
    private final Outlet outlet;
    private final long openedAt = System.nanoTime();

    private volatile boolean greeted;
    private volatile boolean over;
    private volatile @Nullable SessionId open;
    private volatile boolean due;
    private volatile boolean resting;

    // Known to the event loop only.
    private final Queue<FollowedTurn> round = new ArrayDeque<>();
    private boolean newsTimed;

    IdeConnection(SocketHandle socket, Caller caller, ObjectWriter writer, ChangeJson json, Pace pace) {
        this.socket = socket;
        this.outlet = new Outlet(socket, this::next, this::gone);
        this.caller = caller;
        this.writer = writer;
        this.json = json;
        this.pace = pace;
    }

    UserId user() {
        return caller.userId();
    }

    /** Closed, or being closed: nothing that it says is done any more. */
    boolean over() {
        return over;
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

    void tell(IdeEvent event) {
        if (over) {
            return;
        }
        switch (news.add(event)) {
            case NOW -> outlet.wake();
            case LATER -> {}
            case TOO_MANY -> close(IdeClose.SLOW);
        }
    }

    /** Sends what is missing of this turn since the cursor, now and from now on; following it again moves the cursor. */
    void follow(TurnFeed feed, @Nullable Cursor from) {
        synchronized (this) {
            if (over) {
                return;
            }
            unfollow(feed.id());
            if (followed.size() >= MAX_FOLLOWED) {
                unfollow(followed.keySet().iterator().next());
            }
            followed.put(feed.id(), new FollowedTurn(feed, from, this::changed));
            pace.joined();
        }
        due = true;
        outlet.wake();
    }

    private synchronized void unfollow(TurnId turn) {
        FollowedTurn before = followed.remove(turn);
        if (before != null) {
            before.watch.close();
            pace.left();
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
        List.copyOf(followed.keySet()).forEach(this::unfollow);
    }

    void close(CloseReason why) {
        if (!over) {
            closed();
            socket.close(why);
        }
    }

    void closeAfterLast(IdeEvent last, CloseReason why) {
        closed();
        socket.closeAfter(write(last), why);
    }

    void closed() {
        over = true;
        outlet.stop();
        unfollowAll();
    }

    boolean saysNothing(long now) {
        return !greeted && now - openedAt > GREETS_WITHIN_NANOS;
    }

    boolean stalled() {
        return outlet.stalled();
    }

    /** Runs for every token of a turn and every page: one that has been told, or rests anyway, is not disturbed again. */
    private void changed() {
        if (!due) {
            due = true;
            if (!resting) {
                outlet.wake();
            }
        }
    }

    private void gone(Throwable why) {
        LOG.debug("a page went away while it was sent something", why);
        close(IdeClose.SLOW);
    }

    private @Nullable String next() {
        IdeEvent event = news.next();
        if (event != null) {
            return write(event);
        }
        timeNews();
        for (; ; ) {
            FollowedTurn one = round.poll();
            if (one == null) {
                if (!due || resting) {
                    return null;
                }
                due = false;
                synchronized (this) {
                    round.addAll(followed.values());
                }
            } else {
                String frame = missing(one);
                if (frame != null) {
                    rest();
                    return frame;
                }
            }
        }
    }

    private void timeNews() {
        long millis = newsTimed ? 0 : news.pauseMillis();
        if (millis > 0) {
            newsTimed = true;
            outlet.after(millis, () -> {
                newsTimed = false;
                outlet.wake();
            });
        }
    }

    /** Lets steps of turns gather for a moment. */
    private void rest() {
        long millis = pace.restMillis();
        if (resting || millis == 0) {
            return;
        }
        resting = true;
        outlet.after(millis, () -> {
            resting = false;
            if (due) {
                outlet.wake();
            }
        });
    }

    /** What the page lacks of this turn; null for nothing. */
    private @Nullable String missing(FollowedTurn one) {
        TurnUpdate update = one.feed.since(one.cursor);
        one.cursor = update.cursor();
        if (update.more()) {
            // Nobody says so again.
            due = true;
        }
        if (one.feed.gone() || update.over()) {
            synchronized (this) {
                if (followed.get(one.feed.id()) == one) {
                    unfollow(one.feed.id());
                }
            }
        }
        return update.changes().isEmpty() ? null : frame(one.feed.id(), update);
    }

    /** The same as a written {@code IdeEvent.TurnChanged}, around steps that other readers got as well. */
    private String frame(TurnId turn, TurnUpdate update) {
        return "{\"type\":\"turn_changed\",\"turnId\":\"" + turn + "\",\"cursor\":\"" + update.cursor()
                + "\",\"changes\":[" + String.join(",", json.of(update)) + "]}";
    }

    private String write(IdeEvent event) {
        try {
            return writer.writeValueAsString(event);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a message that cannot be written: " + event.getClass(), e);
        }
    }
}
