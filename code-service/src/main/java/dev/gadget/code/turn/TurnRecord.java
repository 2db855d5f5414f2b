package dev.gadget.code.turn;

import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.Sha256;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.RoundUsage;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStats;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A turn as it is stored, without its blocks.
 *
 * @param attempt which attempt at the work order, from 1
 * @param fence the number of the last lease that was given for it; what comes with a lower one is refused
 * @param durableSeq the last entry of the drone whose effect is stored
 * @param roundUsages {@code usage} by rounds, as far as that was kept; turns from before that have none
 * @param files what it changed in its workspace
 * @param createdAt its place among the turns of its session; one that waits can get another
 * @param steered what its drone was told to take into it, and has not taken as far as is stored
 * @param submitted the SHA-256 of the prompt that it was submitted with, in hexadecimal, when it was given other words since
 * @param openChars how much of the last block's text {@code durableSeq} covers while that block is open, else {@link #NOTHING_OPEN}
 */
public record TurnRecord(
        TurnId id,
        SessionId sessionId,
        UserId ownerId,
        String prompt,
        TurnStatus status,
        String provider,
        String model,
        ReasoningEffort reasoningEffort,
        WorkOrderId workOrderId,
        @Nullable DroneId droneId,
        @Nullable WorkspaceId workspaceId,
        int attempt,
        long fence,
        long durableSeq,
        int openChars,
        Usage usage,
        List<RoundUsage> roundUsages,
        TurnStats stats,
        @Nullable TurnFiles files,
        @Nullable Failure error,
        Instant createdAt,
        @Nullable Instant finishedAt,
        List<SteeredPrompt> steered,
        @Nullable String submitted,
        long version) {
    /** The last block, if there is one, is closed or a tool call. */
    public static final int NOTHING_OPEN = -1;

    public TurnRecord {
        roundUsages = List.copyOf(roundUsages);
        steered = List.copyOf(steered);
    }

    /** One into which nothing is on its way, with the words that it was submitted with. */
    public TurnRecord(
            TurnId id,
            SessionId sessionId,
            UserId ownerId,
            String prompt,
            TurnStatus status,
            String provider,
            String model,
            ReasoningEffort reasoningEffort,
            WorkOrderId workOrderId,
            @Nullable DroneId droneId,
            @Nullable WorkspaceId workspaceId,
            int attempt,
            long fence,
            long durableSeq,
            int openChars,
            Usage usage,
            List<RoundUsage> roundUsages,
            TurnStats stats,
            @Nullable TurnFiles files,
            @Nullable Failure error,
            Instant createdAt,
            @Nullable Instant finishedAt,
            long version) {
        this(
                id,
                sessionId,
                ownerId,
                prompt,
                status,
                provider,
                model,
                reasoningEffort,
                workOrderId,
                droneId,
                workspaceId,
                attempt,
                fence,
                durableSeq,
                openChars,
                usage,
                roundUsages,
                stats,
                files,
                error,
                createdAt,
                finishedAt,
                List.of(),
                null,
                version);
    }

    /** Whether it waits for its session or for a drone, and nobody was offered it yet. */
    public boolean waits() {
        return status == TurnStatus.QUEUED && droneId == null;
    }

    /** Whether its drone may still take it up again. A copy, and one that was given up, has nobody who could. */
    boolean mayGoOn() {
        return status == TurnStatus.INTERRUPTED && droneId != null && error != null;
    }

    /** The same with other words. */
    public TurnRecord reworded(String words) {
        return waiting(words, createdAt, submitted == null ? Sha256.of(prompt) : submitted);
    }

    /** Whether these are the words that it was submitted with, whatever it was given since. */
    boolean wasSubmittedWith(String words) {
        return submitted == null ? prompt.equals(words) : submitted.equals(Sha256.of(words));
    }

    /** The same at another place of its session. */
    TurnRecord movedTo(Instant place) {
        return waiting(prompt, place, submitted);
    }

    private TurnRecord waiting(String words, Instant place, @Nullable String first) {
        return new TurnRecord(
                id,
                sessionId,
                ownerId,
                words,
                status,
                provider,
                model,
                reasoningEffort,
                workOrderId,
                droneId,
                workspaceId,
                attempt,
                fence,
                durableSeq,
                openChars,
                usage,
                roundUsages,
                stats,
                files,
                error,
                place,
                finishedAt,
                steered,
                first,
                version);
    }

    /**
     * What was said in it, as a turn of another session: nothing can be undone or taken up again there, because its drone knows the
     * original only.
     */
    public TurnRecord copiedTo(SessionId otherSession, Instant place) {
        return new TurnRecord(
                TurnId.random(),
                otherSession,
                ownerId,
                prompt,
                status,
                provider,
                model,
                reasoningEffort,
                WorkOrderId.random(),
                droneId,
                workspaceId,
                attempt,
                fence,
                durableSeq,
                openChars,
                usage,
                roundUsages,
                stats,
                null,
                // It says that the turn goes on when its drone is back.
                status == TurnStatus.INTERRUPTED ? null : error,
                place,
                finishedAt,
                0);
    }

    /** The same, kept for this drone, with what its session says now. */
    TurnRecord placed(
            String providerName, String modelName, ReasoningEffort effort, DroneId drone, WorkspaceId workspace) {
        return with(providerName, modelName, effort, drone, workspace, attempt, fence, durableSeq, version);
    }

    /** The same under another lease. */
    public TurnRecord leased(@Nullable DroneId drone, @Nullable WorkspaceId workspace, int newAttempt, long newFence) {
        return with(provider, model, reasoningEffort, drone, workspace, newAttempt, newFence, durableSeq, version);
    }

    /** The same, as the store has it up to this entry and in this version. */
    public TurnRecord stored(long storedSeq, long storedVersion) {
        return with(provider, model, reasoningEffort, droneId, workspaceId, attempt, fence, storedSeq, storedVersion);
    }

    private TurnRecord with(
            String newProvider,
            String newModel,
            ReasoningEffort newEffort,
            @Nullable DroneId newDrone,
            @Nullable WorkspaceId newWorkspace,
            int newAttempt,
            long newFence,
            long newDurableSeq,
            long newVersion) {
        return new TurnRecord(
                id,
                sessionId,
                ownerId,
                prompt,
                status,
                newProvider,
                newModel,
                newEffort,
                workOrderId,
                newDrone,
                newWorkspace,
                newAttempt,
                newFence,
                newDurableSeq,
                openChars,
                usage,
                roundUsages,
                stats,
                files,
                error,
                createdAt,
                finishedAt,
                steered,
                submitted,
                newVersion);
    }
}
