package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import dev.gadget.code.store.ProcessArchive;
import dev.gadget.code.system.ServiceProcess;
import dev.gadget.model.api.SystemApi.DoorKind;
import dev.gadget.model.api.SystemApi.DoorView;
import dev.gadget.model.api.SystemApi.MemoryView;
import dev.gadget.model.api.SystemApi.TurnCounts;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/** Keeps the notes of the service's processes in MongoDB; so few that they are read as a whole. */
@ApplicationScoped
public class MongoProcessArchive implements ProcessArchive {
    private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);
    private static final String SEEN = "seenAt";
    private static final int MOST = 100;

    private final MongoCollection<BsonDocument> processes;

    MongoProcessArchive(StoreDatabase database) {
        processes = database.collection("processes", BsonDocument.class);
    }

    @Override
    public void put(ServiceProcess process) {
        StoreCalls.run(
                "note a process", () -> processes.replaceOne(eq("_id", process.id()), document(process), UPSERT));
    }

    @Override
    public List<ServiceProcess> list() {
        return StoreCalls.call(
                "list processes",
                () -> processes
                        .find()
                        .sort(Sorts.descending(SEEN))
                        .limit(MOST)
                        .map(MongoProcessArchive::process)
                        .into(new ArrayList<>()));
    }

    @Override
    public void remove(String id) {
        StoreCalls.run("remove process", () -> processes.deleteOne(eq("_id", id)));
    }

    @Override
    public long removeSeenBefore(Instant moment) {
        return StoreCalls.call(
                "sweep processes",
                () -> processes
                        .deleteMany(lt(SEEN, new BsonDateTime(moment.toEpochMilli())))
                        .getDeletedCount());
    }

    private static BsonDocument document(ServiceProcess process) {
        var doors = Fields.fresh();
        process.doors().forEach(door -> doors.put(StoredEnum.toStored(door.door()), door.readers()));
        return Fields.fresh()
                .put("_id", process.id())
                .put("version", process.version())
                .put("host", process.host())
                .putDate("startedAt", process.startedAt())
                .putDate(SEEN, process.seenAt())
                .put("usedBytes", process.memory().usedBytes())
                .put("maxBytes", process.memory().maxBytes())
                .put("running", process.turns().running())
                .put("waiting", process.turns().waiting())
                .put("ended", process.turns().ended())
                .put("saved", process.saved())
                .put("unsavedTurns", process.unsavedTurns())
                .put("doors", doors.document())
                .document();
    }

    private static ServiceProcess process(BsonDocument document) {
        var fields = new Fields(document);
        return new ServiceProcess(
                fields.string("_id"),
                fields.string("version"),
                fields.string("host"),
                fields.date("startedAt"),
                fields.date(SEEN),
                new MemoryView(fields.number("usedBytes"), fields.number("maxBytes")),
                new TurnCounts(
                        (int) fields.number("running"), (int) fields.number("waiting"), (int) fields.number("ended")),
                Boolean.TRUE.equals(fields.optionalBoolean("saved")),
                (int) fields.number("unsavedTurns"),
                doors(fields.nested("doors")));
    }

    /** Those that this program knows, in their order: another process may be of another version. */
    private static List<DoorView> doors(Fields doors) {
        return Arrays.stream(DoorKind.values())
                .filter(door -> doors.has(StoredEnum.toStored(door)))
                .map(door -> new DoorView(door, (int) doors.number(StoredEnum.toStored(door))))
                .toList();
    }
}
