package dev.gadget.code.drone;

import dev.gadget.code.RefusedException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Asks a drone something and waits for its answer. */
@ApplicationScoped
class DroneQuestions {
    private final ConcurrentHashMap<String, Question> questions = new ConcurrentHashMap<>();

    /** What a drone was asked, and by which connection alone it may answer. */
    private record Question(DroneConnection of, CompletableFuture<DroneEvent> answer) {}

    /** Asks, with a request id that the answer has to carry; refused as {@code drone_lost} when none comes in time. */
    <E extends DroneEvent> E ask(
            DroneConnection connection, Function<String, DroneCommand> question, Class<E> kind, Duration within) {
        String request = UUID.randomUUID().toString();
        var answer = new CompletableFuture<DroneEvent>();
        questions.put(request, new Question(connection, answer));
        try {
            connection.send(question.apply(request));
            return kind.cast(answer.get(within.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw silent();
        } catch (TimeoutException | ExecutionException | ClassCastException e) {
            throw silent();
        } finally {
            questions.remove(request);
        }
    }

    private static RefusedException silent() {
        return new RefusedException(FailureCode.DRONE_LOST, "The drone of this workspace does not answer. Try again.");
    }

    void answered(DroneConnection from, String request, DroneEvent answer) {
        Question question = questions.get(request);
        if (question != null && question.of() == from) {
            question.answer().complete(answer);
        }
    }
}
