package dev.gadget.code.socket;

import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long a page rests after it was sent a step of a turn. A screen shows no more than sixty to a hundred and twenty a second; when many pages watch, each is
 * told more at a time, so that the frames of all of them stay within what a core can write. The first step after a pause is never held
 * back. What no page would be told yet need not be read either.
 */
@Singleton
public final class Pace {
    private static final int SHORTEST_MILLIS = 8;
    private static final int LONGEST_MILLIS = 40;
    private static final int FRAMES_PER_MILLI_AND_LOOP = 12;
    /** Fewer than two tokens come in a shorter time, so that nothing is saved by waiting for them. */
    private static final int LEAST_TO_GATHER_MILLIS = 20;

    private final AtomicInteger readers = new AtomicInteger();
    private final int framesPerMilli;

    Pace(EventLoops loops) {
        framesPerMilli = FRAMES_PER_MILLI_AND_LOOP * loops.count();
    }

    public void joined() {
        readers.incrementAndGet();
    }

    public void left() {
        readers.decrementAndGet();
    }

    /** How long a page rests that was told something. */
    public long millis() {
        return Math.clamp(readers.get() / framesPerMilli, SHORTEST_MILLIS, LONGEST_MILLIS);
    }

    /** How long a drone that said something of its turn need not be listened to; 0 when each piece is read as it comes. */
    public long gatherMillis() {
        long rest = millis();
        return rest < LEAST_TO_GATHER_MILLIS ? 0 : rest;
    }
}
