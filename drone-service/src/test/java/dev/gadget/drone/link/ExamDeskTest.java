package dev.gadget.drone.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.exam.Student;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile.Score;
import dev.gadget.model.ModelProfile.ToolCalling;
import dev.gadget.model.ProviderType;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.scripted.Reply;
import dev.gadget.scripted.Script;
import dev.gadget.scripted.ScriptedProvider;
import dev.gadget.scripted.Step;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A drone that examines models for its service: a real link, real wires, a scripted model. */
@Timeout(180)
class ExamDeskTest {
    private static final Script SILENT = Script.always(Reply.exactly(new Step.Silence()));

    @TempDir
    Path directory;

    private FakeCodeService service;
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final WorkOrderRunner works = (_, _, report, _, _) -> {
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        report.complete(TurnStatus.FINISHED, null, Usage.NONE);
    };

    @BeforeEach
    void start() throws Exception {
        service = new FakeCodeService();
    }

    @AfterEach
    void stop() throws Exception {
        mayEnd.countDown();
        service.close();
    }

    private static DroneCommand.ExamineModel exam(String request, ScriptedProvider model) {
        return new DroneCommand.ExamineModel(
                request, new ProviderSpec(ProviderType.OPENAI, "box", model.openAiUrl(), null, null), "demo", 60);
    }

    private static FailureCode failure(FakeCodeService.Peer peer, String request) throws InterruptedException {
        var end = peer.await(DroneEvent.ModelExamined.class);
        assertThat(end.requestId()).isEqualTo(request);
        assertThat(end.profile()).isNull();
        return Objects.requireNonNull(end.failure()).code();
    }

    @Test
    @DisplayName("tells where the exam stands, and then the profile")
    void examines() throws Exception {
        try (var drone = RunningDrone.in(directory, service, works);
                var model = ScriptedProvider.start(Student.good())) {
            var peer = service.next();
            peer.welcome();

            peer.send(exam("e1", model));

            var first = peer.await(DroneEvent.ExamProgressed.class);
            assertThat(first).isEqualTo(new DroneEvent.ExamProgressed("e1", 0, 4, "answers …"));
            assertThat(peer.await(DroneEvent.ExamProgressed.class).text()).startsWith("answers: streams");
            var end = peer.await(DroneEvent.ModelExamined.class);
            assertThat(end.failure()).isNull();
            var profile = Objects.requireNonNull(end.profile());
            assertThat(profile.toolCalling()).isEqualTo(ToolCalling.NATIVE);
            assertThat(profile.edits()).isEqualTo(new Score(5, 5));

            peer.send(exam("e2", model));
            assertThat(peer.await(DroneEvent.ModelExamined.class).requestId())
                    .as("another one after it")
                    .isEqualTo("e2");
        }
    }

    @Test
    @DisplayName("examines one model at a time, and stops when it is told to")
    void cancels() throws Exception {
        try (var drone = RunningDrone.in(directory, service, works);
                var model = ScriptedProvider.start(SILENT)) {
            var peer = service.next();
            peer.welcome();
            peer.send(exam("e1", model));
            peer.await(DroneEvent.ExamProgressed.class);

            peer.send(exam("e2", model));
            assertThat(failure(peer, "e2")).isEqualTo(FailureCode.DRONE_BUSY);
            peer.send(new DroneCommand.CancelExam("another"));
            peer.send(new DroneCommand.CancelExam("e1"));
            assertThat(failure(peer, "e1")).isEqualTo(FailureCode.CANCELLED);
        }
    }

    @Test
    @DisplayName("a turn goes first: it stops an exam, and none begins beside it")
    void turns() throws Exception {
        try (var drone = RunningDrone.in(directory, service, works);
                var model = ScriptedProvider.start(SILENT)) {
            var peer = service.next();
            DroneEvent.Hello hello = peer.welcome();
            peer.send(exam("e1", model));
            peer.await(DroneEvent.ExamProgressed.class);

            peer.send(new DroneCommand.OfferWorkOrder(Samples.order(hello.workspaceId()), 1, 7));
            // Only a turn that was accepted ends it so; which of the two is said first is not settled.
            assertThat(failure(peer, "e1")).isEqualTo(FailureCode.DRONE_BUSY);
            peer.send(exam("e2", model));
            assertThat(failure(peer, "e2")).isEqualTo(FailureCode.DRONE_BUSY);
        }
    }

    @Test
    @DisplayName("an endpoint that cannot be asked is told with its code")
    void unreachable() throws Exception {
        try (var drone = RunningDrone.in(directory, service, works);
                var model = ScriptedProvider.start(Script.always(Reply.body(401, "application/json", "{}")))) {
            var peer = service.next();
            peer.welcome();

            peer.send(exam("e1", model));

            assertThat(failure(peer, "e1")).isEqualTo(FailureCode.PROVIDER_UNAUTHORIZED);
        }
    }
}
