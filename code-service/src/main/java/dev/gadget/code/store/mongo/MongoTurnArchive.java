package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.lte;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.code.turn.StoredBlock;
import dev.gadget.code.turn.TurnRecord;
import dev.gadget.model.DroneId;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.TurnStatus;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Keeps turns, and each of their blocks as a document of its own: this is the hot path, so it does without Panache. */
@ApplicationScoped
public class MongoTurnArchive implements TurnArchive, StoreIndexes {
    private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);
    private static final BulkWriteOptions IN_ANY_ORDER = new BulkWriteOptions().ordered(false);

    private final MongoCollection<BsonDocument> turns;
    private final MongoCollection<BsonDocument> blocks;

    MongoTurnArchive(StoreDatabase database) {
        turns = database.collection("turns", BsonDocument.class);
        blocks = database.collection("turn_blocks", BsonDocument.class);
    }

    @Override
    public void createIndexes() {
        StoreIndexes.unique(turns, "sessionId", ListKey.FIELD);
        StoreIndexes.unique(turns, "droneId", "status", ListKey.FIELD);
    }

    @Override
    public void insert(TurnRecord turn) {
        BsonDocument document = sized(TurnDocument.from(turn, turn.version()));
        StoreCalls.run("insert turn", () -> turns.insertOne(document));
    }

    @Override
    public Optional<TurnRecord> find(TurnId id) {
        return StoreCalls.call(
                "find turn",
                () -> Optional.ofNullable(turns.find(eq("_id", id.value())).first())
                        .map(TurnDocument::toTurn));
    }

    @Override
    public List<TurnRecord> ofSession(SessionId session) {
        return StoreCalls.call(
                "list turns",
                () -> turns.find(eq("sessionId", session.value()))
                        .sort(Sorts.ascending(ListKey.FIELD))
                        .map(TurnDocument::toTurn)
                        .into(new ArrayList<>()));
    }

    @Override
    public List<TurnRecord> latest(SessionId session, @Nullable TurnRecord before, int limit) {
        Bson ofSession = eq("sessionId", session.value());
        Bson filter = before == null
                ? ofSession
                : and(
                        ofSession,
                        lt(
                                ListKey.FIELD,
                                ListKey.of(before.createdAt(), before.id().value())));
        return StoreCalls.call(
                "list turns",
                () -> turns.find(filter)
                        .sort(Sorts.descending(ListKey.FIELD))
                        .limit(limit)
                        .map(TurnDocument::toTurn)
                        .into(new ArrayList<>()));
    }

    @Override
    public List<TurnRecord> inStatus(Set<TurnStatus> statuses) {
        List<String> stored = statuses.stream().map(StoredEnum::toStored).toList();
        return StoreCalls.call(
                "list turns",
                () -> turns.find(in("status", stored)).map(TurnDocument::toTurn).into(new ArrayList<>()));
    }

    @Override
    public List<TurnRecord> interrupted(DroneId drone, int limit) {
        Bson ofDrone = and(
                eq("droneId", drone.value()),
                eq("status", StoredEnum.toStored(TurnStatus.INTERRUPTED)),
                exists("error"));
        return StoreCalls.call(
                "list turns",
                () -> turns.find(ofDrone).limit(limit).map(TurnDocument::toTurn).into(new ArrayList<>()));
    }

    @Override
    public void replace(TurnRecord turn) {
        ReplaceOneModel<BsonDocument> write = replacement(turn);
        long matched = StoreCalls.call(
                "replace turn",
                () -> turns.replaceOne(write.getFilter(), write.getReplacement())
                        .getMatchedCount());
        if (matched != 1) {
            throw Versions.changed("turn", turn.id().value(), turn.version());
        }
    }

    private static ReplaceOneModel<BsonDocument> replacement(TurnRecord turn) {
        long expected = turn.version();
        Bson unchanged = and(eq("_id", turn.id().value()), eq(Versions.FIELD, expected), lte("fence", turn.fence()));
        return new ReplaceOneModel<>(unchanged, sized(TurnDocument.from(turn, expected + 1)));
    }

    @Override
    public boolean putAll(Map<TurnRecord, ? extends Collection<StoredBlock>> changed) {
        List<ReplaceOneModel<BsonDocument>> blockWrites = new ArrayList<>();
        changed.forEach((turn, grown) -> blockWrites.addAll(writes(turn.id(), grown)));
        List<ReplaceOneModel<BsonDocument>> turnWrites =
                changed.keySet().stream().map(MongoTurnArchive::replacement).toList();
        return StoreCalls.call("store turns", () -> {
            if (!blockWrites.isEmpty()) {
                writeBlocks(blockWrites);
            }
            return turns.bulkWrite(turnWrites, IN_ANY_ORDER).getMatchedCount() == turnWrites.size();
        });
    }

    @Override
    public void putBlocks(TurnId turn, Collection<StoredBlock> changed) {
        if (!changed.isEmpty()) {
            List<ReplaceOneModel<BsonDocument>> writes = writes(turn, changed);
            StoreCalls.run("store blocks", () -> writeBlocks(writes));
        }
    }

    private static List<ReplaceOneModel<BsonDocument>> writes(TurnId turn, Collection<StoredBlock> changed) {
        return changed.stream()
                .map(block -> sized(BlockDocument.from(turn, block)))
                .map(document -> new ReplaceOneModel<>(eq("_id", document.get("_id")), document, UPSERT))
                .toList();
    }

    /** Two writers of one new id collide once; the second attempt finds the document there and replaces it. */
    private void writeBlocks(List<ReplaceOneModel<BsonDocument>> writes) {
        try {
            blocks.bulkWrite(writes, IN_ANY_ORDER);
        } catch (MongoBulkWriteException e) {
            if (!onlyDuplicateKeys(e)) {
                throw e;
            }
            blocks.bulkWrite(writes, IN_ANY_ORDER);
        }
    }

    private static boolean onlyDuplicateKeys(MongoBulkWriteException failure) {
        return failure.getWriteConcernError() == null
                && failure.getWriteErrors().stream()
                        .allMatch(error -> StoreCalls.isDuplicateKey(new MongoException(error.getCode(), "")));
    }

    @Override
    public List<StoredBlock> blocks(TurnId turn) {
        return read(of(turn), new BsonDocument(), BlockDocument::toStoredBlock);
    }

    @Override
    public List<StoredBlock> ownBlocks(TurnId turn) {
        return read(and(of(turn), eq(BlockDocument.PARENT, null)), new BsonDocument(), BlockDocument::toStoredBlock);
    }

    @Override
    public List<StoredBlock> outlines(TurnId turn) {
        return read(of(turn), Projections.exclude(BlockDocument.SAID), BlockDocument::toOutline);
    }

    private List<StoredBlock> read(Bson which, Bson fields, Function<BsonDocument, StoredBlock> toBlock) {
        return StoreCalls.call(
                "read blocks",
                () -> blocks.find(which)
                        .projection(fields)
                        .sort(Sorts.ascending("_id"))
                        .map(toBlock::apply)
                        .into(new ArrayList<>()));
    }

    @Override
    public void delete(TurnId turn) {
        StoreCalls.run("delete turn", () -> remove(turn.value()));
    }

    private void remove(String id) {
        blocks.deleteMany(of(new TurnId(id)));
        turns.deleteOne(eq("_id", id));
    }

    @Override
    public void deleteOfSession(SessionId session) {
        StoreCalls.run("delete turns", () -> {
            List<String> ids = turns.find(eq("sessionId", session.value()))
                    .projection(Projections.include("_id"))
                    .map(document -> document.getString("_id").getValue())
                    .into(new ArrayList<>());
            ids.forEach(this::remove);
        });
    }

    private static Bson of(TurnId turn) {
        return and(gte("_id", BlockDocument.firstId(turn)), lt("_id", BlockDocument.endId(turn)));
    }

    private static BsonDocument sized(BsonDocument document) {
        return DocumentSize.checked(document);
    }
}
