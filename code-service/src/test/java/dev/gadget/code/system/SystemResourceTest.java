package dev.gadget.code.system;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.drone.DroneRoster;
import dev.gadget.code.drone.SimulatedDrone;
import dev.gadget.code.store.ProcessArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.StoreFixtures;
import dev.gadget.code.store.StoreState;
import dev.gadget.code.turn.LiveTurns;
import dev.gadget.code.turn.TurnSaver;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.api.SystemApi.StoreKind;
import dev.gadget.model.api.SystemApi.SystemView;
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduler;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("How the service is, for administrators")
class SystemResourceTest {
    private static final String SYSTEM = "/api/v1/admin/system";

    @Inject
    TestPeople people;

    @Inject
    ObjectMapper mapper;

    @Inject
    ProcessArchive archive;

    @Inject
    StoreState store;

    @Inject
    LiveTurns turns;

    @Inject
    TurnSaver saver;

    @Inject
    @All
    List<Door> doors;

    @Inject
    DroneRoster roster;

    @Inject
    Scheduler scheduler;

    @ConfigProperty(name = "quarkus.application.version")
    String version = "";

    /** What notes itself meanwhile clears away what the tests put there. */
    @BeforeEach
    void nothingByItself() {
        scheduler.pause();
    }

    @AfterEach
    void asBefore() {
        scheduler.resume();
    }

    @Test
    @DisplayName("who does not administer does not see it")
    void onlyAdministrators() {
        people.member().request().get(SYSTEM).then().statusCode(403);
        given().get(SYSTEM).then().statusCode(401);
    }

    @Test
    @DisplayName("it tells of the program, the store, the doors and every drone that is connected")
    void tells() throws Exception {
        TestPeople.Person administrator = people.administrator();
        try (var drone = new SimulatedDrone(mapper, people.member())) {
            administrator
                    .request()
                    .get(SYSTEM)
                    .then()
                    .statusCode(200)
                    .body("service.protocolVersion", equalTo(Protocol.VERSION))
                    .body("service.version", notNullValue())
                    .body("service.startedAt", notNullValue())
                    .body("service.load.processors", greaterThan(0))
                    .body("service.load.loadAverage", greaterThanOrEqualTo(0.0f))
                    .body("memory.usedBytes", greaterThan(0))
                    .body("store.kind", equalTo("embedded"))
                    .body("store.trouble", nullValue())
                    .body("store.saved", equalTo(true))
                    .body("store.unsavedTurns", equalTo(0))
                    .body("turns.running", greaterThanOrEqualTo(0))
                    .body("doors.door", contains("websocket", "events", "polling", "terminal", "drone"))
                    .body("doors[4].readers", greaterThanOrEqualTo(1))
                    .body("drones.id", hasItem(drone.id().value()))
                    .body("processes[0].answers", equalTo(true))
                    .body("processes[0].silent", equalTo(false))
                    .body("processes[0].version", equalTo(version))
                    .body("processes[0].host", notNullValue())
                    .body("processes[0].saved", equalTo(true))
                    .body("processes[0].memory.usedBytes", greaterThan(0))
                    .body("processes[0].doors[4].readers", greaterThanOrEqualTo(1))
                    .body("drones.workspaceDir", not(hasItem(notNullValue())));
        }
    }

    @Test
    @DisplayName(
            "it tells of the other processes at the store, as they noted themselves, and which of them fell silent")
    void tellsOfTheOthers() {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        ServiceProcess other = StoreFixtures.process(now.minusSeconds(40), now.minusSeconds(20));
        ServiceProcess silent = StoreFixtures.process(now.minusSeconds(500), now.minusSeconds(61));
        archive.put(silent);
        archive.put(other);
        try {
            String one = "processes.find { it.id == '" + other.id() + "' }.";
            people.administrator()
                    .request()
                    .get(SYSTEM)
                    .then()
                    .body("processes.findAll { it.answers }.size()", equalTo(1))
                    .body("processes[0].answers", equalTo(true))
                    .body("processes.id", contains(notNullValue(), equalTo(silent.id()), equalTo(other.id())))
                    .body("processes.silent", contains(false, true, false))
                    .body(one + "host", equalTo(other.host()))
                    .body(one + "version", equalTo(other.version()))
                    .body(one + "seenAt", equalTo(other.seenAt().toString()))
                    .body(one + "turns.waiting", equalTo(other.turns().waiting()))
                    .body(one + "saved", equalTo(false))
                    .body(one + "unsavedTurns", equalTo(other.unsavedTurns()))
                    .body(one + "doors.readers", contains(11, 12));
        } finally {
            archive.remove(other.id());
            archive.remove(silent.id());
        }
    }

    @Test
    @DisplayName(
            "a process notes itself, clears away what was there before it in a store that only it can have, and leaves no note at its end")
    void notesItself() {
        Instant now = Instant.now();
        archive.put(StoreFixtures.process(now.minusSeconds(9), now.minusSeconds(9)));
        var mine = new Processes(archive, store, turns, saver, doors, "1.2.3");

        mine.note();

        assertThat(archive.list())
                .extracting(ServiceProcess::version)
                .contains("1.2.3")
                .doesNotContain("0.9");
        mine.onStop(new ShutdownEvent());
        mine.note();
        assertThat(archive.list()).extracting(ServiceProcess::version).doesNotContain("1.2.3");
    }

    /** The store with something before each of its calls. */
    private Processes at(Consumer<String> before) {
        var watched = (ProcessArchive) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ProcessArchive.class}, (_, method, given) -> {
                    before.accept(method.getName());
                    return method.invoke(archive, given);
                });
        return new Processes(watched, store, turns, saver, doors, "1.2.4");
    }

    @Test
    @DisplayName("a stop does not wait for a note that the store is just given, nor asks it for more")
    void stopsWhileItIsNoted() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        var begun = new CountDownLatch(1);
        var frozen = new CountDownLatch(1);
        Processes mine = at(call -> {
            asked.add(call);
            if (call.equals("put")) {
                begun.countDown();
                await(frozen);
            }
        });
        Thread noting = Thread.ofVirtual().start(mine::note);
        await(begun);

        mine.onStop(new ShutdownEvent());

        assertThat(noting.isAlive()).isTrue();
        assertThat(asked).containsExactly("removeSeenBefore", "put");
        frozen.countDown();
        noting.join();
        archive.list().stream()
                .filter(process -> process.version().equals("1.2.4"))
                .forEach(process -> archive.remove(process.id()));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName(
            "a sweep that failed is done with the next note, and at the end a store that did not take the last note is not asked")
    void storeAway() {
        List<String> asked = new ArrayList<>();
        Processes mine = at(call -> {
            asked.add(call);
            throw new StoreException(FailureCode.STORE_UNAVAILABLE, "away");
        });

        mine.note();
        mine.note();
        mine.onStop(new ShutdownEvent());

        assertThat(asked).containsExactly("removeSeenBefore", "removeSeenBefore");
    }

    @Test
    @DisplayName("while the store is in trouble it is not asked for the other processes")
    void tellsOfItselfOnly() {
        List<String> asked = new ArrayList<>();
        Processes mine = at(asked::add);

        SystemView view = new SystemResource(new InTrouble(), roster, mine).get();

        assertThat(view.store().trouble()).isEqualTo("It does not answer.");
        assertThat(view.processes()).hasSize(1);
        assertThat(view.processes().getFirst().answers()).isTrue();
        assertThat(asked).isEmpty();
    }

    private record InTrouble() implements StoreState {
        @Override
        public StoreKind kind() {
            return StoreKind.MONGODB;
        }

        @Override
        public Optional<String> trouble() {
            return Optional.of("It does not answer.");
        }

        @Override
        public long calls() {
            return 0;
        }

        @Override
        public long failures() {
            return 0;
        }
    }
}
