package dev.gadget.drone.process;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** Starts what is in a sandbox: that ends with the thread that started it, which a virtual thread has none of its own of. */
public final class SandboxThread {
    private SandboxThread() {}

    /**
     * The process, started by a thread that stays until its end.
     *
     * @param first what that thread does as soon as it runs, such as reading what it says
     */
    public static Process start(ProcessBuilder command, Consumer<Process> first) throws IOException {
        var started = new CompletableFuture<Process>();
        Thread.ofPlatform().daemon().name("sandbox").start(() -> run(command, started, first));
        try {
            return started.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        }
    }

    private static void run(ProcessBuilder command, CompletableFuture<Process> started, Consumer<Process> first) {
        Process process;
        try {
            process = command.start();
        } catch (IOException | RuntimeException e) {
            started.completeExceptionally(e);
            return;
        }
        started.complete(process);
        first.accept(process);
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
