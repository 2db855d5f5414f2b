package dev.gadget.code.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.session.SessionUpdated;
import dev.gadget.code.store.DurabilityChanged;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.DroneId;
import dev.gadget.model.FailureCode;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkspaceId;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
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
        return new LiveTurn(record, List.of(), saver, new TurnLife(new SimpleMeterRegistry()), TurnFixture.CLOCK);
    }

    private Object call(Method method, Object[] args) throws Throwable {
        if (breaksStore && List.of("putAll", "putBlocks", "replace").contains(method.getName())) {
            ids(args[0]).forEach(this::breakFor);
        }
        if (away && method.getName().equals("putAll")) {
            refused.incrementAndGet();
            throw new StoreException(FailureCode.STORE_UNAVAILABLE, "away");
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
