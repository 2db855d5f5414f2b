package dev.gadget.drone.agent;

import dev.gadget.model.ToolQueueMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tool calls of one response. Neighbours that may run beside each other do, up to a bound; any other runs alone, after all
 * before it and before all after it. Results come in the order of the calls.
 */
public final class ToolQueue {
    static final int MAX_PARALLEL = 4;

    /**
     * One call.
     *
     * @param parallel whether it may run beside others of its kind
     * @param priority among those that may run beside each other, a higher one starts first
     */
    public record Job<R>(boolean parallel, int priority, Supplier<R> work) {}

    private final ToolQueueMode mode;

    /** In the way that a session wants, in parallel when it does not say. */
    public ToolQueue(@Nullable ToolQueueMode mode) {
        this.mode = Objects.requireNonNullElse(mode, ToolQueueMode.PARALLEL);
    }

    /** Runs all of them; returns when the last has ended. The first thing that one throws is thrown after that. */
    public <R> List<R> run(List<Job<R>> jobs) {
        List<R> results = new ArrayList<>();
        int at = 0;
        while (at < jobs.size()) {
            int end = at;
            while (mode == ToolQueueMode.PARALLEL
                    && end < jobs.size()
                    && jobs.get(end).parallel()) {
                end++;
            }
            if (end - at > 1) {
                results.addAll(together(jobs.subList(at, end)));
                at = end;
            } else {
                results.add(jobs.get(at).work().get());
                at++;
            }
        }
        return results;
    }

    private static <R> List<R> together(List<Job<R>> jobs) {
        List<Future<R>> running =
                new ArrayList<>(jobs.stream().map(job -> (Future<R>) null).toList());
        Semaphore free = new Semaphore(MAX_PARALLEL);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            order.add(i);
        }
        order.sort(
                Comparator.comparingInt((Integer i) -> jobs.get(i).priority()).reversed());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i : order) {
                free.acquireUninterruptibly();
                running.set(i, threads.submit(() -> {
                    try {
                        return jobs.get(i).work().get();
                    } finally {
                        free.release();
                    }
                }));
            }
        }
        return running.stream().map(ToolQueue::result).toList();
    }

    private static <R> R result(Future<R> done) {
        try {
            return done.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while tools run", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
