package dev.gadget.code.drone;

import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.ProviderApi.ExamStatus;
import dev.gadget.model.api.ProviderApi.ExamView;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One exam of a model, as it stands.
 *
 * @param by the connection that alone may say something of it
 * @param baseUrl where the model was then: a profile is worth nothing for another address
 */
record Exam(
        String id,
        UserId owner,
        ProviderId provider,
        String baseUrl,
        String model,
        DroneConnection by,
        Instant begunAt,
        ExamStatus status,
        int done,
        int of,
        String text,
        @Nullable Failure failure,
        @Nullable ModelProfile profile) {
    static final int MAX_SECONDS = 300;
    /** A drone says at once that it begins. */
    private static final Duration BEGINS_WITHIN = Duration.ofSeconds(20);

    private static final Duration ENDS_WITHIN = Duration.ofSeconds(MAX_SECONDS + 60);

    boolean running() {
        return status == ExamStatus.RUNNING;
    }

    Exam progressed(int nowDone, int nowOf, String nowText) {
        return with(status, nowDone, nowOf, nowText, failure, profile);
    }

    Exam failed(Failure why) {
        return with(ExamStatus.FAILED, done, of, text, why, null);
    }

    Exam passed(ModelProfile found) {
        return with(ExamStatus.DONE, of, of, text, null, found);
    }

    /** The same, or failed when its drone is silent for too long. */
    Exam at(Instant now) {
        Duration age = Duration.between(begunAt, now);
        boolean neverBegan = text.isEmpty() && age.compareTo(BEGINS_WITHIN) > 0;
        if (!running() || (!neverBegan && age.compareTo(ENDS_WITHIN) <= 0)) {
            return this;
        }
        return failed(new Failure(
                FailureCode.DRONE_LOST,
                "The drone does not answer. Is it as new as the code service? Update it, or choose another one."));
    }

    private Exam with(
            ExamStatus newStatus,
            int newDone,
            int newOf,
            String newText,
            @Nullable Failure newFailure,
            @Nullable ModelProfile newProfile) {
        return new Exam(
                id,
                owner,
                provider,
                baseUrl,
                model,
                by,
                begunAt,
                newStatus,
                newDone,
                newOf,
                newText,
                newFailure,
                newProfile);
    }

    ExamView view() {
        return new ExamView(id, model, by.id(), status, done, of, text, failure, profile);
    }
}
