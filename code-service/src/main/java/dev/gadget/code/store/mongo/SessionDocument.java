package dev.gadget.code.store.mongo;

import dev.gadget.code.session.ChatSession;
import dev.gadget.code.session.ChatSession.LastTurn;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.BusyPolicy;
import dev.gadget.model.ProjectId;
import dev.gadget.model.ProviderId;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.ToolQueueMode;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import io.quarkus.mongodb.panache.common.MongoEntity;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session as it is stored. */
@MongoEntity(collection = "sessions")
public class SessionDocument extends OwnedDocument {
    public String projectId = "";
    public String name = "";
    /** Absent in sessions of before titles, which keep their names. */
    public boolean namedByModel;

    public String providerId = "";
    public String model = "";
    public String reasoningEffort = "";
    public @Nullable String workspaceId;
    public LimitsDocument limits = new LimitsDocument();
    public String approvalPolicy = "";
    public List<RuleDocument> rules = List.of();
    public String whenBusy = "";
    public String toolQueue = "";
    public boolean worktree;
    public boolean pinned;
    public boolean archived;
    public @Nullable String runningTurnId;
    public @Nullable String lastTurnStatus;
    public @Nullable Instant lastTurnEndedAt;
    /** Absent where nothing was counted, and in sessions of before it was. */
    public @Nullable UsageDocument titleUsage;
    /** Absent in sessions that are no branches, and in branches of before it was kept. */
    public @Nullable String branchKey;
    /** Whose it was or will be, of one that is being deleted or inserted. */
    public @Nullable String deletedOf;

    public Instant updatedAt = Instant.EPOCH;

    static SessionDocument from(ChatSession session) {
        var document = new SessionDocument();
        document.identify(session.id().value(), session.createdAt(), session.version());
        document.ownerId = session.ownerId().value();
        document.projectId = session.projectId().value();
        document.name = session.name();
        document.namedByModel = !session.namedByPerson();
        document.providerId = session.providerId().value();
        document.model = session.model();
        document.reasoningEffort = StoredEnum.toStored(session.reasoningEffort());
        WorkspaceId workspace = session.workspaceId();
        document.workspaceId = workspace == null ? null : workspace.value();
        document.limits = LimitsDocument.from(session.limits());
        document.approvalPolicy = StoredEnum.toStored(session.approvalPolicy());
        document.rules = session.rules().stream().map(RuleDocument::from).toList();
        document.whenBusy = StoredEnum.toStored(session.whenBusy());
        document.toolQueue = StoredEnum.toStored(session.toolQueue());
        document.worktree = session.worktree();
        document.pinned = session.pinned();
        document.archived = session.archived();
        LastTurn last = session.lastTurn();
        if (last != null) {
            document.lastTurnStatus = StoredEnum.toStored(last.status());
            document.lastTurnEndedAt = last.endedAt();
        }
        Usage title = session.titleUsage();
        document.titleUsage = title == null ? null : UsageDocument.from(title);
        document.branchKey = session.branchKey();
        TurnId running = session.runningTurnId();
        document.runningTurnId = running == null ? null : running.value();
        document.updatedAt = session.updatedAt();
        return document;
    }

    ChatSession toChatSession() {
        return new ChatSession(
                new SessionId(id),
                new UserId(deletedOf == null ? ownerId : deletedOf),
                new ProjectId(projectId),
                name,
                !namedByModel,
                new ProviderId(providerId),
                model,
                StoredEnum.fromStored(ReasoningEffort.class, reasoningEffort),
                workspaceId == null ? null : new WorkspaceId(workspaceId),
                limits.toLimits(),
                StoredEnum.fromStored(ApprovalPolicy.class, approvalPolicy),
                rules.stream().map(RuleDocument::toRule).toList(),
                // Sessions of before this setting refused.
                whenBusy.isEmpty() ? BusyPolicy.REFUSE : StoredEnum.fromStored(BusyPolicy.class, whenBusy),
                toolQueue.isEmpty() ? ToolQueueMode.PARALLEL : StoredEnum.fromStored(ToolQueueMode.class, toolQueue),
                worktree,
                pinned,
                archived,
                runningTurnId == null || deletedOf != null ? null : new TurnId(runningTurnId),
                lastTurn(),
                titleUsage == null ? null : titleUsage.toUsage(),
                branchKey,
                createdAt,
                updatedAt,
                version);
    }

    private @Nullable LastTurn lastTurn() {
        return lastTurnStatus == null || lastTurnEndedAt == null
                ? null
                : new LastTurn(StoredEnum.fromStored(TurnStatus.class, lastTurnStatus), lastTurnEndedAt);
    }
}
