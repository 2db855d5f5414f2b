package dev.gadget.code.session;

import dev.gadget.code.RefusedException;
import dev.gadget.code.config.CodeConfig;
import dev.gadget.code.provider.Provider;
import dev.gadget.code.store.DroneArchive;
import dev.gadget.code.store.ProjectArchive;
import dev.gadget.code.store.ProviderArchive;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.BusyPolicy;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Limits;
import dev.gadget.model.ProjectId;
import dev.gadget.model.ProviderId;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.ToolQueueMode;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.api.SessionApi.CreateSession;
import dev.gadget.model.api.SessionApi.UpdateSession;
import dev.gadget.model.turn.Usage;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The sessions of a person: made, changed, deleted. */
@ApplicationScoped
public class Sessions {
    private static final Logger LOG = Logger.getLogger(Sessions.class);
    private static final int BEFORE_TURNS_ARE_TAKEN_UP = Interceptor.Priority.LIBRARY_BEFORE + 50;
    private static final int LONGEST_MODEL = 200;
    private static final int MOST_RULES = 100;
    private static final int MOST_TRIES = 10;
    /** More than any context has; so many titles that their sum ends no session can have. */
    private static final long MOST_TITLE_TOKENS = 1_000_000_000;

    private final SessionArchive archive;
    private final ProjectArchive projects;
    private final ProviderArchive providers;
    private final TurnArchive turns;
    private final DroneArchive drones;
    private final Event<SessionUpdated> updated;
    private final Event<SessionDeleted> deleted;
    private final Event<SessionLeft> left;
    private final int most;
    private final Clock clock = Clock.systemUTC();

    Sessions(
            SessionArchive archive,
            ProjectArchive projects,
            ProviderArchive providers,
            TurnArchive turns,
            DroneArchive drones,
            Event<SessionUpdated> updated,
            Event<SessionDeleted> deleted,
            Event<SessionLeft> left,
            CodeConfig config) {
        this.archive = archive;
        this.projects = projects;
        this.providers = providers;
        this.turns = turns;
        this.drones = drones;
        this.updated = updated;
        this.deleted = deleted;
        this.left = left;
        this.most = config.session().maxPerPerson();
    }

    Slice<ChatSession> list(UserId owner, Optional<String> after, int limit) {
        return archive.list(owner, after, limit);
    }

    ChatSession get(UserId owner, SessionId id) {
        return archive.find(owner, id)
                .orElseThrow(() -> new RefusedException(FailureCode.NOT_FOUND, "There is no session " + id + "."));
    }

    /** Two at the same moment may be one more than that. */
    void refuseTooMany(UserId owner) {
        long there = archive.count(owner);
        if (there >= most) {
            throw new RefusedException(
                    FailureCode.QUOTA_REACHED,
                    "You have " + there + " sessions, and " + most
                            + " are allowed. Delete some, or have an administrator raise gadget.session.max-per-person.");
        }
    }

    ChatSession create(UserId owner, CreateSession wanted) {
        refuseTooMany(owner);
        checkProject(owner, wanted.projectId());
        Provider provider = provider(owner, wanted.providerId());
        Instant now = now();
        var session = new ChatSession(
                SessionId.random(),
                owner,
                wanted.projectId(),
                name(wanted.name(), ChatSession.UNNAMED),
                wanted.name() != null,
                provider.id(),
                model(wanted.model(), provider),
                Objects.requireNonNullElse(wanted.reasoningEffort(), ReasoningEffort.OFF),
                workspace(owner, wanted.workspaceId()),
                Objects.requireNonNullElse(wanted.limits(), Limits.STANDARD),
                Objects.requireNonNullElse(wanted.approvalPolicy(), ApprovalPolicy.AUTO),
                rules(wanted.rules(), List.of()),
                Objects.requireNonNullElse(wanted.whenBusy(), BusyPolicy.REFUSE),
                Objects.requireNonNullElse(wanted.toolQueue(), ToolQueueMode.PARALLEL),
                Objects.requireNonNullElse(wanted.worktree(), false),
                false,
                false,
                null,
                null,
                null,
                null,
                now,
                now,
                0);
        archive.insert(session);
        updated.fire(new SessionUpdated(owner, session.id()));
        return session;
    }

    ChatSession update(UserId owner, SessionId id, UpdateSession wanted) {
        ChatSession old = get(owner, id);
        ProviderId providerId = Objects.requireNonNullElse(wanted.providerId(), old.providerId());
        String model = wanted.model();
        if (wanted.providerId() != null) {
            model = model(model, provider(owner, providerId));
        } else if (model != null) {
            model = checkedModel(model);
        }
        var changed = new ChatSession(
                old.id(),
                owner,
                old.projectId(),
                name(wanted.name(), old.name()),
                old.namedByPerson() || renamed(wanted, old),
                providerId,
                Objects.requireNonNullElse(model, old.model()),
                Objects.requireNonNullElse(wanted.reasoningEffort(), old.reasoningEffort()),
                workspace(owner, old, wanted.workspaceId()),
                Objects.requireNonNullElse(wanted.limits(), old.limits()),
                Objects.requireNonNullElse(wanted.approvalPolicy(), old.approvalPolicy()),
                rules(wanted.rules(), old.rules()),
                Objects.requireNonNullElse(wanted.whenBusy(), old.whenBusy()),
                Objects.requireNonNullElse(wanted.toolQueue(), old.toolQueue()),
                Objects.requireNonNullElse(wanted.worktree(), old.worktree()),
                Objects.requireNonNullElse(wanted.pinned(), old.pinned()),
                Objects.requireNonNullElse(wanted.archived(), old.archived()),
                old.runningTurnId(),
                old.lastTurn(),
                old.titleUsage(),
                old.branchKey(),
                old.createdAt(),
                onlyListed(wanted) ? old.updatedAt() : now(),
                old.version());
        archive.replace(changed);
        updated.fire(new SessionUpdated(owner, id));
        WorkspaceId before = old.workspaceId();
        if (before != null && (changed.archived() && !old.archived() || !before.equals(changed.workspaceId()))) {
            left.fire(new SessionLeft(owner, id, before));
        }
        return get(owner, id);
    }

    /** Adds rules that allow these commands from its next turn on, and returns how many rules there are then. */
    public int allow(UserId owner, SessionId id, List<String> commands) {
        for (int tries = 1; ; tries++) {
            ChatSession old = get(owner, id);
            ChatSession changed = old.allowing(commands, now());
            if (changed.rules().equals(old.rules())) {
                return old.rules().size();
            }
            rules(changed.rules(), old.rules());
            try {
                archive.replace(changed);
                updated.fire(new SessionUpdated(owner, id));
                return changed.rules().size();
            } catch (StoreException e) {
                // Its turns write into it, too.
                if (e.code() != FailureCode.CHANGED_MEANWHILE || tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Whether nothing changes but how the session is listed: nothing happened in it then. */
    private static boolean onlyListed(UpdateSession wanted) {
        return wanted.equals(new UpdateSession(
                null, null, null, null, null, null, null, null, null, null, null, wanted.pinned(), wanted.archived()));
    }

    /** Takes the name that a model in this workspace gives to a session which no person has named, and what that used. */
    public void entitle(UserId owner, WorkspaceId workspace, SessionId id, String said, Optional<Usage> used) {
        boolean named = ChatSession.title(said)
                .filter(title -> named(owner, workspace, id, title))
                .isPresent();
        boolean counted =
                used.filter(usage -> counted(owner, workspace, id, usage)).isPresent();
        if (named || counted) {
            updated.fire(new SessionUpdated(owner, id));
        }
    }

    private boolean named(UserId owner, WorkspaceId workspace, SessionId id, String title) {
        try {
            return archive.entitle(owner, workspace, id, title);
        } catch (StoreException away) {
            LOG.infof("session %s keeps its name for now: %s", id, away.getMessage());
            return false;
        }
    }

    /** Whatever a drone says of it: it is not worth its connection. */
    private boolean counted(UserId owner, WorkspaceId workspace, SessionId id, Usage used) {
        if (!canBeOfATitle(used)) {
            LOG.warnf(
                    "what a title used is not counted sessionId=%s: its drone says %d, %d and %d tokens, expected are 0 to %d",
                    id, used.inputTokens(), used.outputTokens(), used.thinkingTokens(), MOST_TITLE_TOKENS);
            return false;
        }
        try {
            boolean counted = archive.countTitle(owner, workspace, id, used);
            if (!counted) {
                LOG.infof(
                        "what a title used is not counted sessionId=%s: it is not there, or changes all the time", id);
            }
            return counted;
        } catch (StoreException | IllegalArgumentException lost) {
            LOG.warnf("what a title used is not counted sessionId=%s: %s", id, lost.getMessage());
            return false;
        }
    }

    private static boolean canBeOfATitle(Usage used) {
        return LongStream.of(
                        used.inputTokens(),
                        used.outputTokens(),
                        used.thinkingTokens(),
                        Objects.requireNonNullElse(used.cachedTokens(), 0L))
                .allMatch(tokens -> tokens >= 0 && tokens <= MOST_TITLE_TOKENS);
    }

    /** First nobody finds it any more, so that nothing new begins in it; then what runs in it stops; then its turns go. */
    void delete(UserId owner, SessionId id) {
        ChatSession last = get(owner, id);
        if (!archive.beginDelete(owner, id)) {
            throw new RefusedException(FailureCode.NOT_FOUND, "There is no session " + id + ".");
        }
        endDelete(last);
    }

    /** Ending one twice is harmless, also later: its id is never given again. */
    void endDelete(ChatSession last) {
        deleted.fire(new SessionDeleted(last));
        turns.deleteOfSession(last.id());
        archive.endDelete(last.id());
    }

    /** Before anything takes up the turns of a session that was being deleted when the service stopped. */
    void onStart(@Observes @Priority(BEFORE_TURNS_ARE_TAKEN_UP) StartupEvent started) {
        endDeletes();
    }

    /** Of which the store did not take the end. */
    @Scheduled(every = "1m", delayed = "1m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void endDeletes() {
        archive.beingDeleted().forEach(this::endDelete);
    }

    /** A turn that runs or waits stays where it is, so that a session moves only between turns. */
    private @Nullable WorkspaceId workspace(UserId owner, ChatSession old, @Nullable WorkspaceId wanted) {
        if (wanted == null || wanted.equals(old.workspaceId())) {
            return old.workspaceId();
        }
        if (old.runningTurnId() != null) {
            throw new RefusedException(
                    FailureCode.TURN_RUNNING,
                    "A turn runs in this session's workspace. Wait for its end, or cancel it, and move the session then.");
        }
        return workspace(owner, wanted);
    }

    private @Nullable WorkspaceId workspace(UserId owner, @Nullable WorkspaceId wanted) {
        if (wanted != null && drones.ofWorkspace(owner, wanted).isEmpty()) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "No drone of yours has the workspace " + wanted + ". GET /api/v1/drones lists them.",
                    "workspaceId");
        }
        return wanted;
    }

    private void checkProject(UserId owner, ProjectId id) {
        if (projects.find(owner, id).isEmpty()) {
            throw new RefusedException(FailureCode.INVALID_FIELD, "There is no project " + id + ".", "projectId");
        }
    }

    private Provider provider(UserId owner, ProviderId id) {
        return providers
                .find(owner, id)
                .orElseThrow(() -> new RefusedException(
                        FailureCode.INVALID_FIELD, "There is no provider " + id + ".", "providerId"));
    }

    private static String model(@Nullable String wanted, Provider provider) {
        String model = wanted == null ? provider.defaultModel() : wanted;
        if (model == null) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "No model is named, and the provider '" + provider.name()
                            + "' has no default one. GET /api/v1/providers/" + provider.id()
                            + "/models lists what it offers.",
                    "model");
        }
        return checkedModel(model);
    }

    private static String checkedModel(String model) {
        if (model.isBlank() || model.length() > LONGEST_MODEL) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "A model's name has 1 to " + LONGEST_MODEL + " characters, but this one has " + model.length()
                            + ".",
                    "model");
        }
        if (model.codePoints().anyMatch(Character::isISOControl)) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "A model's name is one line, but this one has control characters such as a line break. Take them out.",
                    "model");
        }
        return model;
    }

    private static List<ApprovalRule> rules(@Nullable List<ApprovalRule> wanted, List<ApprovalRule> otherwise) {
        if (wanted == null) {
            return otherwise;
        }
        if (wanted.size() > MOST_RULES) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "A session has at most " + MOST_RULES + " rules, but these are " + wanted.size() + ".",
                    "rules");
        }
        return wanted;
    }

    /** A page that saves all settings sends the name along as it was. */
    private static boolean renamed(UpdateSession wanted, ChatSession old) {
        return wanted.name() != null && !wanted.name().strip().equals(old.name());
    }

    private static String name(@Nullable String wanted, String otherwise) {
        if (wanted == null) {
            return otherwise;
        }
        String name = wanted.strip();
        if (name.isEmpty() || name.length() > ChatSession.LONGEST_NAME) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "A session's name has 1 to " + ChatSession.LONGEST_NAME + " characters, but this one has "
                            + name.length() + ".",
                    "name");
        }
        return name;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
