package dev.gadget.code.system;

import dev.gadget.code.account.AttemptLimiter;
import dev.gadget.code.drone.DroneRoster;
import dev.gadget.code.store.StoreState;
import dev.gadget.code.turn.LiveTurn;
import dev.gadget.code.turn.LiveTurns;
import dev.gadget.code.turn.TurnSaver;
import dev.gadget.model.api.SystemApi.DoorKind;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.turn.TurnStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** What an operator watches, told when it is asked for: nothing is counted here that somebody else knows. */
@ApplicationScoped
class ServiceGauges {
    private final MeterRegistry meters;
    private final LiveTurns turns;
    /** The registry itself does not hold on to what it asks. */
    private final List<Supplier<Number>> counted = new ArrayList<>();

    ServiceGauges(MeterRegistry meters, LiveTurns turns) {
        this.meters = meters;
        this.turns = turns;
    }

    void program(@Observes StartupEvent started, @ConfigProperty(name = "quarkus.application.version") String version) {
        Gauge.builder("gadget.build", () -> 1)
                .description("Always 1; the version is in the label")
                .tag("version", version)
                .register(meters);
    }

    void connections(@Observes StartupEvent started, @All List<Door> doors, DroneRoster drones) {
        for (DoorKind kind : DoorKind.values()) {
            gauge(
                    "gadget.connections",
                    "Who is connected, by door",
                    () -> doors.stream()
                            .map(Door::inUse)
                            .filter(door -> door.door() == kind)
                            .mapToInt(door -> door.readers())
                            .sum(),
                    "door",
                    kind);
        }
        Stream.of(DroneStatus.STARTING, DroneStatus.AVAILABLE, DroneStatus.BUSY)
                .forEach(status -> gauge(
                        "gadget.drones",
                        "Drones that are connected",
                        () -> drones.connected().stream()
                                .filter(drone -> drone.status() == status)
                                .count(),
                        "status",
                        status));
    }

    void turns(@Observes StartupEvent started, TurnSaver saver) {
        Arrays.stream(TurnStatus.values())
                .filter(status -> !status.ended())
                .forEach(status -> gauge(
                        "gadget.turns",
                        "Turns that have not ended",
                        () -> turns.all().stream()
                                .filter(turn -> turn.status() == status)
                                .count(),
                        "status",
                        status));
        Gauge.builder("gadget.prompts.waiting", () -> turns.counts().waiting())
                .description("Prompts that wait for their session or for a drone")
                .register(meters);
        Gauge.builder("gadget.unsaved.turns", saver::unsaved)
                .description("Turns that the store did not take when it was tried")
                .register(meters);
        Gauge.builder(
                        "gadget.unsaved.entries",
                        () -> turns.all().stream()
                                .mapToLong(LiveTurn::unsavedEntries)
                                .sum())
                .description("What drones said that is not stored yet, so that they keep it; running text is, too")
                .register(meters);
        Gauge.builder(
                        "gadget.unsaved.seconds",
                        () -> turns.all().stream()
                                .mapToDouble(LiveTurn::unsavedSeconds)
                                .max()
                                .orElse(0))
                .description("How long the oldest waits that is to be stored")
                .register(meters);
        counter("gadget.turn.writes", "Writes of turns, several in one where they come together", saver::writes);
        counter("gadget.turn.writes.failed", "Writes of turns that failed and are tried again", saver::failures);
    }

    void store(@Observes StartupEvent started, StoreState store, AttemptLimiter attempts) {
        counter("gadget.store.calls", "Calls of the store, reads and writes", store::calls);
        counter("gadget.store.failures", "Calls that the store did not answer as it should", store::failures);
        counter(
                "gadget.attempts.refused",
                "Sign-ins and enrolments that were not even tried, after too many wrong ones",
                attempts::refusals);
    }

    private void gauge(String name, String about, Supplier<Number> value, String label, Enum<?> of) {
        Gauge.builder(name, value)
                .description(about)
                .tag(label, of.name().toLowerCase(Locale.ROOT))
                .register(meters);
    }

    private void counter(String name, String about, Supplier<Number> value) {
        counted.add(value);
        FunctionCounter.builder(name, value, count -> count.get().doubleValue())
                .description(about)
                .register(meters);
    }
}
