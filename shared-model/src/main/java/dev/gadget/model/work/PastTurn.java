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
 * @param leftOut true when there was more than an order can carry: what came before these blocks is left out; not when absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PastTurn(
        TurnId turnId,
        String prompt,
        TurnStatus status,
        List<Block> blocks,
        @Nullable Boolean leftOut) {
    public PastTurn {
        blocks = List.copyOf(blocks);
    }

    /** A turn before which nothing is left out. */
    public PastTurn(TurnId turnId, String prompt, TurnStatus status, List<Block> blocks) {
        this(turnId, prompt, status, blocks, null);
    }
}
