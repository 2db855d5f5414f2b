package dev.gadget.drone.link;

import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.model.turn.ApprovalDecision;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Where tool calls wait for what a person decides. */
final class Decisions implements WorkOrderRunner.Approvals {
    private static final int MAX_KEPT = 256;

    private final ConcurrentHashMap<String, CompletableFuture<WorkOrderRunner.Decision>> waiting =
            new ConcurrentHashMap<>();

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
}
