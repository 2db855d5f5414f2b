package dev.gadget.code.store;

import static dev.gadget.code.store.ArchiveContract.assertFails;
import static dev.gadget.code.store.StoreFixtures.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.session.ChatSession.LastTurn;
import dev.gadget.code.turn.StoredBlock;
import dev.gadget.code.turn.TurnRecord;
import dev.gadget.model.DroneId;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.TurnStatus;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store has to do alike, for turns, their blocks and the locks of sessions. */
abstract class TurnArchiveContract {
    @Inject
    TurnArchive turns;

    @Inject
    SessionArchive sessions;

    final SessionId session = SessionId.random();

    @Test
    void givesBackATurnAsItWasStored() {
        TurnRecord turn = StoreFixtures.turn(session, T0);

        turns.insert(turn);

        assertThat(turns.find(turn.id())).contains(turn);
        assertThat(turns.find(TurnId.random())).isEmpty();
    }

    @Test
    void keepsWhatATurnWasSubmittedWith() {
        TurnRecord turn = StoreFixtures.turn(session, T0).reworded("other words");

        turns.insert(turn);

        assertThat(turn.submitted()).hasSize(64);
        assertThat(turns.find(turn.id())).contains(turn);
    }

    @Test
    void listsTheTurnsOfASessionOldestFirst() {
        TurnRecord second = StoreFixtures.turn(session, T0.plusMillis(1));
        TurnRecord first = StoreFixtures.turn(session, T0);
        turns.insert(second);
        turns.insert(first);
        turns.insert(StoreFixtures.turn(SessionId.random(), T0));

        assertThat(turns.ofSession(session)).containsExactly(first, second);
    }

    @Test
    void outlinesBlocksWithoutWhatTheySay() {
        TurnId turn = TurnId.random();
        StoredBlock said = StoreFixtures.text(0, "a long text");
        StoredBlock called = StoreFixtures.tool(1, Map.of("command", "make"), "much output");
        turns.putBlocks(turn, List.of(said, called));

        List<Block> outlines =
                turns.outlines(turn).stream().map(StoredBlock::block).toList();

        var full = (Block.Tool) called.block();
        assertThat(outlines)
                .containsExactly(
                        new Block.Responding(0, said.block().createdAt(), null, null, ""),
                        new Block.Tool(
                                1,
                                full.createdAt(),
                                full.closedAt(),
                                null,
                                new ToolCall(
                                        full.content().callId(),
                                        full.content().name(),
                                        Map.of(),
                                        full.content().state(),
                                        null,
                                        null,
                                        null,
                                        full.content().startedAt(),
                                        full.content().finishedAt(),
                                        null,
                                        full.content().askedAt()),
                                "call-9"));
    }

    @Test
    void goesThroughASessionFromItsLatestTurnBackwards() {
        List<TurnRecord> written = IntStream.range(0, 5)
                .mapToObj(place -> StoreFixtures.turn(session, T0.plusMillis(place / 2)))
                .toList();
        written.forEach(turns::insert);
        turns.insert(StoreFixtures.turn(SessionId.random(), T0));

        List<TurnRecord> read = new ArrayList<>(turns.latest(session, null, 2));
        for (List<TurnRecord> more = read; !more.isEmpty(); read.addAll(more)) {
            more = turns.latest(session, read.getLast(), 2);
        }

        assertThat(read).isEqualTo(turns.ofSession(session).reversed()).hasSize(5);
    }

    @Test
    void findsTurnsByStatus() {
        TurnRecord running = StoreFixtures.turn(session, T0);
        TurnRecord finished = StoreFixtures.inStatus(StoreFixtures.turn(session, T0), TurnStatus.FINISHED);
        turns.insert(running);
        turns.insert(finished);

        assertThat(turns.inStatus(Set.of(TurnStatus.PROCESSING)))
                .contains(running)
                .doesNotContain(finished);
        assertThat(turns.inStatus(Set.of(TurnStatus.FINISHED, TurnStatus.PROCESSING)))
                .contains(running, finished);
        assertThat(turns.inStatus(Set.of())).isEmpty();
    }

    @Test
    void findsWhatWaitsForADrone() {
        TurnRecord running = StoreFixtures.turn(session, T0);
        TurnRecord over = StoreFixtures.inStatus(StoreFixtures.turn(session, T0), TurnStatus.INTERRUPTED);
        DroneId drone = Objects.requireNonNull(over.droneId());
        TurnRecord away = StoreFixtures.lost(over);
        turns.insert(running);
        turns.insert(over);
        turns.insert(away);

        assertThat(turns.interrupted(drone, 10)).containsExactly(away);
        assertThat(turns.interrupted(drone, 1)).containsExactly(away);
        assertThat(turns.interrupted(Objects.requireNonNull(running.droneId()), 10))
                .isEmpty();
    }

    @Test
    void replacesATurnOnlyUnderItsVersion() {
        TurnRecord turn = StoreFixtures.turn(session, T0);
        turns.insert(turn);

        turns.replace(StoreFixtures.inStatus(turn, TurnStatus.AWAITING_APPROVAL));

        TurnRecord stored = turns.find(turn.id()).orElseThrow();
        assertThat(stored.status()).isEqualTo(TurnStatus.AWAITING_APPROVAL);
        assertThat(stored.version()).isEqualTo(1);
        assertFails(FailureCode.CHANGED_MEANWHILE, () -> turns.replace(turn));
    }

    @Test
    void refusesATurnWithAnOlderFence() {
        TurnRecord turn = StoreFixtures.turn(session, T0);
        turns.insert(turn);

        assertFails(FailureCode.CHANGED_MEANWHILE, () -> turns.replace(fenced(turn, turn.fence() - 1)));
        turns.replace(fenced(turn, turn.fence() + 1));

        assertThat(turns.find(turn.id()).orElseThrow().fence()).isEqualTo(turn.fence() + 1);
    }

    @Test
    void manyTurnsAreStoredInOneGoAndAChangedOneIsSaid() {
        TurnRecord one = StoreFixtures.turn(SessionId.random(), StoreFixtures.T0);
        TurnRecord two = StoreFixtures.turn(SessionId.random(), StoreFixtures.T0);
        turns.insert(one);
        turns.insert(two);
        assertThat(turns.putAll(Map.of(
                        StoreFixtures.inStatus(one, TurnStatus.AWAITING_APPROVAL),
                        List.of(StoreFixtures.text(0, "a"), StoreFixtures.text(1, "b")),
                        two,
                        List.of(StoreFixtures.text(0, "c")))))
                .isTrue();
        assertThat(turns.blocks(one.id())).hasSize(2);
        assertThat(turns.find(one.id())).hasValueSatisfying(stored -> {
            assertThat(stored.status()).isEqualTo(TurnStatus.AWAITING_APPROVAL);
            assertThat(stored.version()).isEqualTo(one.version() + 1);
        });
        TurnRecord current = turns.find(one.id()).orElseThrow();
        assertThat(turns.putAll(Map.of(current, List.of(), two, List.of())))
                .as("the version of the second is an old one")
                .isFalse();
        assertThat(turns.find(one.id()))
                .hasValueSatisfying(stored -> assertThat(stored.version()).isEqualTo(current.version() + 1));
        assertThat(turns.find(two.id()))
                .hasValueSatisfying(stored -> assertThat(stored.version()).isEqualTo(two.version() + 1));
    }

    @Test
    void keepsBlocksInTheirOrder() {
        TurnId turn = TurnId.random();
        List<StoredBlock> written = new ArrayList<>();
        for (int index = 0; index < 120; index++) {
            written.add(StoreFixtures.text(index, "text " + index));
        }
        List<StoredBlock> shuffled = new ArrayList<>(written);
        Collections.shuffle(shuffled, new Random(7));

        turns.putBlocks(turn, shuffled);
        turns.putBlocks(new TurnId(turn.value() + "x"), List.of(StoreFixtures.text(0, "of another turn")));

        assertThat(turns.blocks(turn)).containsExactlyElementsOf(written);
    }

    // S0-52: what later turns are told has nothing of what subagents said, called and summarised.
    @Test
    void givesTheOwnBlocksOfATurnWithoutThoseOfItsSubagents() {
        TurnId turn = TurnId.random();
        StoredBlock first = StoreFixtures.text(0, "I let one look.");
        StoredBlock last = StoreFixtures.text(3, "Found.");
        turns.putBlocks(
                turn,
                List.of(first, StoreFixtures.thinking(1, "hm"), StoreFixtures.tool(2, Map.of(), "printed"), last));

        assertThat(turns.ownBlocks(turn)).containsExactly(first, last);
        assertThat(turns.blocks(turn)).hasSize(4);
    }

    @Test
    void storesABlockAgainWithoutAChangeAndAGrownOneInItsPlace() {
        TurnId turn = TurnId.random();
        StoredBlock thinking = StoreFixtures.thinking(0, "hm");
        turns.putBlocks(turn, List.of(thinking, StoreFixtures.text(1, "Hel")));

        turns.putBlocks(turn, List.of(thinking, StoreFixtures.text(1, "Hello")));
        turns.putBlocks(turn, List.of());

        assertThat(turns.blocks(turn)).containsExactly(thinking, StoreFixtures.text(1, "Hello"));
    }

    // A25: dotted and dollar keys in what a tool was called with, and any text in what it printed.
    @Test
    void keepsToolCallsWithEveryKeyAndCharacter() {
        TurnId turn = TurnId.random();
        Map<String, Object> parameters = Map.of(
                "$where", "1", "a.b", Map.of("$ne", List.of(1, true, "x")), "", "empty key", "depth", Map.of("c.d", 2));
        StoredBlock tool = StoreFixtures.tool(0, parameters, "{\"$set\": 1}\u0000 \ud83d\ude00 \u2028 end");

        turns.putBlocks(turn, List.of(tool));

        assertThat(turns.blocks(turn)).containsExactly(tool);
    }

    @Test
    void refusesABlockThatMongoWouldRefuse() {
        TurnId turn = TurnId.random();
        String huge = "x".repeat(16 << 20);

        assertFails(FailureCode.PAYLOAD_TOO_LARGE, () -> turns.putBlocks(turn, List.of(StoreFixtures.text(0, huge))));

        assertThat(turns.blocks(turn)).isEmpty();
    }

    @Test
    void removesTheTurnsOfASessionWithTheirBlocks() {
        TurnRecord mine = StoreFixtures.turn(session, T0);
        TurnRecord other = StoreFixtures.turn(SessionId.random(), T0);
        turns.insert(mine);
        turns.insert(other);
        turns.putBlocks(mine.id(), List.of(StoreFixtures.text(0, "a"), StoreFixtures.text(1, "b")));
        turns.putBlocks(other.id(), List.of(StoreFixtures.text(0, "stays")));

        turns.deleteOfSession(session);

        assertThat(turns.ofSession(session)).isEmpty();
        assertThat(turns.blocks(mine.id())).isEmpty();
        assertThat(turns.blocks(other.id())).hasSize(1);
    }

    @Test
    void givesTheLockOfASessionToOneTurn() {
        var stored = StoreFixtures.session(UserId.random());
        sessions.insert(stored);
        TurnId first = TurnId.random();
        TurnId second = TurnId.random();

        assertThat(sessions.claim(stored.id(), first)).isTrue();
        assertThat(sessions.claim(stored.id(), first)).isTrue();
        assertThat(sessions.claim(stored.id(), second)).isFalse();
        sessions.release(stored.id(), second);
        assertThat(sessions.claim(stored.id(), second)).isFalse();
        sessions.release(stored.id(), first);
        assertThat(sessions.claim(stored.id(), second)).isTrue();
    }

    @Test
    void keepsHowTheLastTurnOfASessionEnded() {
        var stored = StoreFixtures.session(UserId.random());
        sessions.insert(stored);
        TurnId turn = TurnId.random();
        var ended = new LastTurn(TurnStatus.CANCELLED, T0.plusSeconds(77));
        sessions.claim(stored.id(), turn);

        sessions.release(stored.id(), TurnId.random(), new LastTurn(TurnStatus.FINISHED, T0));
        sessions.release(stored.id(), turn, ended);

        var after = sessions.find(stored.ownerId(), stored.id()).orElseThrow();
        assertThat(after.runningTurnId()).isNull();
        assertThat(after.lastTurn()).isEqualTo(ended);
    }

    // A change that was read before the lock was given must not take it away.
    @Test
    void refusesASessionChangeThatDoesNotKnowOfTheLock() {
        var read = StoreFixtures.session(UserId.random());
        sessions.insert(read);
        TurnId turn = TurnId.random();

        sessions.claim(read.id(), turn);

        assertFails(FailureCode.CHANGED_MEANWHILE, () -> sessions.replace(read));
        assertThat(sessions.find(read.ownerId(), read.id()).orElseThrow().runningTurnId())
                .isEqualTo(turn);
    }

    private static TurnRecord fenced(TurnRecord turn, long fence) {
        return new TurnRecord(
                turn.id(),
                turn.sessionId(),
                turn.ownerId(),
                turn.prompt(),
                turn.status(),
                turn.provider(),
                turn.model(),
                turn.reasoningEffort(),
                turn.workOrderId(),
                turn.droneId(),
                turn.workspaceId(),
                turn.attempt(),
                fence,
                turn.durableSeq(),
                turn.openChars(),
                turn.usage(),
                turn.roundUsages(),
                turn.stats(),
                turn.files(),
                turn.error(),
                turn.createdAt(),
                turn.finishedAt(),
                turn.version());
    }
}
