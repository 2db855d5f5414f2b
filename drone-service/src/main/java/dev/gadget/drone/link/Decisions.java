package dev.gadget.drone.link;

import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.work.WorkEntry;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Where tool calls wait for what a person decides, or are stopped by one, and what the person says for the end of a round. */
final class Decisions implements WorkOrderRunner.Approvals {
    private static final int MAX_KEPT = 256;

    private final ConcurrentHashMap<String, CompletableFuture<WorkOrderRunner.Decision>> waiting =
            new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Runnable> running = new ConcurrentHashMap<>();
    private final SequencedMap<TurnId, String> prompts = new LinkedHashMap<>();
    private final Set<TurnId> taken = new HashSet<>();

    @Override
    public WorkOrderRunner.@Nullable Decision await(String callId, CancelSignal cancel, Duration atMost)
            throws InterruptedException {
        var answer = waiting.computeIfAbsent(callId, _ -> new CompletableFuture<>());
        try (var onCancel = cancel.onCancel(() -> answer.cancel(false))) {
            return answer.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (CancellationException e) {
            return new WorkOrderRunner.Decision(ApprovalDecision.DENY, "the turn was cancelled");
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a decision cannot fail", e);
        } finally {
            waiting.remove(callId);
        }
    }

    /** Passes a decision on; one that comes before its call waits is kept for it, a second one does nothing. */
    void decide(String callId, WorkOrderRunner.Decision decision) {
        if (waiting.size() < MAX_KEPT || waiting.containsKey(callId)) {
            waiting.computeIfAbsent(callId, _ -> new CompletableFuture<>()).complete(decision);
        }
    }

    @Override
    public CancelSignal.Registration onStop(String callId, Runnable stop) {
        running.put(callId, stop);
        return () -> running.remove(callId);
    }

    /** Stops a call that runs, on a thread of its own: ending processes takes its time. Of any other nothing changes. */
    void stopCall(String callId) {
        Runnable stop = running.get(callId);
        if (stop != null) {
            Thread.ofVirtual().name("stop-call").start(stop);
        }
    }

    /** Keeps a prompt for the end of the round, or takes it back; one that was taken, be it before a crash, is not given again. */
    synchronized void steer(TurnId promptId, @Nullable String words) {
        if (words == null) {
            prompts.remove(promptId);
        } else if (!taken.contains(promptId) && (prompts.size() < MAX_KEPT || prompts.containsKey(promptId))) {
            prompts.put(promptId, words);
        }
    }

    /** The line is cut: it would not be heard when one is taken back. At the service they go on waiting. */
    synchronized void forgetPrompts() {
        prompts.clear();
    }

    /** These were given before this process. */
    synchronized void taken(List<WorkEntry> earlier) {
        for (WorkEntry entry : earlier) {
            if (entry instanceof WorkEntry.Prompted prompted) {
                taken.add(prompted.promptId());
                prompts.remove(prompted.promptId());
            }
        }
    }

    @Override
    public synchronized Optional<WorkOrderRunner.Said> nextPrompt() {
        var first = prompts.pollFirstEntry();
        if (first == null) {
            return Optional.empty();
        }
        taken.add(first.getKey());
        return Optional.of(new WorkOrderRunner.Said(first.getKey(), first.getValue()));
    }
}
