package dev.gadget.code.turn;

import dev.gadget.code.RefusedException;
import dev.gadget.code.provider.Providers;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.store.ProjectArchive;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.model.work.WorkOrder;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the order for a turn: what the drone has to know, within what one message may carry. */
@ApplicationScoped
public class WorkOrders {
    /** Of one message of a mebibyte, what earlier turns may take; the newest are kept. */
    static final int HISTORY_CHARS = 250_000;

    private static final int TOOL_ANSWER_CHARS = 8_000;
    /** In so many turns, the first ones. */
    private static final int ASKS_FOR_A_TITLE = 3;

    private final SessionArchive sessions;
    private final ProjectArchive projects;
    private final Providers providers;
    private final TurnArchive turns;

    WorkOrders(SessionArchive sessions, ProjectArchive projects, Providers providers, TurnArchive turns) {
        this.sessions = sessions;
        this.projects = projects;
        this.providers = providers;
        this.turns = turns;
    }

    /** The endpoint of the session, with its key; refused when the provider is gone. */
    ProviderSpec provider(ChatSession session) {
        return providers.spec(session.ownerId(), session.providerId());
    }

    WorkOrder make(ChatSession session, TurnRecord turn, ProviderSpec provider, WorkspaceId workspace) {
        List<TurnRecord> earlier = earlier(session, turn);
        return new WorkOrder(
                turn.workOrderId(),
                turn.id(),
                session.id(),
                session.name(),
                project(session),
                workspace,
                turn.prompt(),
                history(earlier),
                provider,
                turn.model(),
                providers.profile(session.ownerId(), session.providerId(), turn.model()),
                providers.price(session.ownerId(), session.providerId(), turn.model()),
                turn.reasoningEffort(),
                session.limits(),
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

    /** The same order for a turn that no drone has begun; empty when its session or provider is gone. */
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

    private @Nullable ProjectRef project(ChatSession session) {
        return projects.find(session.ownerId(), session.projectId())
                .map(project -> project.in(session.worktree()))
                .orElse(null);
    }

    private List<TurnRecord> earlier(ChatSession session, TurnRecord current) {
        return turns.ofSession(session.id()).stream()
                .filter(turn -> !turn.id().equals(current.id()))
                .filter(turn -> !turn.createdAt().isAfter(current.createdAt()))
                .toList();
    }

    /** The earlier turns, oldest first: as many of the newest as fit. */
    private List<PastTurn> history(List<TurnRecord> turnsBefore) {
        List<PastTurn> newestFirst = new ArrayList<>();
        int left = HISTORY_CHARS;
        for (TurnRecord earlier : turnsBefore.reversed()) {
            List<Block> blocks = turns.blocks(earlier.id()).stream()
                    .map(stored -> shortened(stored.block()))
                    .filter(Objects::nonNull)
                    .toList();
            left -= earlier.prompt().length()
                    + blocks.stream().mapToInt(WorkOrders::size).sum();
            if (left < 0) {
                break;
            }
            newestFirst.add(new PastTurn(earlier.id(), earlier.prompt(), earlier.status(), blocks));
        }
        Collections.reverse(newestFirst);
        return newestFirst;
    }

    /** What the model is given of a block: no thinking, nothing superseded, and of a tool only what it answered. */
    private static @Nullable Block shortened(Block block) {
        if (Boolean.TRUE.equals(block.superseded())) {
            return null;
        }
        return switch (block) {
            case Block.Thinking _ -> null;
            case Block.Responding said -> said;
            case Block.Tool tool ->
                new Block.Tool(tool.index(), tool.createdAt(), tool.closedAt(), null, withoutOutput(tool.content()));
        };
    }

    private static ToolCall withoutOutput(ToolCall call) {
        return new ToolCall(
                call.callId(),
                call.name(),
                call.parameters(),
                call.state(),
                null,
                headAndTail(call.response()),
                call.startedAt(),
                call.finishedAt(),
                null);
    }

    private static @Nullable String headAndTail(@Nullable String text) {
        if (text == null || text.length() <= TOOL_ANSWER_CHARS) {
            return text;
        }
        int half = TOOL_ANSWER_CHARS / 2;
        return text.substring(0, half) + "\n… " + (text.length() - TOOL_ANSWER_CHARS) + " characters left out …\n"
                + text.substring(text.length() - half);
    }

    private static int size(Block block) {
        return switch (block) {
            case Block.Thinking thinking -> thinking.content().length();
            case Block.Responding said -> said.content().length();
            case Block.Tool tool ->
                tool.content().parameters().toString().length()
                        + Objects.requireNonNullElse(tool.content().response(), "")
                                .length();
        };
    }
}
