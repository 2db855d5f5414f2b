package dev.gadget.code.store;

import dev.gadget.code.drone.Drone;
import dev.gadget.code.project.Project;
import dev.gadget.code.provider.ExaminedModel;
import dev.gadget.code.provider.Provider;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.system.ServiceProcess;
import dev.gadget.code.turn.StoredBlock;
import dev.gadget.code.turn.ToolDecision;
import dev.gadget.code.turn.TurnRecord;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.BusyPolicy;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Limits;
import dev.gadget.model.ModelPrice;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ProjectId;
import dev.gadget.model.ProviderId;
import dev.gadget.model.ProviderType;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.ToolQueueMode;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.api.SystemApi.DoorKind;
import dev.gadget.model.api.SystemApi.DoorView;
import dev.gadget.model.api.SystemApi.MemoryView;
import dev.gadget.model.api.SystemApi.TurnCounts;
import dev.gadget.model.drone.DroneCommand.ForgetSession;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.FileChange;
import dev.gadget.model.turn.RoundUsage;
import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStats;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProjectRef;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Stored things for tests: every field has a value of its own, so that a lost or swapped one shows. */
public final class StoreFixtures {
    public static final Instant T0 = Instant.parse("2026-11-21T10:00:00.123Z");

    private StoreFixtures() {}

    public static Project project(UserId owner, String slug, Instant createdAt) {
        return new Project(
                ProjectId.random(), owner, "Name of " + slug, slug, "https://git.example/" + slug, createdAt, 0);
    }

    public static Provider provider(UserId owner, String name) {
        return new Provider(
                ProviderId.random(),
                owner,
                name,
                ProviderType.OLLAMA,
                "http://127.0.0.1:11434",
                "sealed:abc",
                "small",
                true,
                List.of(new ModelPrice(
                        "small", new BigDecimal("0.15"), new BigDecimal("0.60"), new BigDecimal("0.02"))),
                T0,
                0);
    }

    public static ExaminedModel examined(UserId owner, ProviderId provider, String model) {
        return new ExaminedModel(
                owner,
                provider,
                model,
                new ModelProfile(
                        true,
                        ModelProfile.ToolCalling.TEXT,
                        new ModelProfile.Score(3, 4),
                        false,
                        8192,
                        32_768,
                        new ModelProfile.Score(2, 5),
                        320,
                        41.5,
                        T0,
                        4096));
    }

    public static Drone drone(UserId owner) {
        return new Drone(
                DroneId.random(),
                owner,
                "laptop",
                "credential-1",
                WorkspaceId.random(),
                "/home/me/code",
                "host",
                "linux-amd64",
                "0.1.0",
                T0.plusSeconds(5),
                List.of(
                        new ForgetSession(
                                new SessionId("s-1"), new ProjectRef(new ProjectId("p-1"), "shop", null, true)),
                        new ForgetSession(new SessionId("s-3"), null),
                        new ForgetSession(
                                new SessionId("s-2"),
                                new ProjectRef(new ProjectId("p-2"), "app", "https://git.example/app.git", true))),
                List.of(new SessionId("s-4"), new SessionId("s-5")),
                T0,
                0);
    }

    public static ChatSession session(UserId owner) {
        return new ChatSession(
                SessionId.random(),
                owner,
                ProjectId.random(),
                "a session",
                true,
                ProviderId.random(),
                "model-1",
                ReasoningEffort.HIGH,
                WorkspaceId.random(),
                new Limits(3, 1000, 60, 2, 7, new BigDecimal("1.50"), 5000, new BigDecimal("20")),
                ApprovalPolicy.AUTO_EDIT,
                List.of(
                        new ApprovalRule(ApprovalRule.Action.ALLOW, "run_command", null, "npm test *"),
                        new ApprovalRule(ApprovalRule.Action.DENY, null, "db/**", null)),
                BusyPolicy.QUEUE,
                ToolQueueMode.SEQUENTIAL,
                true,
                true,
                false,
                null,
                new ChatSession.LastTurn(TurnStatus.FAILED, T0.plusSeconds(7)),
                new Usage(100, 7, 2, new BigDecimal("0.0000001"), null, 60L),
                SessionId.random() + "/k1",
                T0,
                T0.plusSeconds(9),
                0);
    }

    public static TurnRecord turn(SessionId session, Instant createdAt) {
        return new TurnRecord(
                TurnId.random(),
                session,
                UserId.random(),
                "Say hello, $name.and more",
                TurnStatus.PROCESSING,
                "Ollama",
                "model-1",
                ReasoningEffort.LOW,
                WorkOrderId.random(),
                DroneId.random(),
                WorkspaceId.random(),
                1,
                7,
                42,
                TurnRecord.NOTHING_OPEN,
                new Usage(11, 22, 5, new BigDecimal("0.0042"), 9L),
                List.of(new RoundUsage(1, 4, 20, 5), new RoundUsage(2, 7, 2, 0)),
                new TurnStats(1, 2, 1, 3, 9, 1234),
                new TurnFiles(
                        List.of(
                                new FileChange("src/a.js", FileChange.Kind.MODIFIED, 2, 1),
                                new FileChange("logo.png", FileChange.Kind.ADDED, null, null)),
                        2,
                        "--- a/src/a.js",
                        true,
                        false),
                null,
                createdAt,
                null,
                0);
    }

    public static TurnRecord inStatus(TurnRecord turn, TurnStatus status) {
        return new TurnRecord(
                turn.id(),
                turn.sessionId(),
                turn.ownerId(),
                turn.prompt(),
                status,
                turn.provider(),
                turn.model(),
                turn.reasoningEffort(),
                turn.workOrderId(),
                turn.droneId(),
                turn.workspaceId(),
                turn.attempt(),
                turn.fence(),
                turn.durableSeq(),
                turn.openChars(),
                turn.usage(),
                turn.roundUsages(),
                turn.stats(),
                turn.files(),
                turn.error(),
                turn.createdAt(),
                turn.finishedAt(),
                turn.version());
    }

    /** Another turn of that drone and session, which was interrupted and is waited for. */
    public static TurnRecord lost(TurnRecord like) {
        return new TurnRecord(
                TurnId.random(),
                like.sessionId(),
                like.ownerId(),
                like.prompt(),
                TurnStatus.INTERRUPTED,
                like.provider(),
                like.model(),
                like.reasoningEffort(),
                WorkOrderId.random(),
                like.droneId(),
                like.workspaceId(),
                1,
                1,
                0,
                TurnRecord.NOTHING_OPEN,
                like.usage(),
                like.roundUsages(),
                like.stats(),
                null,
                new Failure(FailureCode.DRONE_LOST, "The drone's connection was lost."),
                like.createdAt().minusSeconds(60),
                like.createdAt(),
                0);
    }

    public static StoredBlock text(int index, String text) {
        return new StoredBlock(
                new Block.Responding(index, Instant.parse("2026-11-21T10:00:01.123456Z"), null, null, text),
                index + 1,
                index + 3,
                1);
    }

    public static StoredBlock thinking(int index, String text) {
        return new StoredBlock(
                new Block.Thinking(index, T0, T0.plusNanos(1_234_567), true, text, "call-8"), index + 1, index + 1, 2);
    }

    public static StoredBlock tool(int index, Map<String, Object> parameters, String output) {
        var call = new ToolCall(
                "call-" + index,
                "run_command",
                parameters,
                ToolCallState.DONE,
                output,
                "exit code 0",
                "--- a/x\n+++ b/x\n",
                T0,
                T0.plusMillis(20),
                new ToolApproval("It asks.", "--- a", "abc", List.of("git diff *", "head *")),
                T0.minusMillis(7));
        var decision = new ToolDecision(
                ApprovalDecision.APPROVE_FOR_SESSION,
                "Go on.",
                "abc",
                parameters,
                List.of("git diff *", "head *"),
                UserId.random(),
                T0.plusMillis(3),
                2);
        return new StoredBlock(new Block.Tool(index, T0, T0.plusSeconds(1), null, call, "call-9"), 5, 9, 1, decision);
    }

    public static ServiceProcess process(Instant startedAt, Instant seenAt) {
        return new ServiceProcess(
                UUID.randomUUID().toString(),
                "0.9",
                "pod-7",
                startedAt,
                seenAt,
                new MemoryView(1, 2),
                new TurnCounts(3, 4, 5),
                false,
                6,
                List.of(new DoorView(DoorKind.WEBSOCKET, 11), new DoorView(DoorKind.DRONE, 12)));
    }
}
