package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.MongoCollection;
import dev.gadget.code.drone.Enrolment;
import dev.gadget.code.store.EnrolmentArchive;
import dev.gadget.model.UserId;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/** Keeps enrolment codes in MongoDB. */
@ApplicationScoped
public class MongoEnrolmentArchive implements EnrolmentArchive {
    private static final String EXPIRES = "expiresAt";

    private final MongoCollection<BsonDocument> enrolments;

    MongoEnrolmentArchive(StoreDatabase database) {
        enrolments = database.collection("enrolments", BsonDocument.class);
    }

    @Override
    public void insert(Enrolment enrolment) {
        StoreCalls.run("insert enrolment", () -> enrolments.insertOne(document(enrolment)));
    }

    @Override
    public Optional<Enrolment> use(String codeHash, Instant now) {
        return StoreCalls.call(
                "use enrolment",
                () -> Optional.ofNullable(enrolments.findOneAndDelete(
                                and(eq("_id", codeHash), gt(EXPIRES, new BsonDateTime(now.toEpochMilli())))))
                        .map(MongoEnrolmentArchive::enrolment));
    }

    @Override
    public long deleteExpired(Instant before) {
        return StoreCalls.call(
                "sweep enrolments",
                () -> enrolments
                        .deleteMany(lt(EXPIRES, new BsonDateTime(before.toEpochMilli())))
                        .getDeletedCount());
    }

    private static BsonDocument document(Enrolment enrolment) {
        return Fields.fresh()
                .put("_id", enrolment.codeHash())
                .put("ownerId", enrolment.ownerId().value())
                .putDate("createdAt", enrolment.createdAt())
                .putDate(EXPIRES, enrolment.expiresAt())
                .document();
    }

    private static Enrolment enrolment(BsonDocument document) {
        var fields = new Fields(document);
        return new Enrolment(
                fields.string("_id"),
                new UserId(fields.string("ownerId")),
                fields.date("createdAt"),
                fields.date(EXPIRES));
    }
}
