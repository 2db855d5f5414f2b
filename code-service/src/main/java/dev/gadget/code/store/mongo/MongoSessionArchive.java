package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.ne;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import dev.gadget.code.session.ChatSession;
import dev.gadget.code.session.ChatSession.LastTurn;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.Usage;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.conversions.Bson;

/** Keeps sessions in MongoDB. */
@ApplicationScoped
public class MongoSessionArchive implements SessionArchive, StoreIndexes {
    private static final String OWNER = "ownerId";
    private static final String OF = "deletedOf";
    private static final String BRANCH_KEY = "branchKey";
    private static final String RUNNING = "runningTurnId";
    /** The owner of what is being deleted, and the turn that holds its lock: neither is anybody's. */
    static final String DELETED = "deleted";
    /** The owner of what is being inserted. */
    private static final String INSERTED = "inserted";

    private static final int MOST_TRIES = 10;

    private final OwnedCollection<SessionDocument> sessions;

    MongoSessionArchive(SessionRepository repository) {
        this.sessions = new OwnedCollection<>("session", repository.mongoCollection());
    }

    @Override
    public void createIndexes() {
        StoreIndexes.unique(sessions.raw(), OWNER, ListKey.FIELD);
        StoreIndexes.uniqueWherePresent(sessions.raw(), BRANCH_KEY);
    }

    @Override
    public void insert(ChatSession session) {
        sessions.insert(SessionDocument.from(session));
    }

    @Override
    public void beginInsert(ChatSession session) {
        SessionDocument document = SessionDocument.from(session);
        document.deletedOf = document.ownerId;
        document.ownerId = INSERTED;
        sessions.insert(document);
    }

    @Override
    public boolean endInsert(UserId owner, SessionId id) {
        Bson begun = and(eq("_id", id.value()), eq(OWNER, INSERTED), eq(OF, owner.value()));
        Bson found = combine(set(OWNER, owner.value()), unset(OF), inc(Versions.FIELD, 1L));
        return StoreCalls.call(
                "insert session", () -> sessions.raw().updateOne(begun, found).getMatchedCount() == 1);
    }

    @Override
    public List<ChatSession> beingInserted() {
        return all("find sessions that are being inserted", eq(OWNER, INSERTED));
    }

    @Override
    public boolean abandonInsert(SessionId id) {
        Bson begun = and(eq("_id", id.value()), eq(OWNER, INSERTED));
        Bson mark = combine(set(OWNER, DELETED), set(RUNNING, DELETED), unset(BRANCH_KEY), inc(Versions.FIELD, 1L));
        return StoreCalls.call(
                "abandon session", () -> sessions.raw().updateOne(begun, mark).getMatchedCount() == 1);
    }

    @Override
    public Optional<ChatSession> find(UserId owner, SessionId id) {
        return sessions.find(owner, id.value()).map(SessionDocument::toChatSession);
    }

    @Override
    public Optional<ChatSession> branch(UserId owner, String key) {
        Bson kept = and(eq(BRANCH_KEY, key), eq(OWNER, owner.value()));
        return StoreCalls.call(
                        "find branch",
                        () -> Optional.ofNullable(sessions.raw().find(kept).first()))
                .map(SessionDocument::toChatSession);
    }

    @Override
    public Slice<ChatSession> list(UserId owner, Optional<String> after, int limit) {
        return sessions.list(owner, after, limit, SessionDocument::toChatSession);
    }

    @Override
    public long count(UserId owner) {
        Bson owned = eq(OWNER, owner.value());
        Bson onTheWay = and(in(OWNER, INSERTED, DELETED), eq(OF, owner.value()));
        return StoreCalls.call(
                "count sessions",
                () -> sessions.raw().countDocuments(owned) + sessions.raw().countDocuments(onTheWay));
    }

    @Override
    public long countOfProject(UserId owner, ProjectId project) {
        Bson ofProject = and(eq(OWNER, owner.value()), eq("projectId", project.value()));
        return StoreCalls.call("count sessions", () -> sessions.raw().countDocuments(ofProject));
    }

    @Override
    public void replace(ChatSession session) {
        sessions.replace(SessionDocument.from(session));
    }

    @Override
    public boolean beginDelete(UserId owner, SessionId id) {
        Bson mark = combine(
                set(OWNER, DELETED),
                set(RUNNING, DELETED),
                set(OF, owner.value()),
                unset(BRANCH_KEY),
                inc(Versions.FIELD, 1L));
        return StoreCalls.call(
                "begin to delete session",
                () -> sessions.raw()
                                .updateOne(and(eq("_id", id.value()), eq(OWNER, owner.value())), mark)
                                .getMatchedCount()
                        == 1);
    }

    @Override
    public List<ChatSession> beingDeleted() {
        return all("find deleted sessions", eq(OWNER, DELETED));
    }

    @Override
    public void endDelete(SessionId id) {
        StoreCalls.run(
                "delete session", () -> sessions.raw().deleteOne(and(eq("_id", id.value()), eq(OWNER, DELETED))));
    }

    @Override
    public List<ChatSession> locked() {
        return all("find locked sessions", and(ne(RUNNING, null), ne(OWNER, DELETED)));
    }

    private List<ChatSession> all(String what, Bson filter) {
        return StoreCalls.call(what, () -> sessions.raw().find(filter).into(new ArrayList<>())).stream()
                .map(SessionDocument::toChatSession)
                .toList();
    }

    @Override
    public boolean entitle(UserId owner, WorkspaceId workspace, SessionId id, String title) {
        Bson unnamed = and(
                eq("_id", id.value()),
                eq(OWNER, owner.value()),
                eq("workspaceId", workspace.value()),
                eq("namedByModel", true));
        Bson name = combine(set("name", title), inc(Versions.FIELD, 1L));
        return StoreCalls.call(
                "entitle session", () -> sessions.raw().updateOne(unnamed, name).getMatchedCount() == 1);
    }

    /** Read and written, because sums of exact costs are no thing of the store; again where something else changed it meanwhile. */
    @Override
    public boolean countTitle(UserId owner, WorkspaceId workspace, SessionId id, Usage used) {
        Bson there = and(eq("_id", id.value()), eq(OWNER, owner.value()), eq("workspaceId", workspace.value()));
        return StoreCalls.call("count title", () -> {
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                SessionDocument found = sessions.raw().find(there).first();
                if (found == null) {
                    return false;
                }
                UsageDocument before = found.titleUsage;
                Usage sum = before == null ? used : before.toUsage().plus(used);
                Bson unchanged = and(there, eq(Versions.FIELD, found.version));
                Bson add = combine(set("titleUsage", UsageDocument.from(sum)), inc(Versions.FIELD, 1L));
                if (sessions.raw().updateOne(unchanged, add).getMatchedCount() == 1) {
                    return true;
                }
            }
            return false;
        });
    }

    @Override
    public boolean claim(SessionId id, TurnId turn) {
        Bson free = and(eq("_id", id.value()), eq(RUNNING, null));
        Bson give = combine(set(RUNNING, turn.value()), inc(Versions.FIELD, 1L));
        return StoreCalls.call(
                "claim session",
                () -> sessions.raw().updateOne(free, give).getMatchedCount() == 1
                        || sessions.raw().countDocuments(held(id, turn)) == 1);
    }

    @Override
    public void release(SessionId id, TurnId turn) {
        Bson take = combine(unset(RUNNING), inc(Versions.FIELD, 1L));
        StoreCalls.run("release session", () -> sessions.raw().updateOne(held(id, turn), take));
    }

    @Override
    public void release(SessionId id, TurnId turn, LastTurn ended) {
        Bson take = combine(
                unset(RUNNING),
                set("lastTurnStatus", StoredEnum.toStored(ended.status())),
                set("lastTurnEndedAt", ended.endedAt()),
                inc(Versions.FIELD, 1L));
        StoreCalls.run("release session", () -> sessions.raw().updateOne(held(id, turn), take));
    }

    private static Bson held(SessionId id, TurnId turn) {
        return and(eq("_id", id.value()), eq(RUNNING, turn.value()));
    }
}
