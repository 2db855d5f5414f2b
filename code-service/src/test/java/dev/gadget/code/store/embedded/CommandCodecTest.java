package dev.gadget.code.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.bson.Document;
import dev.gadget.code.store.embedded.CommandCodec.Command;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CommandCodecTest {
    @Test
    void givesBackACommandWithItsList() {
        var query = new Document("insert", "items")
                .append("ordered", true)
                .append(
                        "documents",
                        List.of(
                                new Document("_id", 1).append("at", Instant.ofEpochMilli(1_234)),
                                new Document("_id", UUID.randomUUID())
                                        .append("nested", new Document("a", List.of(1L)))));

        Command back = CommandCodec.decode(CommandCodec.encode(new Command("gadget", query)));

        assertThat(back.database()).isEqualTo("gadget");
        assertThat(back.name()).isEqualTo("insert");
        assertThat(back.query()).isEqualTo(query);
    }

    @Test
    void givesBackACommandWithoutAList() {
        var query = new Document("findAndModify", "items")
                .append("query", new Document("_id", "x"))
                .append("remove", true);

        Command back = CommandCodec.decode(CommandCodec.encode(new Command("gadget", query)));

        assertThat(back).isEqualTo(new Command("gadget", query));
    }
}
