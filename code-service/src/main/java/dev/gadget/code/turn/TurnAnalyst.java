package dev.gadget.code.turn;

import dev.gadget.code.RefusedException;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AnalyticsApi.ActivityTimes;
import dev.gadget.model.api.AnalyticsApi.SessionAnalytics;
import dev.gadget.model.api.AnalyticsApi.ToolFigures;
import dev.gadget.model.api.AnalyticsApi.TurnAnalytics;
import dev.gadget.model.api.AnalyticsApi.TurnFigures;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.Usage;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Says what turns and sessions went to. Nothing is summed up in advance: it is reckoned from the blocks' times, without their texts. */
@ApplicationScoped
public class TurnAnalyst {
    private static final int MOST_TURNS = 500;

    private final LiveTurns live;
    private final TurnArchive archive;
    private final SessionArchive sessions;
    private final Clock clock = Clock.systemUTC();

    TurnAnalyst(LiveTurns live, TurnArchive archive, SessionArchive sessions) {
        this.live = live;
        this.archive = archive;
        this.sessions = sessions;
    }

    /** Refused as {@code not_found} when it is another person's. */
    public TurnAnalytics ofTurn(UserId owner, TurnId id) {
        Optional<LiveTurn> running = live.find(id);
        if (running.isPresent()) {
            return analysis(LiveTurns.owned(running, owner, id)).whole();
        }
        return archive.find(id)
                .filter(stored -> stored.ownerId().equals(owner))
                .map(this::analysis)
                .orElseThrow(() -> LiveTurns.unknown(id))
                .whole();
    }

    /** The latest turns of a session; refused as {@code not_found} when it is another person's. */
    public SessionAnalytics ofSession(UserId owner, SessionId id) {
        ChatSession session = sessions.find(owner, id)
                .orElseThrow(() -> new RefusedException(FailureCode.NOT_FOUND, "There is no session " + id + "."));
        List<TurnRecord> all = archive.ofSession(id);
        int leftOut = Math.max(0, all.size() - MOST_TURNS);
        List<TurnFigures> turns = new ArrayList<>();
        List<TurnFigures> own = new ArrayList<>();
        List<List<ToolFigures>> tools = new ArrayList<>();
        for (TurnRecord stored : all.subList(leftOut, all.size())) {
            TurnAnalysis analysis = live.find(stored.id()).map(this::analysis).orElseGet(() -> analysis(stored));
            turns.add(analysis.figures());
            if (session.began(stored.createdAt())) {
                own.add(analysis.figures());
                tools.add(analysis.tools());
            }
        }
        return new SessionAnalytics(
                turns,
                leftOut,
                own.stream().map(TurnFigures::times).reduce(ActivityTimes.NONE, ActivityTimes::plus),
                own.stream().map(TurnFigures::usage).reduce(ofTitles(session), Usage::plus),
                TurnAnalysis.together(tools));
    }

    private TurnAnalysis analysis(LiveTurn turn) {
        return new TurnAnalysis(turn.record(), turn.toTurn().blocks(), clock.instant());
    }

    private TurnAnalysis analysis(TurnRecord stored) {
        List<Block> blocks =
                archive.outlines(stored.id()).stream().map(StoredBlock::block).toList();
        return new TurnAnalysis(stored, blocks, clock.instant());
    }

    private static Usage ofTitles(ChatSession session) {
        return Objects.requireNonNullElse(session.titleUsage(), Usage.NONE);
    }
}
