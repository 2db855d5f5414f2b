package dev.gadget.code.store.embedded;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.bson.BsonDecoder;
import de.bwaldvogel.mongo.wire.bson.BsonEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commands as bytes: a BSON document of the command without its list of documents, then each document of that list.
 * The list stands apart because together its documents may be larger than one BSON document may be.
 */
final class CommandCodec {
    private static final List<String> LISTS = List.of("documents", "updates", "deletes");
    private static final String DATABASE = "db";
    private static final String LIST = "list";
    private static final String QUERY = "query";

    private CommandCodec() {}

    /** A command as it was received; its name is the first field of the query. */
    record Command(String database, Document query) {
        String name() {
            return query.keySet().iterator().next();
        }
    }

    static byte[] encode(Command command) {
        Document head = command.query().clone();
        String list = listOf(head);
        List<?> items = list != null && head.remove(list) instanceof List<?> found ? found : List.of();
        Document envelope = new Document(DATABASE, command.database()).append(QUERY, head);
        envelope.putIfNotNull(LIST, list);
        ByteBuf buffer = Unpooled.buffer();
        BsonEncoder.encodeDocument(envelope, buffer);
        for (Object item : items) {
            BsonEncoder.encodeDocument((Document) item, buffer);
        }
        return ByteBufUtil.getBytes(buffer);
    }

    static Command decode(byte[] bytes) {
        ByteBuf buffer = Unpooled.wrappedBuffer(bytes);
        Document envelope = BsonDecoder.decodeBson(buffer);
        List<Document> items = new ArrayList<>();
        while (buffer.isReadable()) {
            items.add(BsonDecoder.decodeBson(buffer));
        }
        if (envelope.get(QUERY) instanceof Document query && envelope.get(DATABASE) instanceof String database) {
            if (envelope.get(LIST) instanceof String list) {
                query.put(list, items);
            }
            return new Command(database, query);
        }
        throw new IllegalArgumentException("a record of the journal is not a command");
    }

    private static @Nullable String listOf(Document query) {
        return LISTS.stream()
                .filter(name -> query.get(name) instanceof List<?>)
                .findFirst()
                .orElse(null);
    }
}
