package dev.gadget.memory;

import org.graalvm.nativeimage.ImageInfo;
import org.graalvm.nativeimage.RuntimeOptions;

/**
 * Gives back to the machine what a native program holds and does not use. Its collector runs only when 48 MiB were allocated since the last
 * time, which a program at rest does not do for hours after its start, and keeps what it freed for the next 48. On a JVM this does nothing.
 */
public final class SpareMemory {
    /** Less is not worth the pause, which is 10 to 40 ms. */
    private static final long WORTH_IT = 8 << 20;

    private static final String MAX_FREE = "MaxHeapFree";
    private static final long HARDLY_ANY = 1 << 20;
    private static final long AS_THE_COLLECTOR_LIKES = 0;

    private long kept;

    /** Collects if enough came since the last time; to be called while nobody waits for anything. */
    public synchronized void giveBack() {
        if (!ImageInfo.inImageRuntimeCode() || used() - kept < WORTH_IT) {
            return;
        }
        RuntimeOptions.set(MAX_FREE, HARDLY_ANY);
        try {
            System.gc();
        } finally {
            // What works again is not to ask the machine for each page of memory after each collection.
            RuntimeOptions.set(MAX_FREE, AS_THE_COLLECTOR_LIKES);
        }
        kept = used();
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
