package dev.gadget.code.ide;

import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long a page rests after it was sent a step of a turn. A screen shows no more than sixty to a hundred and twenty a second; when many pages watch, each is
 * told more at a time, so that the frames of all of them stay within what a core can write. The first step after a pause is never held
 * back.
 */
@Singleton
final class Pace {
    private static final int SHORTEST_MILLIS = 8;
    private static final int LONGEST_MILLIS = 40;
    private static final int FRAMES_PER_MILLI = 12;

    private final AtomicInteger readers = new AtomicInteger();

    void joined() {
        readers.incrementAndGet();
    }

    void left() {
        readers.decrementAndGet();
    }

    long millis() {
        return Math.clamp(readers.get() / FRAMES_PER_MILLI, SHORTEST_MILLIS, LONGEST_MILLIS);
    }
}
