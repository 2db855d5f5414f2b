package dev.gadget.code.ide;

import dev.gadget.model.ide.IdeEvent;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a page is told once: answers in their order and at once; news a few times a second, of each thing only the latest, and when it
 * is about many things only that. Safe for many threads.
 */
final class PageNews {
    private static final int MOST_ANSWERS = 256;
    private static final int MOST_THINGS = 16;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Queue<IdeEvent> answers = new ArrayDeque<>();
    private final Map<Object, IdeEvent> news = new LinkedHashMap<>();
    private final LongSupplier clock;
    private boolean paused;
    private long pausedUntil;

    /** @param clock nanoseconds since whenever */
    PageNews(LongSupplier clock) {
        this.clock = clock;
    }

    /** What became of an event. */
    enum Added {
        /** It can be told now. */
        NOW,
        /** It is told when the pause is over. */
        LATER,
        /** The page takes no answers. */
        TOO_MANY
    }

    synchronized Added add(IdeEvent event) {
        Object about = subject(event);
        if (about == null) {
            return answers.size() < MOST_ANSWERS && answers.add(event) ? Added.NOW : Added.TOO_MANY;
        }
        boolean listed = isListed(event);
        if (!listed || !news.containsKey(IdeEvent.ListsChanged.class)) {
            news.put(about, event);
        }
        if (news.size() > MOST_THINGS) {
            news.values().removeIf(PageNews::isListed);
            news.put(IdeEvent.ListsChanged.class, new IdeEvent.ListsChanged());
        }
        return pausing(clock.getAsLong()) ? Added.LATER : Added.NOW;
    }

    /** The next thing to tell; null when there is none, or none yet. */
    synchronized @Nullable IdeEvent next() {
        IdeEvent answer = answers.poll();
        if (answer != null || news.isEmpty() || pausing(clock.getAsLong())) {
            return answer;
        }
        var all = news.values().iterator();
        IdeEvent first = all.next();
        all.remove();
        if (news.isEmpty()) {
            paused = true;
            pausedUntil = clock.getAsLong() + PAUSE_NANOS;
        }
        return first;
    }

    /**
     * After how long whoever tells has to look again; 0 when an event that comes says so itself. Never 0 while something waits: the pause
     * may have ended just now, after {@link #next} was asked.
     */
    synchronized long pauseMillis() {
        // Asked for each frame: most of the time there is no pause, and no need to look at the clock.
        long now = paused ? clock.getAsLong() : 0;
        if (paused && pausing(now)) {
            return TimeUnit.NANOSECONDS.toMillis(pausedUntil - now) + 1;
        }
        return news.isEmpty() ? 0 : 1;
    }

    private boolean pausing(long now) {
        paused = paused && now - pausedUntil < 0;
        return paused;
    }

    /** Whether it is about one of many things that the page lists. */
    private static boolean isListed(IdeEvent event) {
        return event instanceof IdeEvent.SessionChanged
                || event instanceof IdeEvent.DroneChanged
                || event instanceof IdeEvent.WorkspaceModeChanged;
    }

    /** What an event is the latest news about; null for what has to be said each time. */
    private static @Nullable Object subject(IdeEvent event) {
        return switch (event) {
            case IdeEvent.SessionChanged changed -> changed.sessionId();
            case IdeEvent.DroneChanged changed -> changed.droneId();
            case IdeEvent.ListsChanged _ -> IdeEvent.ListsChanged.class;
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
}
