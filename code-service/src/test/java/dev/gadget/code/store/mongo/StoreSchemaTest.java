package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.code.store.StoreException;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("The form of what is stored")
class StoreSchemaTest {
    @Inject
    StoreDatabase database;

    @Test
    @DisplayName("is noted at the first start; a newer one is refused in words")
    void newer() {
        var meta = database.collection("meta", BsonDocument.class);
        var schema = new StoreSchema(database);
        BsonDocument noted = meta.find(eq("_id", "schema")).first();
        assertThat(noted).isNotNull();
        schema.bringUp();
        assertThat(meta.countDocuments()).isEqualTo(1);
        meta.updateOne(eq("_id", "schema"), set("version", 99));
        try {
            assertThatThrownBy(schema::bringUp)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("written by a newer Gadget (form 99");
        } finally {
            meta.replaceOne(eq("_id", "schema"), noted);
        }
    }
}
