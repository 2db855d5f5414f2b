package dev.gadget.drone.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.file.TestRepository;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProjectId;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.file.ChangedFile;
import dev.gadget.model.file.EntryType;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.file.FileQuestion;
import dev.gadget.model.file.GitStatus;
import dev.gadget.model.file.TextParts;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.WorkEntry;
import dev.gadget.model.work.WorkOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Questions about files over a real socket, with parts, in parallel, and while a turn runs. */
@Timeout(180)
class FilesOverTheLinkTest {
    private static final String LONG = "äé😀\u0001\"\\\n".repeat(80_000);

    /** Talks until it is stopped. */
    private static final WorkOrderRunner TALKS = (_, _, report, _, cancel) -> {
        report.roundStarted(1);
        try {
            while (!cancel.cancelled()) {
                report.response("word ");
                Thread.sleep(1);
            }
            report.complete(TurnStatus.CANCELLED, null, Usage.NONE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    };

    @TempDir
    Path directory;

    private FakeCodeService service;

    @BeforeEach
    void start() throws Exception {
        service = new FakeCodeService();
    }

    @AfterEach
    void stop() throws Exception {
        service.close();
    }

    private record Heard(String text, FileAnswer answer) {}

    private static void ask(FakeCodeService.Peer peer, String id, FileQuestion question, String text) {
        TextParts.of(text).forEach(part -> peer.send(new DroneCommand.FileText(id, part)));
        peer.send(new DroneCommand.AskFiles(id, question, text.length(), null, null));
    }

    private static Heard hear(FakeCodeService.Peer peer, String id) throws InterruptedException {
        return Objects.requireNonNull(hear(peer, Set.of(id)).get(id));
    }

    /** The answers to these questions, in whatever order they and their parts come. */
    private static Map<String, Heard> hear(FakeCodeService.Peer peer, Set<String> ids) throws InterruptedException {
        Map<String, StringBuilder> texts = new HashMap<>();
        Map<String, Heard> answers = new HashMap<>();
        while (answers.size() < ids.size()) {
            switch (peer.await(DroneEvent.class)) {
                case DroneEvent.FileText part ->
                    texts.computeIfAbsent(part.requestId(), _ -> new StringBuilder())
                            .append(part.text());
                case DroneEvent.FilesAnswered answer -> {
                    String text = texts.getOrDefault(answer.requestId(), new StringBuilder())
                            .toString();
                    assertThat(text).hasSize(answer.textLength());
                    answers.put(answer.requestId(), new Heard(text, answer.answer()));
                }
                default -> {}
            }
        }
        assertThat(answers.keySet()).isEqualTo(ids);
        return answers;
    }

    @Test
    @DisplayName("long texts travel in parts, in both directions, and arrive as they were")
    void parts() throws Exception {
        try (var _ = RunningDrone.in(directory, service, TALKS)) {
            var peer = service.welcome();
            peer.send(new DroneCommand.RequestWorkspaceMode("m", WorkspaceMode.USER, 30));
            peer.await(DroneEvent.WorkspaceModeAnswered.class);

            ask(peer, "w", new FileQuestion.CreateEntry("deep/long.txt", EntryType.FILE), LONG);
            FileAnswer written = hear(peer, "w").answer();
            ask(peer, "r", new FileQuestion.ReadFile("deep/long.txt"), "");
            Heard read = hear(peer, "r");

            assertThat(Files.readString(directory.resolve("deep/long.txt"))).isEqualTo(LONG);
            assertThat(read.text()).isEqualTo(LONG);
            assertThat(((FileAnswer.FileRead) read.answer()).file())
                    .isEqualTo(((FileAnswer.FileWritten) written).file());
        }
    }

    @Test
    @DisplayName("S1-63: what is asked in a session is about the project and the worktree that the session works in")
    void whereTheSessionWorks() throws Exception {
        Path shop = Files.createDirectories(directory.toRealPath().resolve("shop"));
        Files.writeString(shop.resolve("a.txt"), "one\n");
        TestRepository.of(shop);
        SessionId session = new SessionId("abcdef12-0000-0000-0000-000000000000");
        ProjectRef project = new ProjectRef(ProjectId.random(), "shop", "https://git.example.org/shop.git", null);
        ProjectRef apart = new ProjectRef(project.id(), "shop", project.gitUrl(), true);
        ProjectRef missing = new ProjectRef(ProjectId.random(), "none", project.gitUrl(), null);
        try (var _ = RunningDrone.in(directory, service, TALKS)) {
            var peer = service.welcome();
            peer.send(new DroneCommand.RequestWorkspaceMode("m", WorkspaceMode.USER, 30));
            peer.await(DroneEvent.WorkspaceModeAnswered.class);

            peer.send(new DroneCommand.AskFiles("r", new FileQuestion.ReadFile("a.txt"), 0, project, session));
            assertThat(hear(peer, "r").text()).isEqualTo("one\n");
            peer.send(new DroneCommand.AskFiles("n", new FileQuestion.ListFolder("."), 0, missing, session));
            assertThat(hear(peer, "n").answer())
                    .isInstanceOfSatisfying(
                            FileAnswer.Refused.class,
                            refused -> assertThat(refused.failure().message()).contains("not in this workspace yet"));

            // Until its worktree is made, the session sees the project, and writes nothing into it.
            peer.send(new DroneCommand.AskFiles("l", new FileQuestion.ReadFile("a.txt"), 0, apart, session));
            assertThat(hear(peer, "l").text()).isEqualTo("one\n");
            var create = new FileQuestion.CreateEntry("b.txt", EntryType.FILE);
            peer.send(new DroneCommand.AskFiles("w", create, 0, apart, session));
            assertThat(hear(peer, "w").answer()).isInstanceOf(FileAnswer.Refused.class);
            assertThat(shop.resolve("b.txt")).doesNotExist();

            Path place = directory.toRealPath().resolve(".worktrees/shop-abcdef12");
            new TestRepository(shop).git("worktree", "add", "-q", "-b", "mine", place.toString());
            peer.send(new DroneCommand.AskFiles("x", create, 0, apart, session));
            assertThat(hear(peer, "x").answer()).isInstanceOf(FileAnswer.FileWritten.class);
            assertThat(place.resolve("b.txt")).exists();
            peer.send(new DroneCommand.AskFiles("c", new FileQuestion.ListChanges(), 0, apart, session));
            assertThat(hear(peer, "c").answer())
                    .isEqualTo(new FileAnswer.ChangesListed(
                            true, List.of(new ChangedFile("b.txt", GitStatus.UNTRACKED)), true));
            ask(peer, "all", new FileQuestion.ListChanges(), "");
            assertThat(hear(peer, "all").answer()).isEqualTo(new FileAnswer.ChangesListed(true, List.of(), true));
            peer.send(new DroneCommand.FileText("k", "b"));
            peer.send(new DroneCommand.AskFiles(
                    "k", new FileQuestion.CommitChanges(List.of("b.txt")), 1, apart, session));
            assertThat(hear(peer, "k").answer()).isInstanceOf(FileAnswer.ChangesCommitted.class);
        }
    }

    @Test
    @DisplayName("a text of which a part is missing is not written")
    void partMissing() throws Exception {
        try (var _ = RunningDrone.in(directory, service, TALKS)) {
            var peer = service.welcome();
            peer.send(new DroneCommand.RequestWorkspaceMode("m", WorkspaceMode.USER, 30));

            peer.send(new DroneCommand.FileText("w", "half"));
            peer.send(new DroneCommand.AskFiles(
                    "w", new FileQuestion.CreateEntry("a.txt", EntryType.FILE), 8, null, null));

            var refused = (FileAnswer.Refused) hear(peer, "w").answer();
            assertThat(refused.failure().code()).isEqualTo(FailureCode.FRAME_INVALID);
            assertThat(directory.resolve("a.txt")).doesNotExist();
        }
    }

    @Test
    @DisplayName("while a turn runs files are read and the agent goes on; what would change something is refused")
    void whileATurnRuns() throws Exception {
        Files.writeString(directory.resolve("long.txt"), LONG);
        try (var drone = RunningDrone.in(directory, service, TALKS)) {
            var peer = service.welcome();
            WorkOrder order = Samples.order(drone.workspace.state().workspaceId());
            peer.send(new DroneCommand.OfferWorkOrder(order, 1, 7));
            peer.await(DroneEvent.WorkOrderAccepted.class);
            peer.send(new DroneCommand.StartWorkOrder(order.workOrderId(), 1, 7));
            peer.await(DroneEvent.WorkReported.class);

            ask(peer, "w", new FileQuestion.CreateEntry("a.txt", EntryType.FILE), "");
            var refused = (FileAnswer.Refused) hear(peer, "w").answer();
            ask(peer, "r", new FileQuestion.ReadFile("long.txt"), "");
            Heard read = hear(peer, "r");
            List<WorkEntry> after = peer.await(DroneEvent.WorkReported.class).entries();

            assertThat(refused.failure().code()).isEqualTo(FailureCode.WORKSPACE_LOCKED);
            assertThat(read.text()).isEqualTo(LONG);
            assertThat(after).isNotEmpty();
            assertThat(directory.resolve("a.txt")).doesNotExist();
        }
    }

    @Test
    @DisplayName("more questions than are taken at a time are all answered, the last ones with a refusal")
    void many() throws Exception {
        Files.writeString(directory.resolve("long.txt"), LONG);
        try (var _ = RunningDrone.in(directory, service, TALKS)) {
            var peer = service.welcome();
            Set<String> ids = new HashSet<>();
            for (int i = 0; i < 60; i++) {
                ids.add("r" + i);
                ask(peer, "r" + i, new FileQuestion.ReadFile("long.txt"), "");
            }

            Map<String, Heard> answers = hear(peer, ids);

            assertThat(answers.values())
                    .allSatisfy(heard -> assertThat(heard.answer())
                            .satisfiesAnyOf(
                                    answer -> assertThat(heard.text()).isEqualTo(LONG),
                                    answer -> assertThat(((FileAnswer.Refused) answer)
                                                    .failure()
                                                    .code())
                                            .isEqualTo(FailureCode.DRONE_BUSY)));
            assertThat(answers.values().stream().filter(heard -> heard.answer() instanceof FileAnswer.FileRead))
                    .hasSizeGreaterThanOrEqualTo(32);
        }
    }

    @Test
    @DisplayName("after a cut nothing of the old questions comes, and new ones are answered")
    void cut() throws Exception {
        Files.writeString(directory.resolve("long.txt"), LONG);
        try (var _ = RunningDrone.in(directory, service, TALKS)) {
            var first = service.welcome();
            for (int i = 0; i < 8; i++) {
                ask(first, "old" + i, new FileQuestion.ReadFile("long.txt"), "");
            }
            first.send(new DroneCommand.FileText("half", "half"));
            first.cut();
            var second = service.welcome();

            ask(second, "new", new FileQuestion.ReadFile("long.txt"), "");

            assertThat(hear(second, "new").text()).isEqualTo(LONG);
            assertThat(LONG.length()).isGreaterThan(Protocol.TEXT_PART_CHARS);
        }
    }
}
