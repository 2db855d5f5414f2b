package dev.gadget.code.store.mongo;

import dev.gadget.code.provider.ExaminedModel;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ModelProfile.Score;
import dev.gadget.model.ModelProfile.ToolCalling;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The profile of a model as it is stored. */
final class ModelProfileDocument {
    static final String OWNER = "ownerId";
    static final String PROVIDER = "providerId";
    static final String MODEL = "model";

    private ModelProfileDocument() {}

    /** A model of a provider has one document, however often it is examined. */
    static String id(ProviderId provider, String model) {
        return provider.value() + ":" + model;
    }

    static BsonDocument from(ExaminedModel examined) {
        ModelProfile profile = examined.profile();
        ToolCalling calling = profile.toolCalling();
        Fields fields = Fields.fresh()
                .put("_id", id(examined.providerId(), examined.model()))
                .put(OWNER, examined.ownerId().value())
                .put(PROVIDER, examined.providerId().value())
                .put(MODEL, examined.model())
                .put("streaming", profile.streaming())
                .put("toolCalling", calling == null ? null : StoredEnum.toStored(calling))
                .put("thinking", profile.thinking())
                .putDate("examinedAt", profile.examinedAt());
        put(fields, "contextTokens", profile.contextTokens());
        put(fields, "contextAtLeast", profile.contextAtLeast());
        put(fields, "reportedContextTokens", profile.reportedContextTokens());
        put(fields, "firstTokenMillis", profile.firstTokenMillis());
        put(fields, "arguments", profile.arguments());
        put(fields, "edits", profile.edits());
        Double rate = profile.tokensPerSecond();
        if (rate != null) {
            fields.put("tokensPerSecond", new BsonDouble(rate));
        }
        return fields.document();
    }

    private static void put(Fields fields, String name, @Nullable Integer value) {
        if (value != null) {
            fields.put(name, new BsonInt32(value));
        }
    }

    private static void put(Fields fields, String name, @Nullable Score score) {
        if (score != null) {
            fields.put(
                    name,
                    Fields.fresh()
                            .put("passed", score.passed())
                            .put("of", score.of())
                            .document());
        }
    }

    static ExaminedModel toExamined(BsonDocument document) {
        var fields = new Fields(document);
        String calling = fields.optionalString("toolCalling");
        return new ExaminedModel(
                new UserId(fields.string(OWNER)),
                new ProviderId(fields.string(PROVIDER)),
                fields.string(MODEL),
                new ModelProfile(
                        fields.optionalBoolean("streaming"),
                        calling == null ? null : StoredEnum.fromStored(ToolCalling.class, calling),
                        score(fields, "arguments"),
                        fields.optionalBoolean("thinking"),
                        integer(fields, "contextTokens"),
                        integer(fields, "reportedContextTokens"),
                        score(fields, "edits"),
                        integer(fields, "firstTokenMillis"),
                        rate(document.get("tokensPerSecond")),
                        fields.date("examinedAt"),
                        integer(fields, "contextAtLeast")));
    }

    private static @Nullable Integer integer(Fields fields, String name) {
        return fields.has(name) ? Integer.valueOf((int) fields.number(name)) : null;
    }

    private static @Nullable Score score(Fields fields, String name) {
        Fields score = fields.nested(name);
        return score.has("of") ? new Score((int) score.number("passed"), (int) score.number("of")) : null;
    }

    private static @Nullable Double rate(@Nullable BsonValue value) {
        return value == null || !value.isNumber()
                ? null
                : Double.valueOf(value.asNumber().doubleValue());
    }
}
