package dev.gadget.code.turn;

import dev.gadget.code.RefusedException;
import dev.gadget.code.project.Projects;
import dev.gadget.code.provider.Providers;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.Protocol;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.model.work.WorkOrder;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the order for a turn: what the drone has to know, within what one message may carry. */
@ApplicationScoped
public class WorkOrders {
    /** What earlier turns may take of an order for a model of which little is known. */
    private static final long HISTORY_BYTES = 300_000;

    private static final long LEAST_HISTORY_BYTES = 50_000;
    private static final long BYTES_PER_TOKEN = 3;
    /** The prompt and the earlier turns; the rest is for all that is in an order besides. */
    private static final long MOST_OF_A_MESSAGE = Protocol.MAX_FRAME_BYTES - (200 << 10);

    /** In so many turns, the first ones. */
    private static final int ASKS_FOR_A_TITLE = 3;

    private final SessionArchive sessions;
    private final Projects projects;
    private final Providers providers;
    private final TurnArchive turns;

    WorkOrders(SessionArchive sessions, Projects projects, Providers providers, TurnArchive turns) {
        this.sessions = sessions;
        this.projects = projects;
        this.providers = providers;
        this.turns = turns;
    }

    /** The endpoint of the session, with its key; refused when the provider is gone, or the session's project. */
    ProviderSpec provider(ChatSession session) {
        project(session);
        return providers.spec(session.ownerId(), session.providerId());
    }

    /** Refused when the project is gone: an order without one is worked on beside all projects, and in them. */
    WorkOrder make(ChatSession session, TurnRecord turn, ProviderSpec provider, WorkspaceId workspace) {
        List<TurnRecord> others = turns.ofSession(session.id()).stream()
                .filter(other -> !other.id().equals(turn.id()))
                .toList();
        List<TurnRecord> earlier = others.stream()
                .filter(other -> !other.createdAt().isAfter(turn.createdAt()))
                .toList();
        Usage used = others.stream()
                .filter(other -> session.began(other.createdAt()))
                .map(TurnRecord::usage)
                .reduce(Objects.requireNonNullElse(session.titleUsage(), Usage.NONE), Usage::plus);
        ModelProfile profile = providers.profile(session.ownerId(), session.providerId(), turn.model());
        return new WorkOrder(
                turn.workOrderId(),
                turn.id(),
                session.id(),
                session.name(),
                project(session),
                workspace,
                turn.prompt(),
                TurnHistory.of(earlier, turns::ownBlocks, room(turn.prompt(), profile)),
                provider,
                turn.model(),
                profile,
                providers.price(session.ownerId(), session.providerId(), turn.model()),
                turn.reasoningEffort(),
                session.limits().after(used.outputTokens(), used.cost()),
                session.approvalPolicy(),
                session.rules(),
                session.toolQueue(),
                wantsTitle(session, earlier) ? true : null,
                turn.createdAt());
    }

    /** Of a session that is still called by its first prompt: a title that did not come in time is asked for again, but not for ever. */
    private static boolean wantsTitle(ChatSession session, List<TurnRecord> earlier) {
        return !session.namedByPerson()
                && earlier.size() < ASKS_FOR_A_TITLE
                && (earlier.isEmpty()
                        || session.name()
                                .equals(ChatSession.nameOf(earlier.getFirst().prompt())));
    }

    /** The same order for a turn that no drone has begun; empty when its session, project or provider is gone. */
    public Optional<WorkOrder> again(LiveTurn turn) {
        TurnRecord record = turn.record();
        WorkspaceId workspace = record.workspaceId();
        Optional<ChatSession> session = sessions.find(record.ownerId(), record.sessionId());
        if (workspace == null || session.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(make(session.get(), record, provider(session.get()), workspace));
        } catch (RefusedException gone) {
            return Optional.empty();
        }
    }

    private ProjectRef project(ChatSession session) {
        return projects.ofSession(session.ownerId(), session.projectId()).in(session.worktree());
    }

    /** What there is room for: more where the model is known to have room for more, and less beside a long prompt. */
    private static long room(String prompt, @Nullable ModelProfile profile) {
        Integer context = profile == null ? null : profile.contextTokens();
        long wanted = context == null ? HISTORY_BYTES : Math.max(HISTORY_BYTES, context * BYTES_PER_TOKEN);
        long left = MOST_OF_A_MESSAGE - TurnHistory.bytes(prompt);
        return Math.max(LEAST_HISTORY_BYTES, Math.min(wanted, left));
    }
}
