package dev.gadget.drone.link;

import dev.gadget.drone.exam.ModelExam;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import java.time.Duration;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Examines models for the code service: one at a time, and never beside a turn, which would slow both down. */
final class ExamDesk {
    private static final Logger LOG = Logger.getLogger(ExamDesk.class);

    private final ModelExam exam;
    private final Consumer<DroneEvent> say;
    private @Nullable Running running;

    ExamDesk(ModelExam exam, Consumer<DroneEvent> say) {
        this.exam = exam;
        this.say = say;
    }

    /** What is examined now. */
    private static final class Running {
        private final DroneCommand.ExamineModel asked;
        private final CancelSignal cancel = new CancelSignal();
        private volatile @Nullable Failure why;

        Running(DroneCommand.ExamineModel asked) {
            this.asked = asked;
        }
    }

    /** Begins the exam, unless the drone is busy with a turn or with another one. */
    synchronized void examine(DroneCommand.ExamineModel asked, boolean works) {
        if (works || running != null) {
            String busy = works ? "The drone works on a turn." : "The drone examines another model.";
            fail(asked, new Failure(FailureCode.DRONE_BUSY, busy + " Examine the model when it is done."));
            return;
        }
        Running begun = new Running(asked);
        running = begun;
        LOG.infof("model %s at %s is examined", asked.model(), asked.provider().name());
        Thread.ofVirtual().name("exam").start(() -> run(begun));
    }

    synchronized void cancel(String requestId) {
        if (running != null && running.asked.requestId().equals(requestId)) {
            stop(new Failure(FailureCode.CANCELLED, "The exam was stopped."));
        }
    }

    /** A turn goes first. */
    void turnBegins() {
        stop(new Failure(
                FailureCode.DRONE_BUSY,
                "A turn began, so that the exam was stopped. Examine the model when it is over."));
    }

    /** Nobody waits any more. */
    void disconnected() {
        stop(new Failure(FailureCode.DRONE_LOST, "The connection was lost, so that the exam was stopped."));
    }

    private synchronized void stop(Failure why) {
        Running current = running;
        if (current != null && current.why == null) {
            current.why = why;
            current.cancel.cancelApart("exam-stop");
        }
    }

    private void run(Running begun) {
        DroneCommand.ExamineModel asked = begun.asked;
        try {
            ModelProfile profile = exam.examine(
                    asked.provider(),
                    asked.model(),
                    Duration.ofSeconds(Math.max(1, asked.maxSeconds())),
                    at -> say.accept(new DroneEvent.ExamProgressed(asked.requestId(), at.done(), at.of(), at.text())),
                    begun.cancel);
            ended(begun);
            say.accept(new DroneEvent.ModelExamined(asked.requestId(), profile, null));
        } catch (ProviderException failed) {
            ended(begun);
            Failure why = begun.why;
            fail(asked, why == null ? failed.failure() : why);
        } catch (RuntimeException broke) {
            LOG.errorf(broke, "the exam of model %s broke", asked.model());
            ended(begun);
            fail(
                    asked,
                    new Failure(FailureCode.INTERNAL, "The exam broke: " + broke + ". The drone's log says where."));
        }
    }

    private synchronized void ended(Running over) {
        if (running == over) {
            running = null;
        }
    }

    private void fail(DroneCommand.ExamineModel asked, Failure why) {
        say.accept(new DroneEvent.ModelExamined(asked.requestId(), null, why));
    }
}
