package dev.gadget.code.socket;

import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How often pages are told of turns. A screen shows no more than sixty to a hundred and twenty steps a second; when many pages watch, each is
 * told more at a time, so that the frames of all of them stay within what a core can write. While they are few each rests for itself, and
 * the first step after a pause is never held back; from some number on what no page would be told yet is not read either.
 */
@Singleton
public final class Pace {
    private static final int SHORTEST_MILLIS = 8;
    private static final int LONGEST_MILLIS = 30;
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

    /** How long a page rests that was told something; 0 where the rounds of the event loop are the pace. */
    public long restMillis() {
        return roundMillis() > 0 ? 0 : millis();
    }

    /** How long a round of an event loop lasts in which a drone said something of its turn; 0 when each piece is read as it comes. */
    public long roundMillis() {
        long millis = millis();
        return millis < LEAST_TO_GATHER_MILLIS ? 0 : millis;
    }

    private long millis() {
        return Math.clamp(readers.get() / framesPerMilli, SHORTEST_MILLIS, LONGEST_MILLIS);
    }
}
