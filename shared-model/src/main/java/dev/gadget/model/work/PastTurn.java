package dev.gadget.model.work;

import dev.gadget.model.TurnId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.TurnStatus;
import java.util.List;

/** An earlier turn of the session, from which the drone rebuilds what the model knows. */
public record PastTurn(TurnId turnId, String prompt, TurnStatus status, List<Block> blocks) {
    public PastTurn {
        blocks = List.copyOf(blocks);
    }
}
