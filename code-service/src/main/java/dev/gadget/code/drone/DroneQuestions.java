package dev.gadget.code.drone;

import dev.gadget.code.RefusedException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Asks a drone something, and waits for the answer with the same id. */
@ApplicationScoped
class DroneQuestions {
    private final ConcurrentHashMap<String, Question> questions = new ConcurrentHashMap<>();

    /** What a drone was asked, and by which connection alone it may answer; touched by that connection's thread. */
    private static final class Question {
        private final DroneConnection of;
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();

        private Question(DroneConnection of) {
            this.of = of;
        }
    }

    /** What a drone answered, with the text that it said before. */
    record Answer(DroneEvent event, String text) {
        <E extends DroneEvent> E as(Class<E> kind) {
            if (!kind.isInstance(event)) {
                throw silent();
            }
            return kind.cast(event);
        }
    }

    /** The answer to these commands, which all carry the id that they are made with. */
    Answer ask(DroneConnection connection, Duration within, Function<String, List<DroneCommand>> commands) {
        String request = UUID.randomUUID().toString();
        var question = new Question(connection);
        questions.put(request, question);
        try {
            commands.apply(request).forEach(connection::send);
            return question.answer.get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw silent();
        } catch (TimeoutException | ExecutionException e) {
            throw silent();
        } finally {
            questions.remove(request);
        }
    }

    private static RefusedException silent() {
        return new RefusedException(FailureCode.DRONE_LOST, "The drone of this workspace does not answer. Try again.");
    }

    /** The next part of the text of an answer. */
    void said(DroneConnection from, DroneEvent.FileText part) {
        Question question = questions.get(part.requestId());
        if (question == null || question.of != from) {
            return;
        }
        if (question.text.length() + part.text().length() > Protocol.MAX_TEXT_BYTES) {
            question.answer.completeExceptionally(new IllegalStateException("a text that is too long"));
            return;
        }
        question.text.append(part.text());
    }

    void answered(DroneConnection from, String request, DroneEvent event) {
        Question question = questions.get(request);
        if (question != null && question.of == from) {
            question.answer.complete(new Answer(event, question.text.toString()));
        }
    }

    /** A connection that is gone answers nothing more. */
    void left(DroneConnection connection) {
        questions.values().stream()
                .filter(question -> question.of == connection)
                .forEach(question ->
                        question.answer.completeExceptionally(new IllegalStateException("the drone went away")));
    }
}
