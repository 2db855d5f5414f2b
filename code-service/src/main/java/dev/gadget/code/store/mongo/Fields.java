package dev.gadget.code.store.mongo;

import java.math.BigDecimal;
import java.time.Instant;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Writes and reads the fields of a stored form; an absent value is an absent field, in both directions. */
final class Fields {
    private final BsonDocument document;

    Fields(BsonDocument document) {
        this.document = document;
    }

    static Fields fresh() {
        return new Fields(new BsonDocument());
    }

    BsonDocument document() {
        return document;
    }

    Fields put(String name, @Nullable String value) {
        return value == null ? this : put(name, new BsonString(value));
    }

    Fields put(String name, long value) {
        return put(name, new BsonInt64(value));
    }

    Fields put(String name, @Nullable Long value) {
        return value == null ? this : put(name, value.longValue());
    }

    Fields put(String name, int value) {
        return put(name, new BsonInt32(value));
    }

    Fields put(String name, @Nullable Boolean value) {
        return value == null ? this : put(name, BsonBoolean.valueOf(value));
    }

    Fields put(String name, @Nullable BigDecimal value) {
        return value == null ? this : put(name, value.toPlainString());
    }

    /** To the millisecond, which is all that a date of the store holds. */
    Fields putDate(String name, @Nullable Instant value) {
        return value == null ? this : put(name, new BsonDateTime(value.toEpochMilli()));
    }

    /** Exactly as it is: for instants that are shown again and never searched by. */
    Fields putInstant(String name, @Nullable Instant value) {
        return value == null ? this : put(name, value.toString());
    }

    Fields put(String name, BsonValue value) {
        document.append(name, value);
        return this;
    }

    String string(String name) {
        String value = optionalString(name);
        if (value == null) {
            throw new IllegalStateException("a stored document has no field '" + name + "'");
        }
        return value;
    }

    @Nullable
    String optionalString(String name) {
        BsonValue value = document.get(name);
        return value == null || !value.isString() ? null : value.asString().getValue();
    }

    /** 0 when it is absent: counters that came later are missing in older documents. */
    long number(String name) {
        BsonValue value = document.get(name);
        return value == null || !value.isNumber() ? 0 : value.asNumber().longValue();
    }

    @Nullable
    Long optionalNumber(String name) {
        return has(name) ? number(name) : null;
    }

    @Nullable
    Boolean optionalBoolean(String name) {
        BsonValue value = document.get(name);
        return value == null || !value.isBoolean() ? null : value.asBoolean().getValue();
    }

    @Nullable
    BigDecimal optionalDecimal(String name) {
        String value = optionalString(name);
        return value == null ? null : new BigDecimal(value);
    }

    Instant date(String name) {
        Instant value = optionalDate(name);
        return value == null ? Instant.EPOCH : value;
    }

    @Nullable
    Instant optionalDate(String name) {
        BsonValue value = document.get(name);
        return value == null || !value.isDateTime()
                ? null
                : Instant.ofEpochMilli(value.asDateTime().getValue());
    }

    @Nullable
    Instant optionalInstant(String name) {
        String value = optionalString(name);
        return value == null ? null : Instant.parse(value);
    }

    /** The fields of a nested document, none when it is absent. */
    Fields nested(String name) {
        return document.isDocument(name) ? new Fields(document.getDocument(name)) : fresh();
    }

    /** The values of an array, none when it is absent. */
    BsonArray array(String name) {
        return document.isArray(name) ? document.getArray(name) : new BsonArray();
    }

    boolean has(String name) {
        return document.containsKey(name);
    }
}
