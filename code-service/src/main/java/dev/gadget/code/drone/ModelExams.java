package dev.gadget.code.drone;

import dev.gadget.code.RefusedException;
import dev.gadget.code.http.Checks;
import dev.gadget.code.provider.ExaminedModel;
import dev.gadget.code.provider.Providers;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.ProviderApi.ExamStatus;
import dev.gadget.model.api.ProviderApi.StartExam;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.work.ProviderSpec;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Has drones examine models for their person: one exam a drone at a time, of which the last is known while the service runs. */
@ApplicationScoped
class ModelExams {
    private static final Logger LOG = Logger.getLogger(ModelExams.class);
    private static final int MAX_MODEL = 200;
    private static final int MAX_TEXT = 500;

    private final ConcurrentHashMap<DroneId, Exam> last = new ConcurrentHashMap<>();
    private final DroneConnections connections;
    private final Providers providers;
    private final Clock clock = Clock.systemUTC();

    ModelExams(DroneConnections connections, Providers providers) {
        this.connections = connections;
        this.providers = providers;
    }

    Exam start(UserId owner, ProviderId provider, StartExam wanted) {
        providers.get(owner, provider);
        ProviderSpec spec = providers.spec(owner, provider);
        String model = Checks.line("model", wanted.model(), MAX_MODEL);
        DroneConnection drone = free(owner, wanted.droneId());
        Exam begun = new Exam(
                UUID.randomUUID().toString(),
                owner,
                provider,
                spec.baseUrl(),
                model,
                drone,
                clock.instant(),
                ExamStatus.RUNNING,
                0,
                1,
                "",
                null,
                null);
        Exam kept = last.compute(drone.id(), (_, other) -> other == null || !runs(other) ? begun : other);
        if (kept != begun) {
            throw busy();
        }
        drone.send(new DroneCommand.ExamineModel(begun.id(), spec, model, Exam.MAX_SECONDS));
        return begun;
    }

    private DroneConnection free(UserId owner, @Nullable DroneId wanted) {
        List<DroneConnection> connected = connections.ofOwner(owner).stream()
                .filter(one -> wanted == null || one.id().equals(wanted))
                .toList();
        if (connected.isEmpty()) {
            throw new RefusedException(
                    FailureCode.NO_DRONE,
                    wanted == null
                            ? "No drone of yours is connected. Start one with 'gadget-drone run': it examines the model."
                            : "That drone is not connected. Start it with 'gadget-drone run', or choose another one.");
        }
        return connected.stream()
                .filter(one -> connections.status(one.id()) == DroneStatus.AVAILABLE)
                .filter(one -> {
                    Exam exam = last.get(one.id());
                    return exam == null || !runs(exam);
                })
                .findFirst()
                .orElseThrow(ModelExams::busy);
    }

    private static RefusedException busy() {
        return new RefusedException(
                FailureCode.DRONE_BUSY,
                "Every connected drone of yours works on a turn or examines a model. Try again when one is done.");
    }

    private boolean runs(Exam exam) {
        return exam.at(clock.instant()).running();
    }

    Exam look(UserId owner, ProviderId provider, String id) {
        return last.values().stream()
                .filter(exam -> exam.id().equals(id)
                        && exam.owner().equals(owner)
                        && exam.provider().equals(provider))
                .map(exam -> exam.at(clock.instant()))
                .findFirst()
                .orElseThrow(() -> new RefusedException(
                        FailureCode.NOT_FOUND, "There is no exam " + id + " (any more). Examine the model again."));
    }

    void cancel(UserId owner, ProviderId provider, String id) {
        Exam exam = look(owner, provider, id);
        if (exam.running()) {
            exam.by().send(new DroneCommand.CancelExam(id));
        }
    }

    void progressed(DroneConnection from, DroneEvent.ExamProgressed said) {
        change(from, said.requestId(), exam -> exam.progressed(said.done(), said.of(), cut(said.text())));
    }

    void examined(DroneConnection from, DroneEvent.ModelExamined said) {
        Exam exam = last.get(from.id());
        if (exam == null || exam.by() != from || !exam.id().equals(said.requestId()) || !exam.running()) {
            return;
        }
        ModelProfile profile = said.profile();
        Failure failure = profile == null ? said.failure() : stored(exam, profile);
        change(from, exam.id(), one -> {
            if (failure != null) {
                return one.failed(new Failure(failure.code(), cut(failure.message())));
            }
            return profile == null
                    ? one.failed(new Failure(FailureCode.INTERNAL, "The drone said neither a profile nor why not."))
                    : one.passed(profile);
        });
    }

    /** Null when it is stored, else why it is not. */
    private @Nullable Failure stored(Exam exam, ModelProfile profile) {
        try {
            boolean kept = providers.examined(
                    new ExaminedModel(exam.owner(), exam.provider(), exam.model(), profile), exam.baseUrl());
            return kept
                    ? null
                    : new Failure(
                            FailureCode.CHANGED_MEANWHILE,
                            "The provider was changed while its model was examined. Examine it again.");
        } catch (StoreException unavailable) {
            LOG.warnf("the profile of a model is not stored: %s", unavailable.getMessage());
            return new Failure(unavailable.code(), "The profile could not be stored. Examine the model again.");
        }
    }

    /** Its connection is over; nothing more is said of what it examined. */
    void left(DroneConnection gone) {
        Exam exam = last.get(gone.id());
        if (exam != null) {
            change(
                    gone,
                    exam.id(),
                    one -> one.failed(new Failure(
                            FailureCode.DRONE_LOST, "The drone went away. Examine the model again when it is back.")));
        }
    }

    private void change(DroneConnection from, String id, UnaryOperator<Exam> change) {
        last.computeIfPresent(
                from.id(),
                (_, exam) -> exam.by() == from && exam.id().equals(id) && exam.running() ? change.apply(exam) : exam);
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }
}
