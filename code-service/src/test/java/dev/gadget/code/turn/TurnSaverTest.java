package dev.gadget.code.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.session.SessionUpdated;
import dev.gadget.code.store.DurabilityChanged;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.WorkEntry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("Whoever stores turns goes on with the others when one breaks it")
class TurnSaverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Inject
    TurnArchive archive;

    @Inject
    SessionArchive sessions;

    @Inject
    Event<DurabilityChanged> durability;

    @Inject
    Event<SessionUpdated> updated;

    @Inject
    Event<PromptTaken> taken;

    private LiveTurn broken;
    private LiveTurn other;
    private TurnSaver saver;
    private volatile boolean well;
    private boolean breaksStore;
    private volatile boolean away;
    private volatile @Nullable TurnId takesNothing;
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong written = new AtomicLong();

    @BeforeEach
    void twoTurns() {
        var store = (TurnArchive) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {TurnArchive.class},
                (_, method, args) -> call(method, args));
        saver = new TurnSaver(
                store,
                sessions,
                (turn, _, _) -> {
                    if (!breaksStore) {
                        breakFor(turn.id());
                    }
                },
                durability,
                updated,
                taken);
        broken = turn();
        other = turn();
    }

    private LiveTurn turn() {
        TurnRecord record = TurnFixture.fresh();
        archive.insert(record);
        return new LiveTurn(
                record,
                List.of(),
                saver,
                new TurnLife(new SimpleMeterRegistry()),
                TurnLimits.STANDARD,
                TurnFixture.CLOCK);
    }

    private Object call(Method method, Object[] args) throws Throwable {
        if (breaksStore && List.of("putAll", "putBlocks", "replace").contains(method.getName())) {
            ids(args[0]).forEach(this::breakFor);
        }
        if (away && method.getName().equals("putAll")) {
            refused.incrementAndGet();
            throw new StoreException(FailureCode.STORE_UNAVAILABLE, "away");
        }
        if (List.of("putAll", "replace").contains(method.getName())
                && ids(args[0]).anyMatch(id -> id.equals(takesNothing))) {
            throw new StoreException(FailureCode.INVALID_FIELD, "refused");
        }
        try {
            Object result = method.invoke(archive, args);
            if (method.getName().equals("putAll") && Boolean.TRUE.equals(result)) {
                written.incrementAndGet();
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Stream<TurnId> ids(Object argument) {
        return switch (argument) {
            case Map<?, ?> turns -> turns.keySet().stream().flatMap(TurnSaverTest::ids);
            case TurnRecord turn -> Stream.of(turn.id());
            case TurnId id -> Stream.of(id);
            default -> Stream.empty();
        };
    }

    private void breakFor(TurnId id) {
        if (!well && id.equals(broken.id())) {
            throw new StackOverflowError("made by the test");
        }
    }

    private static void change(LiveTurn turn) {
        turn.lease(DroneId.random(), WorkspaceId.random(), 1, turn.fence() + 1);
    }

    private void othersAreStored() throws InterruptedException {
        change(broken);
        change(other);
        assertThat(other.awaitStored(PATIENCE)).isTrue();
        assertThat(archive.find(other.id()).orElseThrow().fence()).isEqualTo(2);
        assertThat(broken.awaitStored(Duration.ofMillis(300))).isFalse();
        assertThat(saver.unsaved()).isEqualTo(1);
        assertThat(broken.unsavedSeconds()).isPositive();
        change(other);
        assertThat(other.awaitStored(PATIENCE)).isTrue();
        well = true;
        assertThat(broken.awaitStored(PATIENCE)).isTrue();
        assertThat(archive.find(broken.id()).orElseThrow().fence()).isEqualTo(2);
        assertThat(saver.saved()).isTrue();
        assertThat(broken.unsavedSeconds()).isZero();
        change(broken);
        assertThat(broken.awaitStored(PATIENCE)).isTrue();
    }

    @Test
    @DisplayName(
            "writes are counted when the store took them, and those that it did not once each, however many turns were in them")
    void counts() throws Exception {
        well = true;
        away = true;
        change(broken);
        change(other);
        assertThat(other.awaitStored(Duration.ofMillis(500))).isFalse();
        assertThat(saver.writes()).isZero();
        away = false;
        assertThat(other.awaitStored(PATIENCE)).isTrue();
        assertThat(broken.awaitStored(PATIENCE)).isTrue();

        assertThat(saver.failures()).isEqualTo(refused.get()).isPositive();
        assertThat(saver.writes()).isEqualTo(written.get()).isPositive();
    }

    @Test
    @DisplayName(
            "F10: a block that the store never takes ends its turn in words, with a note in its place; nobody waits for it")
    void refusedForGood() throws Exception {
        well = true;
        String long_ = "x".repeat(9 << 20);
        change(broken);
        broken.report(
                1,
                2,
                List.of(
                        new WorkEntry.RoundStarted(1, 1),
                        new WorkEntry.Response(2, null, "Before it."),
                        new WorkEntry.ToolCalled(3, "c1", "write_file", Map.of("content", long_)),
                        new WorkEntry.ToolStarted(4, "c1", null),
                        new WorkEntry.ToolEnded(5, "c1", ToolCallState.DONE, long_)));
        change(other);
        assertThat(other.awaitStored(PATIENCE)).isTrue();
        assertThat(broken.awaitStored(PATIENCE)).isTrue();

        assertThat(saver.saved()).isTrue();
        TurnRecord stored = archive.find(broken.id()).orElseThrow();
        assertThat(stored.status()).isEqualTo(TurnStatus.FAILED);
        Failure why = Objects.requireNonNull(stored.error());
        assertThat(why.code()).isEqualTo(FailureCode.PAYLOAD_TOO_LARGE);
        assertThat(why.message()).contains("does not take a part of this turn", "prompt again");
        assertThat(archive.blocks(broken.id()))
                .extracting(StoredBlock::block)
                .isEqualTo(broken.toTurn().blocks())
                .satisfiesExactly(
                        said -> assertThat(((Block.Responding) said).content()).isEqualTo("Before it."), call -> {
                            ToolCall content = ((Block.Tool) call).content();
                            assertThat(content.name()).isEqualTo("write_file");
                            assertThat(content.parameters()).isEmpty();
                            assertThat(content.response()).startsWith("[This part is not kept: ");
                        });
        assertThat(broken.report(1, 2, List.of(new WorkEntry.Response(6, null, "late"))))
                .as("its drone is to let it go")
                .isInstanceOf(LiveTurn.Reported.Outdated.class);
    }

    @Test
    @DisplayName("F10: a turn of which the store takes nothing is given up, and not tried for ever")
    void recordRefused() throws Exception {
        well = true;
        takesNothing = broken.id();
        change(broken);
        change(other);
        assertThat(other.awaitStored(PATIENCE)).isTrue();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!broken.dropped() || !saver.saved()) {
            assertThat(System.nanoTime()).as("it is still tried").isLessThan(end);
            Thread.sleep(20);
        }
        assertThat(broken.status()).isEqualTo(TurnStatus.FAILED);
    }

    @Test
    @DisplayName("an Error of the store")
    void store() throws Exception {
        breaksStore = true;
        othersAreStored();
    }

    @Test
    @DisplayName("an Error of whoever hears that a turn is stored")
    void listener() throws Exception {
        othersAreStored();
    }
}
