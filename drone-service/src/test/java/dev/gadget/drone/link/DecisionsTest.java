package dev.gadget.drone.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.model.TurnId;
import dev.gadget.model.work.WorkEntry;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a person says for the end of a round. */
class DecisionsTest {
    private static final TurnId ONE = new TurnId("one");
    private static final TurnId TWO = new TurnId("two");

    private final Decisions decisions = new Decisions();

    @Test
    @DisplayName("is given once, in its order, with its latest words; what was taken back is not")
    void latestWords() {
        decisions.steer(ONE, "first");
        decisions.steer(TWO, "second");
        decisions.steer(ONE, "premier");
        assertThat(decisions.nextPrompt()).contains(new WorkOrderRunner.Said(ONE, "premier"));
        decisions.steer(ONE, "first");
        decisions.steer(TWO, null);
        assertThat(decisions.nextPrompt()).isEmpty();
    }

    @Test
    @DisplayName("is not given again when the journal of the turn has it")
    void journaled() {
        decisions.steer(TWO, "second");
        decisions.taken(List.of(new WorkEntry.Prompted(7, ONE, "first"), new WorkEntry.Prompted(8, TWO, "second")));
        decisions.steer(ONE, "first");
        assertThat(decisions.nextPrompt()).isEmpty();
    }
}
