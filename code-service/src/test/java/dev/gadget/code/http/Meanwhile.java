package dev.gadget.code.http;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Asks the service while the test goes on, on a thread of its own: the common pool of a small machine has one for all who wait, and that
 * may have begun under another application of the tests, whose classes it finds.
 */
public final class Meanwhile {
    private Meanwhile() {}

    public static <T> CompletableFuture<T> ask(Supplier<T> question) {
        return new CompletableFuture<T>()
                .completeAsync(question, task -> Thread.ofPlatform().daemon().start(task));
    }
}
