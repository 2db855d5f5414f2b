package dev.gadget.model.work;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.TurnStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An earlier turn of the session, from which the drone rebuilds what the model knows.
 *
 * @param rounds the model response that each of the blocks belongs to, in their order; unknown when absent
 * @param leftOut true when there was more than an order can carry: what came before these blocks is left out; not when absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PastTurn(
        TurnId turnId,
        String prompt,
        TurnStatus status,
        List<Block> blocks,
        @Nullable List<Integer> rounds,
        @Nullable Boolean leftOut) {
    public PastTurn {
        blocks = List.copyOf(blocks);
        rounds = rounds == null ? null : List.copyOf(rounds);
        if (rounds != null && rounds.size() != blocks.size()) {
            throw new IllegalArgumentException(blocks.size() + " blocks are of " + rounds.size() + " rounds");
        }
    }

    /** A turn before which nothing is left out. */
    public PastTurn(TurnId turnId, String prompt, TurnStatus status, List<Block> blocks) {
        this(turnId, prompt, status, blocks, null, null);
    }
}
