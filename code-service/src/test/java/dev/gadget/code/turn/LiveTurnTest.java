package dev.gadget.code.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.store.TurnArchive;
import dev.gadget.code.turn.LiveTurn.Reported;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.work.WorkEntry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
class LiveTurnTest {
    @Inject
    LiveTurns live;

    @Inject
    TurnArchive archive;

    private static WorkEntry said(long seq, String text) {
        return new WorkEntry.Response(seq, null, text);
    }

    @Test
    @DisplayName("F21: what a thawed drone says over its old connection is not taken as heard, and comes again")
    void interruptedTakesNothing() {
        TurnRecord record = TurnFixture.fresh();
        archive.insert(record);
        LiveTurn turn = live.begin(record);
        turn.lease(DroneId.random(), WorkspaceId.random(), 1, 1);
        assertThat(turn.report(1, 1, List.of(said(1, "one ")))).isInstanceOf(Reported.Taken.class);
        turn.interrupt(new Failure(FailureCode.DRONE_LOST, "away"));
        assertThat(turn.report(1, 1, List.of(said(2, "two ")))).isInstanceOf(Reported.Away.class);
        assertThat(turn.appliedSeq()).isEqualTo(1);
        turn.reopen();
        assertThat(turn.report(1, 1, List.of(said(2, "two "), said(3, "three"))))
                .isInstanceOf(Reported.Taken.class);
        assertThat(turn.toTurn().blocks())
                .singleElement()
                .isInstanceOfSatisfying(
                        Block.Responding.class,
                        block -> assertThat(block.content()).isEqualTo("one two three"));
    }
}
