package dev.gadget.code.turn;

import dev.gadget.model.turn.Block;
import org.jspecify.annotations.Nullable;

/**
 * A block as it is stored: {@code _id = turnId:index}, so that storing it twice changes nothing.
 *
 * @param firstSeq the first entry of the drone that it covers
 * @param lastSeq the last one so far
 * @param round the model response that it belongs to, from 1; of a subagent's block the one of that subagent
 * @param decision what a person decided on the call that it is, while that waits
 */
public record StoredBlock(
        Block block,
        long firstSeq,
        long lastSeq,
        int round,
        @Nullable ToolDecision decision) {
    /** One that nothing was decided on. */
    public StoredBlock(Block block, long firstSeq, long lastSeq, int round) {
        this(block, firstSeq, lastSeq, round, null);
    }
}
