package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import dev.gadget.code.provider.ExaminedModel;
import dev.gadget.code.store.ModelProfileArchive;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/** Keeps the profiles of models in MongoDB. */
@ApplicationScoped
public class MongoModelProfileArchive implements ModelProfileArchive, StoreIndexes {
    private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);
    private static final int MOST_OF_A_PROVIDER = 1000;

    private final MongoCollection<BsonDocument> profiles;

    MongoModelProfileArchive(StoreDatabase database) {
        profiles = database.collection("model_profiles", BsonDocument.class);
    }

    @Override
    public void createIndexes() {
        StoreIndexes.unique(
                profiles, ModelProfileDocument.OWNER, ModelProfileDocument.PROVIDER, ModelProfileDocument.MODEL);
    }

    @Override
    public void put(ExaminedModel examined) {
        BsonDocument document = ModelProfileDocument.from(examined);
        StoreCalls.run("store profile", () -> profiles.replaceOne(eq("_id", document.get("_id")), document, UPSERT));
    }

    @Override
    public Optional<ExaminedModel> find(UserId owner, ProviderId provider, String model) {
        Bson one =
                and(eq("_id", ModelProfileDocument.id(provider, model)), eq(ModelProfileDocument.OWNER, owner.value()));
        return StoreCalls.call(
                "find profile",
                () -> Optional.ofNullable(profiles.find(one).first()).map(ModelProfileDocument::toExamined));
    }

    @Override
    public List<ExaminedModel> ofProvider(UserId owner, ProviderId provider) {
        return StoreCalls.call(
                "list profiles",
                () -> profiles.find(of(owner, provider))
                        .sort(Sorts.ascending(ModelProfileDocument.MODEL))
                        .limit(MOST_OF_A_PROVIDER)
                        .map(ModelProfileDocument::toExamined)
                        .into(new ArrayList<>()));
    }

    @Override
    public void deleteOfProvider(UserId owner, ProviderId provider) {
        StoreCalls.run("delete profiles", () -> profiles.deleteMany(of(owner, provider)));
    }

    private static Bson of(UserId owner, ProviderId provider) {
        return and(eq(ModelProfileDocument.OWNER, owner.value()), eq(ModelProfileDocument.PROVIDER, provider.value()));
    }
}
